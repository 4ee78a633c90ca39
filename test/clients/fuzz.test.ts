import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { installSchemathesis } from './install/schemathesis.js';
import { run, tryInstall } from './install/tools.js';
import { playHeaderJobs, type Context } from './support/header-contexts.js';
import { MockCluster, type Json } from './support/mock-cluster.js';

/** Requests tried for each operation; a long run takes more. */
const EXAMPLES = process.env['FUZZ_EXAMPLES'] ?? '12';
/** Checks of schemathesis; 500s are looked at here, as Flink has some of its own. */
const CHECKS = 'response_schema_conformance,content_type_conformance,response_headers_conformance';

/** What a real cluster answers with 500 or 503 (recorded, or asked for this), by the exception it tells. */
const FLINKS_OWN: readonly { readonly path: RegExp; readonly exception: string }[] = [
  { path: /^\/jobs\/[^/]+\/(status|resource-requirements|coordinators\/.*)$/, exception: 'messages.FlinkJobNotFoundException' },
  { path: /^\/jobs\/[^/]+\/resource-requirements$/, exception: 'java.lang.UnsupportedOperationException' },
  { path: /\/backpressure$/, exception: 'messages.FlinkJobNotFoundException' },
  { path: /\/backpressure$/, exception: 'org.apache.flink.util.FlinkException: JobVertexID not found' },
  { path: /^\/taskmanagers\/[^/]+(\/thread-dump|\/profiler|\/log|\/stdout|\/logs\/.*)?$/, exception: 'UnknownTaskExecutorException' },
  { path: /^\/taskmanagers\/[^/]+\/profiler\/.*$/, exception: 'does not exist on the TaskExecutor' },
  { path: /^\/jars\/[^/]+\/(plan|run|run-application)$/, exception: 'java.util.concurrent.CompletionException' },
  { path: /^\/jars\/[^/]+\/(plan|run)$/, exception: 'ProgramInvocationException' },
  { path: /^\/jars\/[^/]+\/run$/, exception: 'JobSubmissionException' },
  { path: /^\/applications\/[^/]+(\/exceptions)?$/, exception: 'FlinkApplicationNotFoundException' },
  { path: /^\/jobs\/[^/]+\/exceptions$/, exception: 'java.lang.IllegalArgumentException' },
  { path: /^\/jobs\/[^/]+\/checkpoints$/, exception: 'java.lang.IllegalStateException' },
  { path: /^\/jobs\/[^/]+\/rescaling(\/.*)?$/, exception: 'Rescaling is temporarily disabled. See FLINK-12312.' },
];

let cluster: MockCluster | undefined;
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The document, with identifiers that exist beside those that the fuzzer makes up. */
function withKnownIds(document: Json, contexts: readonly Context[]): Json {
  const known: Record<string, Set<string>> = {};
  for (const context of contexts) for (const [key, value] of Object.entries(context)) (known[key] ??= new Set()).add(value);
  for (const item of Object.values(document['paths'] as Record<string, Json>)) {
    for (const operation of Object.values(item) as Json[]) {
      for (const parameter of (operation['parameters'] ?? []) as Json[]) {
        const values = [...(known[parameter['name']] ?? [])];
        if (parameter['in'] !== 'path' || values.length === 0) continue;
        const example = parameter['schema'].type === 'integer' ? values.map(Number) : values;
        parameter['schema'] = { anyOf: [{ enum: example }, parameter['schema']] };
      }
    }
  }
  return document;
}

describe.each(['2.3', '1.20', '1.9'])('the OpenAPI document of %s', (minor) => {
  test('fuzzed, finds no answer outside its schema and no 500 but those of a real cluster', async (context) => {
    const schemathesis = await tryInstall('schemathesis', installSchemathesis);
    if ('skipped' in schemathesis) return context.skip(schemathesis.skipped);
    cluster = await MockCluster.start(minor, ['--scenario', 'recorded-script', '--clock', 'manual']);
    const contexts = await playHeaderJobs(cluster);
    const document = JSON.parse(readFileSync(new URL(`../../openapi/flink-${minor}.json`, import.meta.url), 'utf8'));
    const file = path.join(folder, 'openapi.json');
    const har = path.join(folder, 'fuzz.har');
    writeFileSync(file, JSON.stringify(withKnownIds(document, contexts)));
    const { code, stdout } = await run(
      schemathesis.value,
      ['run', file, '--url', cluster.url, '--checks', CHECKS, '--max-examples', EXAMPLES, '--phases', 'examples,fuzzing', '--generation-deterministic', '--suppress-health-check', 'all', '--no-shrink',
        // it would end the process, as it ends Flink's
        '--exclude-operation-id', 'deleteCluster', '--continue-on-failure', '--report-har-path', har, '--request-timeout', '20', '--no-color'],
      { cwd: folder, timeoutMs: 580_000 },
    );
    expect(code, stdout.slice(0, 12_000)).toBe(0);
    const entries = JSON.parse(readFileSync(har, 'utf8')).log.entries as Json[];
    expect(entries.length).toBeGreaterThan(500);
    const odd = entries.filter(({ request, response }) => response.status >= 500 && !isFlinksOwn(request, response));
    expect(odd.map(({ request, response }) => `${request.method} ${request.url} ${response.status} ${String(response.content.text).slice(0, 300)}`)).toEqual([]);
    expect((await fetch(`${cluster.url}/overview`)).status).toBe(200);
  }, 600_000);
});

function isFlinksOwn(request: Json, response: Json): boolean {
  const text = String(response['content'].text);
  const url = new URL(request['url']).pathname.replace(/^\/v1/, '');
  // no handler can be given a body `null`
  if (String(request['postData']?.text).trim() === 'null' && text.includes('java.lang.NullPointerException')) return true;
  return FLINKS_OWN.some(({ path, exception }) => path.test(url) && text.includes(exception));
}
