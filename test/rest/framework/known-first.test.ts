import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseScenario, startMockFlink, type MockFlink } from '../../../src/index.js';
import { SMALL_SCENARIO } from '../../control/small-cluster.js';

let flink: MockFlink | undefined;
afterEach(() => flink?.close());

async function start(version: string, text = SMALL_SCENARIO): Promise<MockFlink> {
  const scenario = parseScenario(text.replace('flink: 1.20', `flink: '${version}'`), 'small.yaml');
  flink = await startMockFlink({ scenario, clock: 'manual', port: 0 });
  await flink.advanceBy('10 s');
  return flink;
}

/** Whole answers to requests sent one after another on one connection. */
async function ask(url: string, ...requests: string[]): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answers: string[] = [];
  let received = Buffer.alloc(0);
  try {
    for (const request of requests) {
      answers.push(
        await new Promise((resolve, reject) => {
          const look = (): void => {
            const text = received.toString('latin1');
            const headEnd = text.indexOf('\r\n\r\n');
            const length = /^content-length: (\d+)/im.exec(text)?.[1];
            if (headEnd < 0 || length === undefined || received.length < headEnd + 4 + Number(length)) return;
            const end = headEnd + 4 + Number(length);
            socket.removeAllListeners('data');
            resolve(received.subarray(0, end).toString('utf8'));
            received = received.subarray(end);
          };
          socket.on('data', (chunk: Buffer) => {
            received = Buffer.concat([received, chunk]);
            look();
          });
          socket.once('error', reject);
          socket.write(request);
        }),
      );
    }
  } finally {
    socket.destroy();
  }
  return answers;
}

const get = (target: string, ...headers: string[]): string => ['GET ' + target + ' HTTP/1.1', 'host: flink', 'user-agent: test', ...headers, '', ''].join('\r\n');

describe('an answer that is known already', () => {
  it.each(['1.9', '1.13', '1.20', '2.3'])('has the very bytes of the first, in %s', async (version) => {
    const { url } = await start(version);
    for (const target of ['/overview', '/jobs/overview', '/config', '/jobmanager/config']) {
      const [first, second, third] = await ask(url, get(target), get(target), get(target));
      expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(second).toBe(first);
      expect(third).toBe(first);
    }
  });

  it('is as long as its bytes where its text is no ASCII', async () => {
    const { url } = await start('1.20', SMALL_SCENARIO.replace('name: numbers', 'name: Zähler № 1'));
    const [first, second] = await ask(url, get('/jobs/overview'), get('/jobs/overview'));
    expect(first).toContain('Zähler № 1');
    expect(second).toBe(first);
  });

  it('is in the journal like any other', async () => {
    const { url, journal } = await start('1.20');
    await ask(url, get('/overview'), get('/overview'));
    const [first, second] = journal.entries({ path: '/overview' });
    expect(second).toEqual({ ...first, id: first!.id + 1, wallMs: expect.any(Number), durationMs: expect.any(Number) });
    expect(second).toMatchObject({ outcome: 'answered', status: 200, userAgent: 'test', remoteAddress: '127.0.0.1', responseBody: expect.stringContaining('taskmanagers') });
  });

  it('is struck by a fault that came meanwhile', async () => {
    const { url, faults } = await start('1.20');
    await ask(url, get('/overview'), get('/overview'));
    faults.add({ path: '/overview', unavailable: true });
    const [struck] = await ask(url, get('/overview'));
    expect(struck).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('is forgotten when time goes on', async () => {
    const flinkNow = await start('1.20');
    const [before] = await ask(flinkNow.url, get('/jobs/overview'), get('/jobs/overview'));
    await flinkNow.advanceBy('1 s');
    const [after] = await ask(flinkNow.url, get('/jobs/overview'));
    expect(after).not.toBe(before);
  });

  it('closes the connection where that was asked for', async () => {
    const { url } = await start('1.20');
    const [kept, closed] = await ask(url, get('/overview'), get('/overview', 'connection: close'));
    expect(kept).toMatch(/^connection: keep-alive\r$/m);
    expect(closed).not.toMatch(/^connection: keep-alive\r$/m);
  });
});
