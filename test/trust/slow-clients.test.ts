import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange, fakeServer } from '../rest/framework/fake-server.js';
import { readAnswers } from './support/raw-client.js';

const ENDPOINTS = [
  { method: 'GET', url: '/overview', handle: () => ({ taskmanagers: 1 }) },
  { method: 'POST', url: '/jobs/:jobid/savepoints', handle: () => ({ 'request-id': '0'.repeat(32) }) },
  { method: 'POST', url: '/jars/upload', handle: () => ({ filename: 'x', status: 'success' }) },
] as const;
const TIMEOUTS = { headersMs: 300, requestMs: 600, checkMs: 50 };
const server = () => fakeServer('1.20', [{ name: 'slow', endpoints: [...ENDPOINTS] }], { timeouts: TIMEOUTS });

const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Sends a byte now and then, and gives what came until the server closed. */
function drip(port: number, start: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(start));
    sockets.push(socket);
    const timer = setInterval(() => socket.write(drop), 20);
    socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(got);
    });
  });
}

describe('a client that is slow', () => {
  it.each([
    ['with its line', 'GET /over', 'x'],
    ['with its headers', 'GET /overview HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
    ['with its body', `POST /jobs/${'0'.repeat(32)}/savepoints HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`, ' '],
    ['with its chunks', `POST /jobs/${'0'.repeat(32)}/savepoints HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['with a form without end', 'POST /jars/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: 1000000\r\n\r\n--X\r\nContent-Disposition: form-data; name="f"; filename="f.jar"\r\n\r\n', 'x'],
  ])('%s is told so and cut off', async (_what, start, drop) => {
    await using slow = await server();
    const answers = readAnswers(await drip(slow.port, start, drop));
    expect(answers.map(({ status }) => status).filter((status) => status !== 408)).toEqual([]);
    expect(slow.asked).toEqual([]);
  });

  it('that says nothing at all is cut off', async () => {
    await using slow = await server();
    const socket = connect(slow.port, '127.0.0.1');
    sockets.push(socket);
    await new Promise((resolve) => socket.once('close', resolve).resume());
  });

  it('keeps nobody else waiting', async () => {
    await using slow = await fakeServer('1.20', [{ name: 'slow', endpoints: [...ENDPOINTS] }]);
    for (let i = 0; i < 200; i++) {
      const socket = connect(slow.port, '127.0.0.1', () => socket.write('POST /jars/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 10000'));
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    expect(await exchange(slow.port, 'GET /overview HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('200 OK');
  });

  it('that asks much and reads nothing is not read from without bound', async () => {
    await using slow = await fakeServer('1.20', [{ name: 'slow', endpoints: [{ method: 'GET', url: '/jobmanager/config', handle: () => [{ key: 'k', value: 'v'.repeat(1_000_000) }] }] }]);
    const socket = connect(slow.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pause();
    const line = 'GET /jobmanager/config HTTP/1.1\r\nHost: x\r\n\r\n';
    let refused = false;
    for (let i = 0; i < 200 && !refused; i++) {
      refused = !socket.write(line.repeat(1_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The kernel's buffers are full: the server has stopped reading.
    expect(refused).toBe(true);
    expect(slow.asked.length).toBeLessThan(20_000);
  });
});
