import { describe, expect, it } from 'vitest';
import { bpJob } from '../../simulation/fixture.js';
import { startJobs, ZERO } from './job-cluster.js';

const quickly = { rate: 100, us: 10, iv: 0 } as const;

describe('canceling', () => {
  it.each(['1.9.3', '2.3.0'])('ends a job in %s', async (version) => {
    await using cluster = await startJobs(version, [bpJob(quickly)]);
    const [job] = cluster.jobIds;
    expect(await cluster.ask('PATCH', `/jobs/${job!}?mode=CANCEL`)).toEqual({ status: 202, json: {} });
    await cluster.advance(1);
    const details = await cluster.get(`/jobs/${job!}`);
    expect(details['state']).toBe('CANCELED');
    expect(details['timestamps'].CANCELED).toBe(details['end-time']);
    expect(details['vertices'].map((vertex: { status: string }) => vertex.status)).toEqual(['CANCELED', 'CANCELED', 'CANCELED', 'CANCELED']);
    expect((await cluster.get(`/jobs/${job!}/execution-result`))['job-execution-result']['application-status']).toBe('CANCELED');
  });

  it.each(['yarn-cancel', 'yarn-stop'])('works with GET for proxies: %s', async (word) => {
    await using cluster = await startJobs('1.20.5', [bpJob(quickly)]);
    const { status } = await cluster.ask('GET', `/jobs/${cluster.jobIds[0]!}/${word}`);
    expect(status).toBe(word === 'yarn-cancel' ? 202 : 308);
  });

  it.each([
    ['1.14.6', 404, 404],
    ['1.15.4', 202, 409],
    ['2.3.0', 202, 409],
  ])('an ended job in %s is answered %i when it was canceled, %i when it failed', async (version, ofCanceled, ofFailed) => {
    const jobs = [bpJob(quickly), bpJob({ ...quickly, p: 1, fail: 10, restartStrategy: { kind: 'none' } })];
    await using cluster = await startJobs(version, jobs);
    const [canceled, failed] = cluster.jobIds;
    await cluster.ask('PATCH', `/jobs/${canceled!}`);
    await cluster.advance(3);
    expect((await cluster.ask('PATCH', `/jobs/${canceled!}`)).status).toBe(ofCanceled);
    const answer = await cluster.ask('PATCH', `/jobs/${failed!}`);
    expect(answer.status).toBe(ofFailed);
    if (ofFailed === 409) expect(answer.json['errors'][0]).toContain('Job cancellation failed because the job has already reached another terminal state (FAILED).');
    expect((await cluster.ask('PATCH', `/jobs/${ZERO}`)).status).toBe(404);
  });
});
