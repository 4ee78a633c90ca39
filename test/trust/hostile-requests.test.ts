import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_REQUESTS } from './hostile-requests.js';
import { sendRaw } from './support/raw-client.js';
import { watchedServer, type WatchedServer } from './support/watched-server.js';

interface Recorded {
  readonly statuses: readonly number[];
  readonly closed: boolean;
  readonly error?: string;
}

/** What a real cluster of 1.20.5 answered to the same bytes. */
const RECORDED = JSON.parse(readFileSync(new URL('./hostile-answers-1.20.5.json', import.meta.url), 'utf8')) as Record<string, Recorded>;

const BAD_REQUEST = '{"errors":["Unable to load requested file /bad-request."]}';

/**
 * Netty guesses what is meant and may be led to take one request for two, or two for one. Node's parser refuses whatever can be read in two ways,
 * and closes.
 */
const REFUSED = new Set([
  ...['TE and CL', 'CL and TE', 'double CL same', 'double CL different', 'CL list same', 'CL list different', 'CL negative', 'CL plus', 'CL hex', 'CL word', 'CL huge', 'CL blank before colon'],
  ...['TE blank before colon', 'TE xchunked', 'TE identity', 'TE twice', 'chunk size bad', 'chunk size negative', 'chunk size huge', 'chunk without CRLF', 'bare LF lines', 'bare CR', 'obs-fold'],
  ...['header without colon', 'header empty name', 'header NUL in value', 'header NUL in name', 'header blank in name', 'header utf8 name', 'version 1.2', 'preface h2', 'tls hello'],
  ...['blank before method', 'tab between', 'target no slash', 'target high bytes', 'target utf8', 'target NUL', 'header line 70000', 'header line 70000 then', 'headers 3000 of 30 B'],
]);

/** Answered otherwise than by a real cluster, none of which any client depends on. */
const OTHERWISE: Readonly<Record<string, readonly number[]>> = {
  // busboy knows boundaries of 70 characters, as RFC 2046 has them, and passes over parts that it cannot read.
  'mp long boundary': [500],
  'mp empty boundary': [200],
  'mp bad disposition': [400],
  // A connection with more than 8 KiB of headers is deaf for Netty from then on.
  'header line 9000 then': [200, 200],
  'header sum 9000 then': [200, 200],
  // What is no body, as no length announced it, is no request either.
  'POST without length': [202, 404],
  // Java's numbers may have the digits of any script.
  'subtask arabic digits': [400],
  'checkpoint arabic digits': [400],
  'maxExceptions arabic digits': [400],
};

let watched: WatchedServer;
beforeAll(async () => {
  watched = await watchedServer('1.20.5', { config: { 'rest.profiling.enabled': 'true' } });
});
afterAll(() => watched[Symbol.asyncDispose]());

describe('bytes that no client should send', () => {
  it('all have been asked of a real cluster', () => {
    expect(Object.keys(HOSTILE_REQUESTS).toSorted()).toEqual(Object.keys(RECORDED).toSorted());
  });

  it.each(Object.entries(HOSTILE_REQUESTS))('%s', async (name, bytes) => {
    const before = watched.stateDigest();
    const recorded = RECORDED[name]!;
    const statuses = REFUSED.has(name) ? [404] : (OTHERWISE[name] ?? recorded.statuses);
    const { answers, closed } = await sendRaw(watched.port, bytes, { expected: REFUSED.has(name) ? Infinity : statuses.length, quietMs: 3_000 });
    // A real cluster may answer the second of two requests before the first.
    expect(answers.map(({ status }) => status).toSorted()).toEqual(statuses.toSorted());
    if (REFUSED.has(name)) expect([answers[0]!.body, closed]).toEqual([BAD_REQUEST, true]);
    else if (recorded.error !== undefined && OTHERWISE[name] === undefined) {
      const errors = answers.filter(({ status }) => status >= 400).map(({ body }) => (JSON.parse(body) as { errors: string[] }).errors[0]!.split('\n')[0]);
      expect(errors.at(-1)).toBe(JSON.parse(`"${recorded.error}"`));
    }
    expect(watched.complaints.splice(0)).toEqual([]);
    // What was taken (a savepoint, an upload) may have changed it.
    if (answers.every(({ status }) => status === 404 || status === 500)) expect(watched.stateDigest()).toBe(before);
  });
});
