import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_UPLOADING_BYTES } from '../../src/rest/multipart.js';
import { watchedServer } from './support/watched-server.js';

const MEBIBYTE = 1024 ** 2;
const PIECE = Buffer.alloc(MEBIBYTE / 16);
const HEAD = '--X\r\nContent-Disposition: form-data; name="jarfile"; filename="big.jar"\r\nContent-Type: application/x-java-archive\r\n\r\n';
const TAIL = '\r\n--X--\r\n';

interface Upload {
  /** Sends the end, which was kept back. */
  finish(): void;
  readonly answer: Promise<{ readonly status: number; readonly text: string }>;
}

/** Sends a file of so many bytes, all but the form's end; the answer may come before. */
async function upload(port: number, bytes: number): Promise<Upload> {
  const ask = request({ port, host: '127.0.0.1', method: 'POST', path: '/jars/upload', headers: { 'content-type': 'multipart/form-data; boundary=X', 'content-length': HEAD.length + bytes + TAIL.length } });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    ask.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString())).on('end', () => resolve({ status: response.statusCode!, text }));
    });
  });
  ask.write(HEAD);
  for (let sent = 0; sent < bytes; sent += PIECE.length) if (!ask.write(PIECE.subarray(0, bytes - sent))) await once(ask, 'drain');
  return { finish: () => void ask.end(TAIL), answer };
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => sum + (entry.isFile() ? (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0), 0);
}

const REFUSED = { status: 500, text: '{"errors":["File upload failed."]}' };

describe.each([
  { budget: 4 * MEBIBYTE, files: 2, isAsked: true },
  // Minutes, and 4 GiB of disk: `UPLOAD_BUDGET=1 npx vitest run test/trust/upload-budget`.
  { budget: MAX_UPLOADING_BYTES, files: 4, isAsked: process.env['UPLOAD_BUDGET'] === '1' },
])('uploads under way, $budget bytes in all', ({ budget, files, isAsked }) => {
  it.skipIf(!isAsked)('are refused beyond that, whoever they come from, and leave nothing; those within it go on', async () => {
    await using watched = await watchedServer('1.20', { passMs: 0, ...(budget === MAX_UPLOADING_BYTES ? {} : { uploadBudgetBytes: budget }) });
    const folder = watched.server.temporaryDirectory;
    const each = budget / files - MEBIBYTE / 2;
    const spare = budget - files * each;
    const held = await Promise.all(Array.from({ length: files }, () => upload(watched.port, each)));
    while (bytesBelow(folder) < files * each) await sleep(20);
    const tooMuch = await upload(watched.port, spare + 1);
    tooMuch.finish();
    expect(await tooMuch.answer).toEqual(REFUSED);
    while (bytesBelow(folder) > files * each) await sleep(20);
    const fits = await upload(watched.port, spare);
    fits.finish();
    expect((await fits.answer).status).toBe(200);
    for (const { finish } of held) finish();
    const outcomes = await Promise.all(held.map(({ answer }) => answer));
    // Those that come through are a matter of the jars that are kept, no more of what is under way.
    expect(outcomes.filter((outcome) => outcome.status === 200).length).toBeGreaterThan(0);
    for (const { status, text } of outcomes) if (status !== 200) expect(text).toContain('Could not move uploaded jar file');
    const again = await upload(watched.port, spare + 1);
    again.finish();
    expect((await again.answer).status).toBe(200);
    expect(readdirSync(folder)).toEqual(['flink-web-upload']);
    expect(watched.complaints).toEqual([]);
  }, 900_000);
});
