import { describe, expect, it } from 'vitest';
import { parseFleet } from '../../src/fleet/load-fleet.js';
import { startServer } from '../../src/server/start-server.js';
import { aFleet, ask, FLEET_FILE, json } from './a-fleet.js';

const FLEET = "defaults: { scenario: ./two-jobs.yaml }\nclusters:\n  - { name: 'team-{n}', count: 2, seed: 11 }\n  - { name: old, flinkVersion: 1.12, scenario: hot-key, openAt: 3 min }\n";

/** Every kind of answer that comes from the simulated state. */
async function answers(base: string): Promise<string[]> {
  const got: string[] = [];
  const get = async (target: string): Promise<unknown> => {
    const { status, body } = await ask(`${base}${target}`);
    got.push(`${target} ${status} ${body}`);
    return target.endsWith('/log') ? null : (JSON.parse(body) as unknown);
  };
  await get('/overview');
  await get('/jobmanager/metrics?get=Status.JVM.Memory.Heap.Used,numRunningJobs');
  await get('/jobmanager/log');
  const { taskmanagers } = (await get('/taskmanagers')) as { taskmanagers: { id: string }[] };
  for (const { id } of taskmanagers) await get(`/taskmanagers/${id}`);
  const { jobs } = (await get('/jobs/overview')) as { jobs: { jid: string }[] };
  for (const { jid } of jobs) {
    const { vertices } = (await get(`/jobs/${jid}`)) as { vertices: { id: string }[] };
    await get(`/jobs/${jid}/checkpoints`);
    for (const { id } of vertices) {
      await get(`/jobs/${jid}/vertices/${id}`);
      await get(`/jobs/${jid}/vertices/${id}/backpressure`);
      await get(`/jobs/${jid}/vertices/${id}/metrics?get=0.numRecordsOut,0.numRecordsInPerSecond`);
    }
  }
  return got;
}

const advance = (url: string, advanceMs: number) => json(`${url}/_fleet/clock`, { method: 'POST', body: { advanceMs } });

describe('a cluster of a fleet', () => {
  it('answers as the same cluster alone does, byte for byte', async () => {
    await using running = await aFleet(FLEET);
    const { clusters, scenarios } = parseFleet(FLEET, FLEET_FILE);
    for (const definition of clusters) {
      const { model, openAtMs, scenario } = scenarios.inputOf(definition, null, 8081);
      await using alone = await startServer({ model, openAtMs, httpFaults: scenario.httpFaults, port: 0, clock: { mode: 'manual' } });
      await alone.advanceBy(95_300);
      const base = `${running.url}/clusters/${definition.name}`;
      if (definition === clusters[0]) await advance(running.url, 95_300);
      expect(await answers(base)).toEqual(await answers(alone.url));
    }
  });

  it('is the same whether it was left alone or looked after all the time', async () => {
    await using left = await aFleet(FLEET);
    await using watched = await aFleet(FLEET);
    for (let i = 0; i < 60; i++) {
      await advance(watched.url, 1_733);
      for (const cluster of watched.fleet.list()) while (!cluster.advance()) await new Promise(setImmediate);
    }
    await advance(left.url, 60 * 1_733);
    for (const name of ['team-1', 'team-2', 'old']) expect(await answers(`${left.url}/clusters/${name}`)).toEqual(await answers(`${watched.url}/clusters/${name}`));
  });

  it('is moved in the background when nobody asks', async () => {
    await using running = await aFleet(FLEET, { clock: 'real', startTimeMs: Date.parse('2024-05-01T00:00:00Z') });
    await expect.poll(async () => (await ask(`${running.url}/_fleet/ready`)).status, { timeout: 30_000 }).toBe(200);
    const { simulation } = running.fleet.get('team-2');
    const { nowMs } = simulation;
    expect(nowMs).toBeGreaterThanOrEqual(Date.parse('2024-05-01T00:00:00Z'));
    await expect.poll(() => simulation.nowMs, { timeout: 30_000 }).toBeGreaterThan(nowMs);
  });

  it('is of now when it is asked, however long nobody did', async () => {
    await using running = await aFleet(FLEET);
    await advance(running.url, 30 * 60_000);
    const { jobs } = await json<{ jobs: { duration: number }[] }>(`${running.url}/clusters/team-2/jobs/overview`);
    // Two minutes of history, and the way from the submission.
    expect(jobs[0]!.duration).toBeGreaterThan(31 * 60_000);
  });

  it('opens when it is asked first, before its turn', async () => {
    const many = FLEET.replace('count: 2', 'count: 150');
    await using running = await aFleet(many, { clock: 'real', startTimeMs: Date.parse('2024-05-01T00:00:00Z') });
    expect(await json(`${running.url}/clusters/team-150/overview`)).toMatchObject({ 'jobs-running': 2 });
    expect(running.fleet.get('team-150').status).toBe('running');
  });
});

describe('the clock of a fleet', () => {
  const OPENS = Date.parse('2024-05-01T12:00:00Z');

  it('shows what it would had it run since an instant of the wall', async () => {
    const sinceMs = Date.now() - 120_000;
    await using running = await aFleet("defaults: { scenario: empty }\nclusters: [{ name: a }, { name: fast, speed: 10 }]", { clock: 'real', startTimeMs: OPENS, sinceMs });
    for (const [name, speed] of [['a', 1], ['fast', 10]] as const) {
      const { nowMs } = await json<{ nowMs: number }>(`${running.url}/clusters/${name}/_mock/clock`);
      expect(nowMs).toBeGreaterThanOrEqual(OPENS + 120_000 * speed);
      expect(nowMs).toBeLessThanOrEqual(OPENS + (Date.now() - sinceMs) * speed);
    }
  });

  it('is held for all, and moved for all, one by one or together', async () => {
    await using running = await aFleet('defaults: { scenario: empty }\nclusters: [{ name: a }, { name: b }]', { startTimeMs: OPENS });
    const now = async (name: string) => (await json<{ nowMs: number }>(`${running.url}/clusters/${name}/_mock/clock`)).nowMs;
    expect([await now('a'), await now('b')]).toEqual([OPENS, OPENS]);
    await json(`${running.url}/clusters/b/_mock/clock`, { method: 'POST', body: { advanceMs: 500 } });
    await advance(running.url, 1_000);
    expect([await now('a'), await now('b')]).toEqual([OPENS + 1_000, OPENS + 1_500]);
  });

  it('is not moved by hand where it runs', async () => {
    await using running = await aFleet('clusters: [{ name: a, scenario: empty }]', { clock: 'real', startTimeMs: OPENS });
    expect(await ask(`${running.url}/_fleet/clock`, { method: 'POST', body: { advanceMs: 1 } })).toMatchObject({ status: 409 });
  });
});
