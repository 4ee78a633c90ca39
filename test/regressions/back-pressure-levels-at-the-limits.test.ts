import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '1.13.6', '1.20.5'])('levels follow from the ratios told: up to 0.1 ok, up to 0.5 low, above high (%s)', async (version) => {
  const jobs = [100, 480, 520, 600, 5000].map((rate) => bpJob({ name: `rate ${rate}`, rate, us: 2000, p: 1 }));
  await using cluster = await startJobs(version, jobs);
  const levels = new Set<string>();
  for (const round of [0, 1]) {
    for (const job of cluster.jobIds) {
      for (const vertex of [BP_VERTICES.source, BP_VERTICES.parse]) {
        const answer = await cluster.get(`/jobs/${job}/vertices/${vertex}/backpressure`);
        if (round === 0) continue;
        for (const subtask of answer['subtasks'] as Record<string, unknown>[]) {
          const ratio = subtask['ratio'] as number;
          const level = (subtask['backpressure-level'] ?? subtask['backpressureLevel']) as string;
          levels.add(level);
          expect([ratio, level]).toEqual([ratio, ratio <= 0.1 ? 'ok' : ratio <= 0.5 ? 'low' : 'high']);
        }
      }
    }
    await cluster.advance(60);
  }
  expect([...levels]).toEqual(expect.arrayContaining(['ok', 'high']));
});
