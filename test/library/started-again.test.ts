import { describe, expect, it } from 'vitest';
import { loadScenario, startMockFlink, startServer, type MockFlinkOptions } from '../../src/index.js';
import { Simulation } from '../../src/simulation/simulation.js';

async function answers(options: MockFlinkOptions, path = '/jobs/overview'): Promise<string> {
  await using flink = await startMockFlink({ listen: false, ...options });
  return (await flink.fetch(path)).text();
}

describe('a cluster that is started again in the same process', () => {
  it('is what simulating its history gives, and goes on alike', async () => {
    const { model, openAtMs } = loadScenario('healthy');
    const simulated = new Simulation({ model, openAtMs });
    for (let time = 0; time < 2; time++) {
      await using flink = await startMockFlink({ listen: false });
      const { state } = flink;
      expect(state).toStrictEqual(simulated.state);
    }
    await using flink = await startMockFlink({ listen: false });
    await flink.advanceBy('5 min');
    simulated.advanceBy(300_000);
    expect(flink.state).toStrictEqual(simulated.state);
  });

  it('knows nothing of what happened to the one before', async () => {
    const before = await answers({});
    {
      await using flink = await startMockFlink({ listen: false });
      flink.events.apply({ cancelJob: { job: 'page view counts' } });
      await flink.advanceBy('1 min');
      expect(flink.journal.entries()).toEqual([]);
    }
    expect(await answers({})).toBe(before);
  });

  it('has what its own options say: another seed, version, history or start is another cluster', async () => {
    const plain = await answers({});
    expect(await answers({ seed: 77 }, '/jobs')).not.toBe(await answers({}, '/jobs'));
    expect(JSON.parse(await answers({ flinkVersion: '1.13' }, '/config'))['flink-version']).toMatch(/^1\.13/);
    const openAt = JSON.parse(await answers({ openAt: '1 min' })) as { jobs: { duration: number }[] };
    expect(openAt.jobs[0]!.duration).toBe(60_000);
    const later = JSON.parse(await answers({ startTime: 1_800_000_000_000 })) as { jobs: { 'start-time': number }[] };
    expect(later.jobs[0]!['start-time']).toBeGreaterThan(1_799_999_000_000);
    expect(await answers({})).toBe(plain);
  });

  it('is simulated anew for a model that may have been changed meanwhile', async () => {
    const { model } = loadScenario('healthy');
    const own = structuredClone(model) as { -readonly [K in keyof typeof model]: (typeof model)[K] };
    const open = () => startServer({ model: own, openAtMs: 120_000, listen: false, clock: { mode: 'manual' } });
    await (await open()).close();
    own.seed = 5;
    await using server = await open();
    expect(server.simulation.state).toStrictEqual(new Simulation({ model: own, openAtMs: 120_000 }).state);
  });
});
