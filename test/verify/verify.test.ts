import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startMockFlink } from '../../src/library/start-mock-flink.js';
import { InProcessClient } from '../../src/recorder/in-process-client.js';
import type { Answer, RestClient } from '../../src/recorder/rest-client.js';
import { ReplayClient, readTraffic } from '../../src/recorder/traffic.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { isAlike, jsonReport, textReport } from '../../src/verify/report.js';
import { verify, type Verification } from '../../src/verify/verify.js';

const OPTIONS = { scenario: null, version: null, watchMs: 15_000, signal: new AbortController().signal };

/** Every answer that a real cluster of the version, with the overload job of the physics runs, gave to verify. */
function realCluster(version: string): RestClient {
  return new ReplayClient(readTraffic(readFileSync(new URL(`fixtures/${version}.json.gz`, import.meta.url))));
}

/** Changes the JSON of answers on their way. */
function changed(client: RestClient, path: RegExp, change: (json: any) => unknown, answerChange: Partial<Answer> = {}): RestClient {
  return {
    get: async (asked, mostBytes) => {
      const answer = await client.get(asked, mostBytes);
      return path.test(asked) ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))), ...answerChange } : answer;
    },
    sleep: (ms, signal) => client.sleep(ms, signal),
    now: () => client.now(),
  };
}

const differing = ({ steps }: Verification) => steps.filter(({ differences }) => differences.length > 0).map(({ step, differences }) => [step, differences]);

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('a real cluster of Flink %s', (version) => {
  it('is answered alike in all that it was asked', { timeout: 60_000 }, async () => {
    const verification = await verify(realCluster(version), OPTIONS);
    expect(differing(verification)).toEqual([]);
    expect(verification).toMatchObject({ flinkVersion: version, comparedWith: version, isKnownVersion: true });
    expect(verification.requests).toBeGreaterThan(100);
    const compared = verification.steps.filter(({ notCompared }) => notCompared.length === 0);
    expect(compared.length).toBeGreaterThan(0.9 * verification.steps.length);
  });
});

describe('what differs', () => {
  it.each([
    ['a missing field', /^\/overview$/, (json: any) => ({ ...json, 'slots-broken': 0 }), ['GET /overview', ['missing field .slots-broken']]],
    ['an extra field', /^\/jobs\/overview$/, (json: any) => ({ jobs: json.jobs.map(({ duration: _, ...job }: any) => job) }), ['GET /jobs/overview', ['extra field .jobs[].duration']]],
    ['another type', /^\/taskmanagers$/, (json: any) => ({ taskmanagers: json.taskmanagers.map((one: any) => ({ ...one, freeSlots: [] })) }), ['GET /taskmanagers', ['.taskmanagers[].freeSlots is number, not array']]],
    ['a metric', /^\/taskmanagers\/[^/]+\/metrics$/, (json: any) => [...json, { id: 'Status.New' }], ['GET /taskmanagers/:taskmanagerid/metrics', [expect.stringMatching(/1 of \d+ metrics missing: Status\.New/)]]],
  ])('%s is told with its place', { timeout: 60_000 }, async (_, path, change, difference) => {
    const verification = await verify(changed(realCluster('1.20.5'), path, change), OPTIONS);
    expect(differing(verification)).toEqual([difference]);
    expect(isAlike(verification)).toBe(false);
    expect(textReport(verification)).toContain(`1 of ${verification.steps.length} differ.`);
    expect(JSON.parse(jsonReport(verification))).toMatchObject({ alike: false, comparedWith: '1.20.5' });
  });

  it('a status and a content type are told', { timeout: 60_000 }, async () => {
    const status = await verify(changed(realCluster('1.20.5'), /^\/datasets$/, (json) => json, { status: 202 }), OPTIONS);
    expect(differing(status)).toEqual([['GET /datasets', ['status 200, not 202']]]);
    const type = await verify(changed(realCluster('1.20.5'), /^\/datasets$/, (json) => json, { contentType: 'text/plain' }), OPTIONS);
    expect(differing(type)).toEqual([['GET /datasets', ['content type application/json;charset=utf-8, not text/plain']]]);
  });
});

describe('a cluster of another version', () => {
  it('that nobody knows yet is compared with the nearest', { timeout: 60_000 }, async () => {
    const verification = await verify(changed(realCluster('2.3.0'), /^\/config$/, (json) => ({ ...json, 'flink-version': '2.9.1' })), OPTIONS);
    expect(verification).toMatchObject({ flinkVersion: '2.9.1', comparedWith: '2.3.0', isKnownVersion: false });
    expect(textReport(verification)).toContain('which mock-flink does not know');
  });

  it('differs from the one that it was compared with', { timeout: 60_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'hot-key', flinkVersion: '1.20', listen: false });
    const verification = await verify(new InProcessClient(flink), { ...OPTIONS, version: parseFlinkVersion('1.13') });
    expect(differing(verification)).toContainEqual(['GET /config', expect.arrayContaining(['missing field .features.web-history'])]);
  });
});

describe('a cluster without a job', () => {
  it('is asked about itself', { timeout: 60_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'empty', flinkVersion: '1.17', listen: false });
    const verification = await verify(new InProcessClient(flink), OPTIONS);
    expect(differing(verification)).toEqual([]);
    expect(verification.job).toBeNull();
    expect(textReport(verification)).toContain('no job runs');
  });
});
