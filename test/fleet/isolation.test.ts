import { describe, expect, it } from 'vitest';
import { aFleet, ask, json } from './a-fleet.js';

const FLEET = "defaults: { scenario: ./two-jobs.yaml }\nclusters:\n  - { name: 'team-{n}', count: 3, seed: 1 }\n";

describe('what happens in one cluster', () => {
  it('does not show in another: an HTTP fault', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    const before = (await ask(`${base}/team-2/jobs/overview`)).body;
    await json(`${base}/team-1/_mock/faults`, { method: 'POST', body: { path: '/**', error: { status: 500 } } });
    expect((await ask(`${base}/team-1/jobs/overview`)).status).toBe(500);
    expect(await ask(`${base}/team-2/jobs/overview`)).toMatchObject({ status: 200, body: before });
    expect(await json(`${base}/team-2/_mock/faults`)).toEqual({ faults: [] });
  });

  it('does not show in another: a job cancelled through Flink’s API', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    const { jobs } = await json<{ jobs: { jid: string }[] }>(`${base}/team-1/jobs/overview`);
    expect((await ask(`${base}/team-1/jobs/${jobs[0]!.jid}`, { method: 'PATCH' })).status).toBe(202);
    await json(`${running.url}/_fleet/clock`, { method: 'POST', body: { advanceMs: 10_000 } });
    expect(await json(`${base}/team-1/overview`)).toMatchObject({ 'jobs-running': 1, 'jobs-cancelled': 1 });
    expect(await json(`${base}/team-2/overview`)).toMatchObject({ 'jobs-running': 2, 'jobs-cancelled': 0 });
  });

  it('does not show in another: its journal, its clock, its snapshots', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    await json(`${base}/team-1/config`);
    const journal = (name: string) => json<{ requests: { target: string }[] }>(`${base}/${name}/_mock/journal`);
    expect((await journal('team-1')).requests.map(({ target }) => target)).toEqual(['/config']);
    expect((await journal('team-2')).requests).toEqual([]);
    const clock = (name: string) => json<{ nowMs: number }>(`${base}/${name}/_mock/clock`);
    const { nowMs } = await clock('team-1');
    await json(`${base}/team-1/_mock/clock`, { method: 'POST', body: { advanceMs: 60_000 } });
    expect((await clock('team-1')).nowMs).toBe(nowMs + 60_000);
    expect((await clock('team-2')).nowMs).toBe(nowMs);
    await json(`${base}/team-1/_mock/reset`, { method: 'POST', body: {} });
    expect((await clock('team-1')).nowMs).toBe(nowMs);
  });

  it('a job manager that is down is answered for as a proxy does, and comes back', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    await json(`${base}/team-1/_mock/events`, { method: 'POST', body: { crashJobManager: { restartAfter: '20 s' } } });
    const answer = await ask(`${base}/team-1/overview`);
    expect(answer).toMatchObject({ status: 502, body: '{"errors":["the cluster team-1 refuses connections"]}' });
    expect((await ask(`${base}/team-2/overview`)).status).toBe(200);
    expect((await ask(`${base}/team-1/_mock/health`)).status).toBe(200);
    await json(`${running.url}/_fleet/clock`, { method: 'POST', body: { advanceMs: 120_000 } });
    expect((await ask(`${base}/team-1/overview`)).status).toBe(200);
  });

  it('an exception in its simulation stops it alone, and is told', async () => {
    const logged: string[] = [];
    const { pino } = await import('pino');
    await using running = await aFleet(FLEET, { logger: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }) });
    const base = `${running.url}/clusters`;
    running.fleet.get('team-2').simulation.advanceTo = () => {
      throw new Error('a defect of the simulation');
    };
    await json(`${running.url}/_fleet/clock`, { method: 'POST', body: { advanceMs: 5_000 } });
    const text = 'the cluster team-2 failed and stands still: a defect of the simulation';
    expect(await ask(`${base}/team-2/jobs/overview`)).toMatchObject({ status: 503, body: JSON.stringify({ errors: [text] }) });
    expect((await ask(`${base}/team-2/_mock/state`)).status).toBe(503);
    expect((await ask(`${base}/team-1/jobs/overview`)).status).toBe(200);
    expect((await ask(`${base}/team-3/jobs/overview`)).status).toBe(200);
    expect(await json(`${running.url}/_fleet/health`)).toMatchObject({ status: 'degraded', failed: 1 });
    expect(await json(`${running.url}/_fleet/clusters/team-2`)).toMatchObject({ status: 'failed', failure: 'a defect of the simulation' });
    expect(logged.filter((line) => line.includes('a defect of the simulation'))).toHaveLength(1);
    await ask(`${running.url}/_fleet/clusters/team-2`, { method: 'DELETE' });
    await json(`${running.url}/_fleet/clusters`, { method: 'POST', body: { name: 'team-2' } });
    expect((await ask(`${base}/team-2/jobs/overview`)).status).toBe(200);
    expect(await json(`${running.url}/_fleet/health`)).toMatchObject({ failed: 0 });
  });

  it('an exception while it opens stops it alone, too', async () => {
    await using running = await aFleet(FLEET, { clock: 'real' });
    running.fleet.get('team-1').simulation.advanceTo = () => {
      throw new Error('a defect from the start');
    };
    await expect.poll(async () => (await json(`${running.url}/_fleet/health`))['running'], { timeout: 20_000 }).toBe(2);
    expect((await ask(`${running.url}/_fleet/ready`)).status).toBe(200);
    expect((await ask(`${running.url}/clusters/team-1/overview`)).status).toBe(503);
  });

  it('a cluster that is shut down through Flink’s API is gone, and the others are not', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    expect((await ask(`${base}/team-1/cluster`, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(async () => (await ask(`${base}/team-1/overview`)).status).toBe(404);
    expect((await ask(`${base}/team-2/overview`)).status).toBe(200);
    expect(await json(`${running.url}/_fleet/health`)).toMatchObject({ clusters: 2 });
  });

  it('an upload is seen by its own cluster only', async () => {
    await using running = await aFleet(FLEET);
    const base = `${running.url}/clusters`;
    const form = new FormData();
    form.set('jarfile', new Blob(['PK\u0005\u0006' + '\0'.repeat(18)]), 'job.jar');
    expect((await fetch(`${base}/team-1/jars/upload`, { method: 'POST', body: form })).status).toBe(200);
    const jars = (name: string) => json<{ address: string; files: { name: string }[] }>(`${base}/${name}/jars`);
    expect((await jars('team-1')).files.map(({ name }) => name)).toEqual(['job.jar']);
    expect((await jars('team-1')).address).toBe(`${base}/team-1`);
    expect((await jars('team-2')).files).toEqual([]);
  });
});
