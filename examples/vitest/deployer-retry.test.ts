import { expect, it } from 'vitest';
import { startMockFlink } from 'mock-flink';

/** What is tested: takes a savepoint, and tries again while Flink has no leader. */
async function takeSavepoint(flink: string, jobId: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${flink}/jobs/${jobId}/savepoints`, { method: 'POST', body: JSON.stringify({ 'cancel-job': false }) });
    if (response.ok) return ((await response.json()) as { 'request-id': string })['request-id'];
    if (response.status !== 503 || attempt === 3) throw new Error(`no savepoint: ${response.status}`);
  }
}

it('tries again, three times at most', async () => {
  await using flink = await startMockFlink({ scenario: 'healthy', openAt: '20 s', listen: false });
  using _ = flink.intercept('http://flink:8081');
  const { id } = flink.jobs.list()[0]!;
  flink.faults.add({ path: '/jobs/:jobid/savepoints', method: 'POST', times: 2, unavailable: true });
  expect(await takeSavepoint('http://flink:8081', id)).toMatch(/^[0-9a-f]{32}$/);
  expect(flink.journal.verify({ method: 'POST', path: '/jobs/:jobid/savepoints' }, { exactly: 3 })).toMatchObject({ passed: true });
  flink.faults.add({ path: '/jobs/:jobid/savepoints', unavailable: true });
  await expect(takeSavepoint('http://flink:8081', id)).rejects.toThrow('no savepoint: 503');
});
