import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARK_LIMITS } from '../../src/control/history-control.js';
import { JOURNAL_LIMITS } from '../../src/control/journal.js';
import { SNAPSHOT_LIMITS } from '../../src/control/snapshot-store.js';
import { MAX_HTTP_FAULTS } from '../../src/http-faults/http-faults.js';
import { JAR_STORE_LIMITS } from '../../src/rest/jars/jar-store.js';
import { UPLOAD_LIMITS } from '../../src/rest/multipart.js';
import { MAX_OPERATIONS } from '../../src/simulation/lifecycle/operations.js';
import { appendLog, LOG_ENTRY_LIMIT } from '../../src/simulation/logs/append-log.js';
import { ask, smallCluster } from '../control/small-cluster.js';
import { zip } from '../rest/framework/zip.js';
import { RawClient, sendRaw } from './support/raw-client.js';
import { watchedServer } from './support/watched-server.js';

function form(parts: readonly { readonly name: string; readonly content: Buffer }[]): Buffer {
  const body = Buffer.concat([...parts.flatMap(({ name, content }) => [Buffer.from(`--X\r\nContent-Disposition: form-data; name="jarfile"; filename="${name}"\r\nContent-Type: application/x-java-archive\r\n\r\n`), content, Buffer.from('\r\n')]), Buffer.from('--X--\r\n')]);
  return Buffer.concat([Buffer.from(`POST /jars/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
}

describe('what clients leave behind is bounded', () => {
  it('jars', async () => {
    await using watched = await watchedServer('1.20', { passMs: 0 });
    using client = new RawClient(watched.port);
    const content = zip({ 'META-INF/MANIFEST.MF': 'Main-Class: A\n', 'A.class': 'x' });
    const statuses: number[] = [];
    for (let i = 0; i <= JAR_STORE_LIMITS.maxJars; i++) statuses.push((await client.ask(form([{ name: `j${i}.jar`, content }])))!.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(JAR_STORE_LIMITS.maxJars);
    expect(statuses.at(-1)).toBe(500);
    const { files } = (await (await fetch(`${watched.server.url}/jars`)).json()) as { files: { id: string }[] };
    expect(files).toHaveLength(JAR_STORE_LIMITS.maxJars);
    // What was refused leaves nothing.
    expect(readdirSync(path.join(watched.server.temporaryDirectory, 'flink-web-upload'))).toHaveLength(JAR_STORE_LIMITS.maxJars);
    expect(readdirSync(watched.server.temporaryDirectory)).toEqual(['flink-web-upload']);
    expect((await fetch(`${watched.server.url}/jars/${files[0]!.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await client.ask(form([{ name: 'again.jar', content }])))!.status).toBe(200);
  });

  it('files of one form', async () => {
    await using watched = await watchedServer('1.20', { passMs: 0 });
    const many = (count: number) => form(Array.from({ length: count }, (_, i) => ({ name: `f${i}.jar`, content: Buffer.from('x') })));
    const [taken] = (await sendRaw(watched.port, many(UPLOAD_LIMITS.files), { expected: 1, quietMs: 20_000 })).answers;
    expect([taken?.status, taken?.body]).toEqual([400, expect.stringContaining(`received ${UPLOAD_LIMITS.files}.`)]);
    const [refused] = (await sendRaw(watched.port, many(UPLOAD_LIMITS.files + 1), { expected: 1, quietMs: 20_000 })).answers;
    expect([refused?.status, refused?.body]).toEqual([500, '{"errors":["File upload failed."]}']);
    expect(readdirSync(watched.server.temporaryDirectory)).toEqual(['flink-web-upload']);
    expect(watched.complaints).toEqual([]);
  });

  it('results of asynchronous operations', async () => {
    await using flink = await smallCluster();
    const { state } = flink.simulation;
    const trigger = async (): Promise<string> => ((await (await fetch(`${flink.url}/savepoint-disposal`, { method: 'POST', body: '{"savepoint-path":"/nope"}' })).json()) as { 'request-id': string })['request-id'];
    const first = await trigger();
    await flink.advanceBy('1 s');
    for (let i = 1; i < MAX_OPERATIONS; i++) state.operations.set(`filler/${i}`, { kind: 'savepoint-disposal' as never, triggerId: `${i}`, jobId: null, startedMs: 0, status: 'COMPLETED', completedMs: 0, result: null });
    expect((await fetch(`${flink.url}/savepoint-disposal/${first}`)).status).toBe(200);
    const events = state.queue.heap.length;
    const next = await trigger();
    expect(state.operations.size).toBe(MAX_OPERATIONS);
    // The oldest has gone, with the event that would have removed it.
    expect((await fetch(`${flink.url}/savepoint-disposal/${first}`)).status).toBe(404);
    expect((await fetch(`${flink.url}/savepoint-disposal/${next}`)).status).toBe(200);
    expect(state.queue.heap.length).toBeLessThanOrEqual(events + 1);
  });

  it('lines of logs', async () => {
    await using flink = await smallCluster({ listen: false });
    const { log } = flink.simulation.state.jobManager;
    for (let i = 0; i < LOG_ENTRY_LIMIT * 2; i++) appendLog(log, i, 'INFO', 'org.example.Logger', `line ${i}`);
    expect(log.entries.length).toBeLessThanOrEqual(LOG_ENTRY_LIMIT);
    expect((await (await flink.fetch('/jobmanager/log')).text()).split('\n').length).toBeLessThanOrEqual(LOG_ENTRY_LIMIT + 1);
  });

  it('bodies in the journal', async () => {
    await using flink = await smallCluster();
    const body = `{"savepoint-path":"${'x'.repeat(60_000)}"}`;
    for (let i = 0; i < 320; i++) await (await fetch(`${flink.url}/savepoint-disposal`, { method: 'POST', body })).text();
    const kept = flink.journal.entries().reduce((sum, entry) => sum + (entry.requestBody?.length ?? 0) + (entry.responseBody?.length ?? 0), 0);
    expect(kept).toBeGreaterThan(JOURNAL_LIMITS.bytes / 2);
    expect(kept).toBeLessThanOrEqual(JOURNAL_LIMITS.bytes);
    await (await fetch(`${flink.url}/savepoint-disposal`, { method: 'POST', body: ' '.repeat(JOURNAL_LIMITS.bodyBytes + 1) })).text();
    expect(flink.journal.entries().at(-1)).toMatchObject({ method: 'POST', requestBody: null });
  });

  it('faults, marks and saved snapshots', async () => {
    await using flink = await smallCluster({ control: true });
    const until = async (allowed: number, add: (index: number) => Promise<{ status: number }>): Promise<number> => {
      for (let i = 0; i < allowed; i++) {
        const { status } = await add(i);
        if (status >= 400) return i;
      }
      return (await add(allowed)).status;
    };
    expect(await until(MAX_HTTP_FAULTS, () => ask(flink.controlUrl, 'POST', '/faults', { path: '/nope', latency: '1 s' }))).toBe(409);
    expect(await until(MARK_LIMITS.marks, (i) => ask(flink.controlUrl, 'POST', '/marks', { name: `m${i}` }))).toBe(409);
    expect(await until(SNAPSHOT_LIMITS.files, (i) => ask(flink.controlUrl, 'POST', '/snapshots', { name: `s${i}` }))).toBe(409);
    expect((await ask(flink.controlUrl, 'GET', '/snapshots')).body.snapshots).toHaveLength(SNAPSHOT_LIMITS.files);
  });
});
