import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

// https://github.com/apache/incubator-streampark/issues/1244
it.each(['1.9.3', '1.15.4', '2.3.0'])('a savepoint that failed is a 200, completed, with a cause and without location; one of an unknown job too (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const trigger = await cluster.ask('POST', `/jobs/${ZERO}/savepoints`, { 'cancel-job': false });
  expect(trigger.status).toBe(202);
  await cluster.advance(2);
  const answer = await cluster.get(`/jobs/${ZERO}/savepoints/${trigger.json['request-id'] as string}`);
  expect(answer['status']).toEqual({ id: 'COMPLETED' });
  expect(Object.keys(answer['operation'] as object)).toEqual(['failure-cause']);
  expect(answer['operation']['failure-cause']).toMatchObject({ class: expect.any(String) as string, 'stack-trace': expect.stringContaining('FlinkJobNotFoundException') as string });
  const other = await cluster.ask('GET', `/jobs/${cluster.jobIds[0]!}/savepoints/${trigger.json['request-id'] as string}`);
  expect(other.status).toBe(404);
});
