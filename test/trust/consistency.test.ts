import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shippedScenarioNames } from '../../src/scenario/shipped-scenarios.js';
import { playAndWalk } from './invariants/play.js';
import { randomScenario } from './invariants/random-scenario.js';

const VERSIONS = ['1.9', '1.13', '1.20', '2.3'] as const;
/** Random scenarios; a long run takes more (CONSISTENCY_RUNS=300). */
const RUNS = Number(process.env['CONSISTENCY_RUNS'] ?? 6);
const seed = Number(process.env['FUZZ_SEED'] ?? 20200409);

/** Longer than copies of jobs are kept (3 s), so that all answers are of the same instant. */
const step = fc.integer({ min: 3_500, max: 40_000 });

describe('all endpoints agree', () => {
  it.each(shippedScenarioNames().flatMap((name, index) => (RUNS > 50 ? VERSIONS : [VERSIONS[index % VERSIONS.length]!]).map((version) => [name, version] as const)))(
    'while %s is played on %s',
    async (scenario, flinkVersion) => {
      const { wrong } = await playAndWalk({ scenario, flinkVersion, openAt: '1 min' }, [4_000, 13_000, 61_000, 7_500]);
      expect(wrong).toEqual([]);
    },
    3_600_000,
  );

  it('at random instants of random scenarios', async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, fc.constantFrom(...VERSIONS), fc.array(step, { minLength: 2, maxLength: 6 }), async (yaml, flinkVersion, steps) => {
        const { wrong } = await playAndWalk({ scenario: { yaml }, flinkVersion }, steps);
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS, seed, endOnFailure: true },
    );
  }, 36_000_000);
});
