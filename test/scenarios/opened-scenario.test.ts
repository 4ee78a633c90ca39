import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atStart } from '../../src/scenario/at-start.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { findMovedLeaves, moveLeaves } from '../../src/server/opened/moved-leaves.js';
import { readOpenedScenario } from '../../src/server/opened/opened-scenario.js';
import { writeOpenedScenario } from '../../src/server/opened/write-opened-scenario.js';
import { DEFAULT_SCENARIO } from '../../src/scenario/shipped-scenarios.js';
import { ConsoleRecorder } from '../../src/control/console/recorder.js';
import { Simulation } from '../../src/simulation/simulation.js';

describe('the default scenario, opened when the package was built', () => {
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'opened-'));
    file = path.join(folder, 'default.opened');
    writeFileSync(file, await writeOpenedScenario(DEFAULT_SCENARIO));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    { when: 'at its own instant', openAt: null, port: null },
    { when: 'in the present, on another port', openAt: 1_795_975_509_946, port: 9_999 },
    { when: 'at an odd instant of long ago', openAt: 1_200_000_000_001, port: 80 },
  ])('is what simulating its history gives, and goes on alike: $when', { timeout: 120_000 }, ({ openAt, port }) => {
    const { model, openAtMs } = loadScenario(DEFAULT_SCENARIO);
    const simulated = new Simulation({ model: atStart(model, openAt === null ? model.startMs : openAt - openAtMs, port ?? model.cluster.jobManager.restPort), openAtMs });
    const opened = readOpenedScenario(file, DEFAULT_SCENARIO, openAt, port)!;
    expect(opened.cluster.state).toStrictEqual(simulated.state);
    const continued = new Simulation(opened.scenario.model);
    continued.replaceState(opened.cluster.state);
    for (const simulation of [simulated, continued]) simulation.advanceBy(300_000);
    expect(continued.state).toStrictEqual(simulated.state);
  });

  it('keeps what belongs to the scenario', () => {
    const { model, ...rest } = loadScenario(DEFAULT_SCENARIO);
    const opened = readOpenedScenario(file, DEFAULT_SCENARIO, null, null)!;
    expect(opened.scenario).toEqual({ ...rest, model: opened.cluster.state.model });
    expect(opened.cluster.state.model).toEqual(atStart(model, model.startMs, model.cluster.jobManager.restPort));
  });

  it('is of no use when the file is gone, damaged, of another text, or would be moved to where numbers are coarser', () => {
    const elsewhere = path.join(folder, 'other.opened');
    expect(readOpenedScenario(elsewhere, DEFAULT_SCENARIO, null, null)).toBeNull();
    writeFileSync(elsewhere, 'nothing that was written');
    expect(readOpenedScenario(elsewhere, DEFAULT_SCENARIO, null, null)).toBeNull();
    expect(readOpenedScenario(file, 'hot-key', null, null)).toBeNull();
    expect(readOpenedScenario(file, DEFAULT_SCENARIO, Date.UTC(2041, 0), null)).toBeNull();
    expect(readOpenedScenario(file, DEFAULT_SCENARIO, Date.UTC(2001, 0), null)).toBeNull();
  });

  it('is refused for a scenario that does more than move when it starts at another time', async () => {
    await expect(writeOpenedScenario('healthy')).rejects.toThrow(/the runs differ in/);
    await expect(writeOpenedScenario('recorded-script')).rejects.toThrow(/programs in jars/);
  });

  it('tells the console of the time before', () => {
    const { model, openAtMs } = loadScenario(DEFAULT_SCENARIO);
    const simulated = new Simulation(atStart(model, 1_600_000_000_000, 8081));
    const recorder = new ConsoleRecorder(simulated.state);
    while (simulated.nowMs < 1_600_000_000_000 + openAtMs) {
      simulated.advanceBy(model.tickMs);
      recorder.observe(1);
    }
    const { state, recorded } = readOpenedScenario(file, DEFAULT_SCENARIO, 1_600_000_000_000 + openAtMs, 8081)!.cluster;
    expect(recorded).toStrictEqual(recorder.memory());
    const other = new ConsoleRecorder(state);
    other.remember(recorded);
    expect(other.samplesAfter([...state.jobs.keys()][0]!, -Infinity).length).toBeGreaterThan(60);
    expect(other.happenings.after(0)).toEqual(recorder.happenings.after(0));
    expect(other.happenings.after(0).map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Checkpoint \d+ failed: .*expired/i));
  });
});

describe('values that move', () => {
  const run = (startMs: number, port: number) => ({
    nowMs: startMs + 500.25,
    bytes: 1_586_386_800_000,
    lines: [`Triggering checkpoint 1 @ ${startMs} for job`, `Rest endpoint listening at localhost:${port}`, 'at 10.8081.4'],
    times: new Map([['a', Float64Array.of(startMs, -1, NaN)]]),
    port,
    limit: 8_081_000,
  });

  it('are found by comparing two runs, and put in place', () => {
    const here = run(1_586_386_800_000, 8081);
    const moved = findMovedLeaves(here, run(1_586_386_800_000 + 12_345_679, 54_321), { byMs: 12_345_679, fromPort: 8081, toPort: 54_321 });
    moveLeaves(here, moved, { byMs: -777, fromPort: 8081, toPort: 80 });
    expect(here).toEqual({ ...run(1_586_386_800_000 - 777, 80) });
  });

  it('are not found where runs differ in another way', () => {
    const move = { byMs: 1_000, fromPort: 80, toPort: 81 };
    expect(() => findMovedLeaves({ a: 1 }, { a: 2 }, move)).toThrow('the runs differ in a: 1 and 2');
    expect(() => findMovedLeaves({ a: 'x' }, { a: 'y' }, move)).toThrow('the runs differ in a: x and y');
    expect(() => findMovedLeaves({ a: [1] }, { a: [1, 2] }, move)).toThrow('differ in shape');
    expect(() => findMovedLeaves({ a: 1 }, { b: 1 }, move)).toThrow('differ in shape');
  });
});
