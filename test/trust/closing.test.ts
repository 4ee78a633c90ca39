import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { watchedServer } from './support/watched-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('a connection that has an answer under way when the server closes ends with that answer, without force', async () => {
  await using watched = await watchedServer('1.20', { passMs: 0 });
  const { server } = watched;
  let forced = 0;
  const { server: http } = server.app;
  const force = http.closeAllConnections.bind(http);
  http.closeAllConnections = () => {
    forced++;
    force();
  };
  server.control.faults.add({ path: '/config', drip: { over: '60 ms', chunks: 3 } });
  const talk = async (requests: string): Promise<string> => {
    const socket = connect(watched.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (data: string) => (text += data));
    socket.write(requests);
    const ended = once(socket, 'end');
    await once(socket, 'data');
    void server.close();
    await ended;
    socket.destroy();
    return text;
  };
  const request = 'GET /config HTTP/1.1\r\nHost: x\r\n\r\n';
  // Neither client says that it wants no more; the second has asked twice at once.
  const answers = await Promise.all([talk(request), talk(request + request)]);
  await server.close();
  expect(forced).toBe(0);
  expect(answers.map((text) => text.match(/"flink-version":"1\.20[^]*?\}/g)?.length)).toEqual([1, 2]);
});

it('a reset that is under way is given up when the server closes', async () => {
  await using watched = await watchedServer('1.20', { openAtMs: 600_000, passMs: 0 });
  const { server } = watched;
  const reset = server.control.history.reset();
  const outcome = expect(reset).rejects.toThrow('the server closes; nothing was reset');
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  await outcome;
});

it('a process that something still keeps ends all the same', async () => {
  const program = "import { closeInTime } from './src/cli/close-in-time.ts'; setInterval(() => undefined, 1000); closeInTime(new Promise(() => undefined));";
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { cwd: ROOT, stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});
