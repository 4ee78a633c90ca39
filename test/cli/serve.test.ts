import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { finish, printed, startCli } from './run-cli.js';

const LISTENING = /http:\/\/127\.0\.0\.1:(\d+)\//;

async function serving(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = startCli(['serve', '--port', '0', ...args], environment);
  const finished = finish(child);
  const banner = await printed(child, /Ctrl-C/);
  return { child, finished, banner, url: `http://127.0.0.1:${LISTENING.exec(banner)![1]}` };
}

async function json(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>;
}

describe('mock-flink serve', () => {
  it('says where to look next: the page, the API docs, a request to try', async () => {
    const { child, finished, banner, url } = await serving(['--scenario', 'healthy']);
    expect(banner).toContain('mock-flink plays Flink 1.20.5: healthy — A job that keeps up');
    expect(banner).toContain(`Status page  ${url}/`);
    expect(banner).toContain(`${url}/_mock/docs`);
    expect(banner).toContain(`curl ${url}/jobs/overview`);
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops at %s, though a client keeps its connection', async (signal) => {
    const { child, finished, url } = await serving(['--scenario', 'empty']);
    await json(`${url}/overview`);
    child.kill(signal);
    expect((await finished).code).toBe(0);
  });

  it('is the default command and takes its options from the environment', async () => {
    const child = startCli([], { MOCK_FLINK_PORT: '0', MOCK_FLINK_SCENARIO: 'empty', MOCK_FLINK_FLINK_VERSION: '2.3' });
    const finished = finish(child);
    const banner = await printed(child, /Ctrl-C/);
    const port = LISTENING.exec(banner)![1];
    expect(await json(`http://127.0.0.1:${port}/overview`)).toMatchObject({ 'flink-version': '2.3.0', taskmanagers: 1, 'slots-total': 4 });
    child.kill('SIGTERM');
    await finished;
  });

  it('names the port when it is in use, exit code 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await finish(startCli(['serve', '--scenario', 'empty', '--port', String(port)]));
    other.close();
    expect(stderr).toBe(`mock-flink: port ${port} on 127.0.0.1 is in use; stop what uses it, or choose another with --port (0 takes a free one)\n`);
    expect(code).toBe(1);
  });

  it('opens now by default, at the scenario’s own time on demand, at a given instant', async () => {
    const startOf = async (args: readonly string[]): Promise<number> => {
      const { child, finished, url } = await serving(['--scenario', 'healthy', ...args]);
      const { jobs } = (await json(`${url}/jobs/overview`)) as { jobs: { 'start-time': number; duration: number }[] };
      child.kill('SIGTERM');
      await finished;
      return jobs[0]!['start-time'] + jobs[0]!.duration;
    };
    const before = Date.now();
    const now = await startOf([]);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    const opensAt = Date.UTC(2024, 2, 4, 9, 5);
    expect(await startOf(['--clock', 'manual'])).toBe(opensAt);
    expect(await startOf(['--clock', 'manual', '--start-time', '2020-01-01T00:00:00Z'])).toBe(Date.UTC(2020, 0, 1));
  });

  it('shows the port that it was given in /jobmanager/config where the scenario configures one', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const { child, finished, url } = await serving(['--scenario', 'recorded-script', '--port', String(port)]);
    expect(await json(`${url}/jobmanager/config`)).toEqual(expect.arrayContaining([{ key: 'rest.port', value: String(port) }, { key: 'rest.bind-port', value: String(port) }]));
    child.kill('SIGTERM');
    await finished;
  });

  it('shows --config in /jobmanager/config', async () => {
    const { child, finished, url } = await serving(['--scenario', 'empty', '--config', 'heartbeat.timeout=7000']);
    expect(await json(`${url}/jobmanager/config`)).toContainEqual({ key: 'heartbeat.timeout', value: '7000' });
    child.kill('SIGTERM');
    await finished;
  });
});
