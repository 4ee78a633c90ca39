import { describe, expect, it } from 'vitest';
import { bpJob, BP_VERTICES, twoTaskManagers } from '../../simulation/fixture.js';
import { startJobs, ZERO, type JobCluster } from './job-cluster.js';

const bounds = (lowerBound: number, upperBound: number) => ({ parallelism: { lowerBound, upperBound } });

function requirements(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...Object.fromEntries(Object.values(BP_VERTICES).map((id) => [id, bounds(1, 2)])), ...overrides };
}

async function startAdaptive(version = '1.20.5'): Promise<JobCluster> {
  return startJobs(version, [bpJob({ rate: 200, us: 10, iv: 1000 })], 10, { options: { ...twoTaskManagers(version).options, 'jobmanager.scheduler': 'adaptive' } });
}

async function parallelisms(cluster: JobCluster): Promise<number[]> {
  return (await cluster.get(`/jobs/${cluster.jobIds[0]!}`))['vertices'].map((vertex: { parallelism: number }) => vertex.parallelism);
}

describe('resource requirements', () => {
  it('change the parallelism of single vertices', async () => {
    await using cluster = await startAdaptive();
    const path = `/jobs/${cluster.jobIds[0]!}/resource-requirements`;
    expect(await cluster.get(path)).toEqual(requirements());
    const wanted = requirements({ [BP_VERTICES.enrich]: bounds(1, 4) });
    expect(await cluster.ask('PUT', path, wanted)).toEqual({ status: 200, json: {} });
    expect(await cluster.get(path)).toEqual(wanted);
    // The cooldown of 30 s is counted from the job's start; then the next checkpoint is waited for.
    await cluster.advance(45);
    expect(await parallelisms(cluster)).toEqual([2, 2, 4, 2]);
    const details = await cluster.get(`/jobs/${cluster.jobIds[0]!}`);
    expect(details['state']).toBe('RUNNING');
    // It went on from a checkpoint.
    expect((await cluster.get(`/jobs/${cluster.jobIds[0]!}/checkpoints`))['counts'].restored).toBe(1);
  });

  it('are met as far as there are slots, or not at all', async () => {
    await using cluster = await startAdaptive();
    const path = `/jobs/${cluster.jobIds[0]!}/resource-requirements`;
    await cluster.ask('PUT', path, requirements({ [BP_VERTICES.enrich]: bounds(1, 100) }));
    // Not all that is wanted: resources must have been stable for a minute.
    await cluster.advance(110);
    expect(await parallelisms(cluster)).toEqual([2, 2, 8, 2]);
    await cluster.ask('PUT', path, requirements({ [BP_VERTICES.parse]: bounds(9, 9) }));
    await cluster.advance(110);
    expect(await parallelisms(cluster)).toEqual([2, 2, 8, 2]);
  });

  it('are checked', async () => {
    await using cluster = await startAdaptive();
    const path = `/jobs/${cluster.jobIds[0]!}/resource-requirements`;
    const texts = async (body: unknown) => {
      const { status, json } = await cluster.ask('PUT', path, body);
      expect(status).toBe(400);
      return json['errors'][0] as string;
    };
    expect(await texts(requirements({ [ZERO]: bounds(1, 1) }))).toContain(`Job vertex [${ZERO}] was not found in the JobGraph.`);
    expect(await texts(requirements({ [BP_VERTICES.sink]: bounds(3, 2) }))).toContain(`The requested lower bound [3] for job vertex [${BP_VERTICES.sink}] is higher than the upper bound [2].`);
    expect(await texts(requirements({ [BP_VERTICES.sink]: bounds(1, 129) }))).toContain('exceeds its maximum parallelism 128.');
    expect(await texts({ [BP_VERTICES.sink]: bounds(1, 1) })).toContain(`The request is incomplete, missing job vertex [${BP_VERTICES.source}] resource requirements.`);
  });

  it('are of the adaptive scheduler only', async () => {
    await using cluster = await startJobs('2.3.0', [bpJob({ rate: 200, us: 10 })], 5);
    const path = `/jobs/${cluster.jobIds[0]!}/resource-requirements`;
    for (const method of ['GET', 'PUT'] as const) {
      const { status, json } = await cluster.ask(method, path, method === 'PUT' ? requirements() : undefined);
      expect(status).toBe(500);
      expect(json['errors'][1]).toContain('The DefaultScheduler does not support changing the parallelism without a job restart.');
    }
  });
});
