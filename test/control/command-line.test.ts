import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlClient } from '../../src/index.js';
import { finish, printed, runCli, startCli } from '../cli/run-cli.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mock-flink-cli-'))));
afterAll(() => rm(folder, { recursive: true }));

async function serving(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = startCli(['serve', '--port', '0', '--scenario', 'empty', '--clock', 'manual', ...args], environment);
  const finished = finish(child);
  const banner = await printed(child, /Ctrl-C/);
  return {
    url: /curl (http:\/\/[^/]+)\/jobs/.exec(banner)![1]!,
    docs: /(http:\S+)\/_mock\/docs/.exec(banner)?.[1] ?? null,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await finished;
    },
  };
}

describe('serve', () => {
  it('asks for the token of the environment, on a port of its own', async () => {
    await using server = await serving(['--control-port', '0'], { MOCK_FLINK_CONTROL_TOKEN: 'long-enough' });
    expect(server.docs).not.toBeNull();
    expect(server.docs).not.toBe(server.url);
    await expect(new ControlClient(server.docs!).state()).rejects.toThrow(/a token is needed/);
    expect(await new ControlClient(server.docs!, { token: 'long-enough' }).state()).toMatchObject({ scenario: 'empty' });
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(404);
  });

  it('has no control API with --no-control', async () => {
    await using server = await serving(['--no-control']);
    expect(server.docs).toBeNull();
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(404);
    expect((await fetch(`${server.url}/overview`)).status).toBe(200);
  });

  it('saves snapshots in its folder and goes on from one', async () => {
    {
      await using server = await serving(['--snapshots', folder]);
      const client = new ControlClient(server.url);
      const { nowMs, startMs } = await client.clock.get();
      await client.clock.advanceBy(startMs + 123_456 - nowMs);
      await client.history.save('late');
    }
    await using server = await serving(['--restore', path.join(folder, 'late.snapshot')]);
    const { nowMs, startMs } = await new ControlClient(server.url).clock.get();
    expect(nowMs - startMs).toBe(123_456);
  });

  it('says what is wrong with a snapshot', async () => {
    await writeFile(path.join(folder, 'bad'), 'x');
    const bad = await runCli(['serve', '--port', '0', '--scenario', 'empty', '--restore', path.join(folder, 'bad')]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^mock-flink: option --restore: \S+bad: this is no snapshot of mock-flink; allowed: [^\n]+\n$/)]);
    const none = await runCli(['serve', '--port', '0', '--scenario', 'empty', '--restore', path.join(folder, 'none')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/none does not exist/)]);
  });

  it('wants a token of some length', async () => {
    const { code, stderr } = await runCli(['serve', '--control-token', 'short']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--control-token.*allowed: at least 8 characters/)]);
    expect(stderr).not.toContain('short');
  });
});
