import { expect, it } from 'vitest';
import { startMockFlink } from 'mock-flink';

/** What is tested: a dashboard's line about the jobs. */
async function jobsLine(flink: string): Promise<string> {
  try {
    const response = await fetch(`${flink}/jobs/overview`, { signal: AbortSignal.timeout(1_000) });
    if (!response.ok) return `Flink answers ${response.status}`;
    const { jobs } = (await response.json()) as { jobs: { state: string }[] };
    return jobs.every(({ state }) => state === 'RUNNING') ? 'all jobs run' : 'some jobs do not run';
  } catch (error) {
    return error instanceof SyntaxError ? 'Flink answers nonsense' : 'Flink does not answer';
  }
}

it('has a word for every way in which Flink can fail', async () => {
  await using flink = await startMockFlink({ scenario: 'healthy', openAt: '20 s' });
  expect(await jobsLine(flink.url)).toBe('all jobs run');
  for (const [fault, line] of [
    [{ unavailable: true }, 'Flink answers 503'],
    [{ body: 'truncated' }, 'Flink answers nonsense'],
    [{ connection: 'hang' }, 'Flink does not answer'],
    [{ connection: 'reset' }, 'Flink does not answer'],
    [{ override: { '/jobs/0/state': 'FAILED' } }, 'some jobs do not run'],
  ] as const) {
    flink.faults.add(fault);
    expect(await jobsLine(flink.url)).toBe(line);
    flink.faults.clear();
  }
});
