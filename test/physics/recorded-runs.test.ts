import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareModes, compareRun } from './comparison.js';
import { knownMisses } from './known-misses.js';
import { readRecording } from './recording.js';

const folder = dirname(fileURLToPath(import.meta.url));
const recordings = readdirSync(folder).filter((name) => name.endsWith('.json.gz')).sort().map((name) => readRecording(join(folder, name)));

describe('the simulation behaves as the recorded cluster did', () => {
  const runs = recordings.map((recording) => compareRun(recording));

  it.each(runs)('$name', (run) => {
    expect(run.comparisons.length).toBeGreaterThan(10);
    expect(run.comparisons.filter(({ figure, passed }) => !passed && !knownMisses(run.name).includes(figure))).toEqual([]);
  });

  it('misses fewer figures than one in a hundred, all of them known', () => {
    const all = runs.flatMap((run) => run.comparisons);
    expect(all.filter((comparison) => !comparison.passed).length).toBeLessThan(all.length / 100);
  });

  it('orders the checkpoint modes as measured', () => {
    expect(compareModes(runs, recordings).map((comparison) => comparison.passed)).toEqual([true]);
  });

  it('with ticks of 10 and of 100 ms', () => {
    const first = recordings.filter(({ name }) => name.startsWith('P'));
    for (const tickMs of [10, 100]) for (const recording of first) expect(compareRun(recording, { tickMs }).comparisons.filter((comparison) => !comparison.passed)).toEqual([]);
  });
});
