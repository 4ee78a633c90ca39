import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeSnapshot } from '../../src/control/snapshot-format.js';
import { smallCluster } from '../control/small-cluster.js';
import { finish, printed, startCli } from '../cli/run-cli.js';

/** How often the writer is killed; a long run kills it more (KILL_RUNS=200). */
const KILLS = Number(process.env['KILL_RUNS'] ?? 6);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-process-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let nextFolder = 0;
function freshFolder(): string {
  const made = path.join(folder, String(nextFolder++));
  mkdirSync(made);
  return made;
}

const mounted: string[] = [];
afterEach(() => {
  for (const place of mounted.splice(0)) spawnSync('umount', [place]);
});

/** A file system of so many KiB of its own; null where none may be mounted. */
function tinyFileSystem(kib: number, options = ''): string | null {
  const place = freshFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k${options}`, 'tmpfs', place]);
  if (status !== 0) return null;
  mounted.push(place);
  return place;
}

const serve = (temporary: string, args: readonly string[] = []) => startCli(['serve', '--scenario', 'empty', '--port', '0', '--clock', 'manual', ...args], { TMPDIR: temporary, TSX_DISABLE_CACHE: '1' });
const urlIn = (banner: string): string => /https?:\/\/[\d.]+:\d+/.exec(banner)![0];
/** tsx has a pipe in the temporary folder. */
const left = (temporary: string): string[] => readdirSync(temporary).filter((name) => !name.startsWith('tsx-'));

describe('the temporary folder', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('goes with the process on %s', async (signal) => {
    const temporary = freshFolder();
    const child = serve(temporary);
    const ended = finish(child);
    await printed(child, /Ctrl-C/);
    expect(left(temporary)).toHaveLength(1);
    child.kill(signal);
    expect((await ended).code).toBe(0);
    expect(left(temporary)).toEqual([]);
  });

  it('goes when the start fails', async () => {
    const temporary = freshFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { code, stderr } = await finish(startCli(['serve', '--scenario', 'empty', '--port', String((taken.address() as AddressInfo).port)], { TMPDIR: temporary, TSX_DISABLE_CACHE: '1' }));
    taken.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('is in use')]);
    expect(left(temporary)).toEqual([]);
  });

  it('that cannot be made is told in one line', async () => {
    const file = path.join(freshFolder(), 'file');
    writeFileSync(file, '');
    for (const temporary of [path.join(folder, 'nowhere'), file]) {
      const { code, stderr } = await finish(serve(temporary));
      expect(code).toBe(1);
      const lines = stderr.trim().split('\n').filter((line) => line.startsWith('mock-flink:'));
      expect(lines).toEqual([expect.stringMatching(/no temporary folder can be made in .* \((it does not exist|it is no folder)\); choose another with the environment variable TMPDIR/)]);
      expect(stderr).not.toContain('    at ');
    }
  });

  it('that is read-only is told in one line', async (context) => {
    const temporary = tinyFileSystem(64, ',ro');
    if (temporary === null) return context.skip('nothing can be mounted here');
    const { code, stderr } = await finish(serve(temporary));
    expect([code, stderr]).toEqual([1, expect.stringContaining('(the file system is read-only); choose another')]);
  });
});

describe('a disk that is full', () => {
  it('costs an upload or a snapshot, not the server', async (context) => {
    const temporary = tinyFileSystem(3_072);
    if (temporary === null) return context.skip('nothing can be mounted here');
    const child = serve(temporary);
    const ended = finish(child);
    const url = urlIn(await printed(child, /Ctrl-C/));
    const upload = async (bytes: number): Promise<{ status: number; text: string }> => {
      const body = new FormData();
      body.append('jarfile', new Blob([new Uint8Array(bytes)]), 'a.jar');
      const response = await fetch(`${url}/jars/upload`, { method: 'POST', body });
      return { status: response.status, text: await response.text() };
    };
    const save = async (name: string): Promise<{ status: number; body: { detail?: string } }> => {
      const response = await fetch(`${url}/_mock/snapshots`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name }) });
      return { status: response.status, body: (await response.json()) as { detail?: string } };
    };
    expect(await upload(8_000_000)).toEqual({ status: 500, text: '{"errors":["File upload failed."]}' });
    // What was begun is gone, so that there is room again.
    expect((await upload(1_000)).status).toBe(200);
    writeFileSync(path.join(temporary, 'filler'), Buffer.alloc(1));
    try {
      for (;;) writeFileSync(path.join(temporary, `filler-${Math.random()}`), Buffer.alloc(64 * 1024));
    } catch {
      // Full.
    }
    expect(await save('one')).toMatchObject({ status: 507, body: { detail: 'the snapshot cannot be written: the disk is full; make room, or choose another folder' } });
    expect((await fetch(`${url}/overview`)).status).toBe(200);
    for (const name of readdirSync(temporary)) if (name.startsWith('filler')) rmSync(path.join(temporary, name));
    expect((await save('one')).status).toBe(201);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('or one that is read-only refuses snapshots with a reason', async (context) => {
    const place = tinyFileSystem(64, ',ro');
    if (place === null) return context.skip('nothing can be mounted here');
    await using flink = await smallCluster({ listen: false, snapshotDirectory: path.join(place, 'saved') });
    await expect(flink.history.save('one')).rejects.toThrow('the file system is read-only; choose another folder');
  });
});

describe('a snapshot', () => {
  it('that is being written when the process is killed is the old one, or the new one, whole', async () => {
    const saved = freshFolder();
    const file = path.join(saved, 'one.snapshot');
    await using flink = await smallCluster({ listen: false });
    await flink.advanceBy('10 s');
    await writeFile(file, await flink.snapshot());
    const source = path.join(saved, 'source');
    await writeFile(source, await flink.snapshot());
    const writer = fileURLToPath(new URL('./support/snapshot-writer.ts', import.meta.url));
    for (let i = 0; i < KILLS; i++) {
      const child = spawn(process.execPath, ['--import', 'tsx', writer, source, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, (i * 7) % 40));
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      expect(decodeSnapshot(await readFile(file)).content.state.jobs.size).toBe(2);
    }
    // Half-written files are swept away when the next one is saved.
    await using next = await smallCluster({ listen: false, snapshotDirectory: saved });
    await next.history.save('two');
    expect(readdirSync(saved).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(statSync(path.join(saved, 'two.snapshot')).size).toBeGreaterThan(0);
  }, 3_600_000);

  it('that cannot be used ends the start with code 2 and what to do', async () => {
    await using flink = await smallCluster({ listen: false });
    const whole = await flink.snapshot();
    const cases: readonly (readonly [string, Buffer, RegExp])[] = [
      ['cut', whole.subarray(0, whole.length / 2), /is not whole: it holds \d+ bytes of \d+; take it again, or use an older one/],
      ['damaged', Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1)! ^ 1])]), /is damaged \(its checksum differs\); take it again/],
      ['foreign', Buffer.from('PK\x03\x04 something else'), /is no snapshot of mock-flink; allowed: what GET/],
      ['with another header', Buffer.from(whole.toString('latin1').replace('"flinkVersion":"1.20', '"flinkVersion":"1.19'), 'latin1'), /is damaged \(its checksum differs\); take it again/],
      ['earlier', Buffer.from(whole.toString('latin1').replace('"format":3', '"format":1'), 'latin1'), /has format 1; .* restore it with the version that took it/],
      ['later', Buffer.from(whole.toString('latin1').replace('"format":3', '"format":7'), 'latin1'), /has format 7; .* restore it with the version that took it/],
    ];
    const place = freshFolder();
    for (const [name, bytes, message] of cases) {
      const file = path.join(place, name);
      await writeFile(file, bytes);
      const { code, stderr } = await finish(serve(freshFolder(), ['--restore', file]));
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    const { code, stderr } = await finish(serve(freshFolder(), ['--restore', path.join(place, 'nope')]));
    expect([code, stderr]).toEqual([2, expect.stringContaining('does not exist')]);
    expect(existsSync(place)).toBe(true);
  }, 300_000);
});
