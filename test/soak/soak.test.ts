import { describe, expect, it } from 'vitest';
import { judgeRun, table } from '../../scripts/soak/report.js';
import { soak } from '../../scripts/soak/soak.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 1);
const RATE = Number(process.env['SOAK_RATE'] ?? 150);

describe('under load and trouble, at ×1,000', () => {
  it('nothing is answered that was neither ordinary nor asked for, nothing runs backwards, the heap stays', async () => {
    const result = await soak({ minutes: MINUTES, seed: Number(process.env['SOAK_SEED'] ?? 1), rate: RATE, speed: 1_000 });
    const verdict = judgeRun(result, false);
    console.log(table(result, verdict));
    expect(result.complaints).toEqual([]);
    expect(verdict.failures).toEqual([]);
    // It did happen.
    expect(result.requests.dashboard).toBeGreaterThan(100);
    expect(result.comparisons).toBeGreaterThan(0);
    expect(Object.keys(result.done)).toEqual(expect.arrayContaining(['HTTP faults', 'domain faults']));
    expect(result.shutdown.inFlight).toBeGreaterThan(0);
  }, (MINUTES + 5) * 60_000);
});
