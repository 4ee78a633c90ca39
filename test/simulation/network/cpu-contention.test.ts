import { describe, expect, it } from 'vitest';
import { JobRun, edge, generator, jobModel, operator, vertex } from '../../physics/harness.js';

/** Four tasks one behind the other, 1 ms of work a record in each, all on a task manager of so many cores. */
function run(recordsPerSecond: number, cores: number | null, seconds = 60): JobRun {
  const names = ['a', 'b', 'c'];
  const model = jobModel(
    [
      vertex('source', 1, [operator({ id: 'source', kind: 'source', serviceTimeUs: 1000, source: generator(recordsPerSecond) })]),
      ...names.map((name, i) => vertex(name, 1, [operator({ id: name, serviceTimeUs: 1000, selectivity: i === 2 ? 0 : 1 })])),
    ],
    names.map((name, i) => edge(['source', ...names][i], name, 'FORWARD')),
  );
  const job = new JobRun(model, { placement: () => 'tm', ...(cores === null ? {} : { cores }) });
  job.advanceTo(seconds * 1000);
  return job;
}

const rate = (job: JobRun): number => {
  const before = job.job.vertices[3].columns.numRecordsIn[0];
  job.advanceTo(job.elapsedMs + 20_000);
  return (job.job.vertices[3].columns.numRecordsIn[0] - before) / 20;
};

describe('busy subtasks on one task manager', () => {
  it('do not slow each other down unless the scenario says so', () => {
    expect(rate(run(900, null))).toBeCloseTo(900, 0);
  });

  it('share its cores: four that could do 1000 records/s each do 500 on two', () => {
    const throughput = rate(run(2000, 2));
    expect(throughput).toBeGreaterThan(480);
    expect(throughput).toBeLessThan(520);
  });

  it('are busy for longer, with the same records, when the cores suffice only just', () => {
    const job = run(450, 2);
    expect(rate(job)).toBeCloseTo(450, 0);
    const busy = job.job.vertices.reduce((sum, { columns }) => sum + columns.busyShare[0], 0);
    expect(busy).toBeGreaterThanOrEqual(4 * 0.45 - 0.01);
    expect(rate(run(450, 4))).toBeCloseTo(450, 0);
  });

  it('have the cores to themselves on task managers of their own', () => {
    expect(rate(run(900, 4))).toBeCloseTo(900, 0);
  });
});
