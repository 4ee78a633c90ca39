import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { loadRecording, type RecordedAnswer } from '../../golden/recording.js';
import { recordedCluster } from './model.js';
import { request } from 'node:http';

/** Identifiers and paths are free to differ. */
function comparable(text: string): string {
  return text.replace(/\/[\w./-]*flink-web-upload/g, '<upload>').replace(/\b[0-9a-f]{32}\b/g, '<id>');
}

function errorsOf(json: unknown): string[] | null {
  const errors = (json as { errors?: string[] } | null)?.errors;
  // Of the text about an exception on the server its first two lines count, of all others the first.
  return errors ? errors.map((error) => comparable(error.split('\n').slice(0, error.startsWith('<Exception') ? 2 : 1).join('\n'))) : null;
}

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly allowOrigin: string | undefined;
  readonly body: string;
}

/** As the script asked: no redirects, no path normalization, a connection of its own. */
function ask(url: string, { method, path, requestBody }: RecordedAnswer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, path, agent: false, headers: requestBody === undefined ? {} : { 'content-type': 'application/json' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, type: response.headers['content-type'], allowOrigin: response.headers['access-control-allow-origin'], body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(requestBody);
  });
}

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('requests that name nothing or are malformed, in %s', (version) => {
  const asked = new Map<string, RecordedAnswer>();
  for (const record of loadRecording(version).records) {
    if (/^(error |bad body )/.test(record.name) && record.requestBody !== '<bytes>' && !asked.has(record.name)) asked.set(record.name, record);
  }
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ model: recordedCluster(version), port: 0, clock: { mode: 'manual' } });
  });
  afterAll(() => server.close());

  it('were all recorded', () => expect(asked.size).toBeGreaterThan(65));

  it.each([...asked.values()].map((record) => [record.name.replace(/0{32}/g, '<zero>'), record] as const))('%s', async (_name, record) => {
    const answer = await ask(server.url, record);
    expect(answer.status).toBe(record.status);
    expect(answer.type).toBe(record.headers['content-type']);
    expect(answer.allowOrigin).toBe(record.headers['access-control-allow-origin']);
    const errors = errorsOf(record.json);
    if (errors) expect(errorsOf(JSON.parse(answer.body))).toEqual(errors);
  });
});
