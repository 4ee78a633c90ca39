// With Node's own test runner: node --test examples/node-test/
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlClient, startMockFlink } from 'mock-flink';

/** What is tested: a monitor that names the jobs that do not run. */
async function troubledJobs(flink) {
  const { jobs } = await (await fetch(`${flink}/jobs/overview`)).json();
  return jobs.filter(({ state }) => state !== 'RUNNING').map(({ name }) => name);
}

test('a job that restarts is in trouble, until it runs again', async () => {
  const flink = await startMockFlink({ scenario: 'slow-sink', openAt: '30 s' });
  try {
    assert.deepEqual(await troubledJobs(flink.url), []);
    const [job] = flink.jobs.list();
    flink.events.apply({ failSubtask: { operator: 'Enrich' } });
    await flink.advanceUntil({ jobStatus: { job: job.id, status: 'RESTARTING' } });
    assert.deepEqual(await troubledJobs(flink.url), [job.name]);
    await flink.advanceUntil({ allTasksRunning: { job: job.id } });
    assert.deepEqual(await troubledJobs(flink.url), []);
  } finally {
    await flink.close();
  }
});

test('a monitor in another process is served, and the control API with it', async () => {
  const flink = await startMockFlink({ scenario: 'slow-sink', openAt: 0, control: { token: 'secret' } });
  try {
    const client = new ControlClient(flink.controlUrl, { token: 'secret' });
    assert.equal((await client.clock.advanceUntil({ taskManagers: { count: flink.cluster.taskManagers } })).met, true);
    await client.faults.add({ path: '/jobs/overview', times: 1, error: { status: 502 } });
    assert.equal((await fetch(`${flink.url}/jobs/overview`)).status, 502);
    assert.equal(await client.journal.count({ path: '/jobs/overview', status: 502 }), 1);
    const file = await client.history.snapshot();
    await client.clock.advanceBy(60_000);
    await client.history.restore(file);
  } finally {
    await flink.close();
  }
});
