import { describe, expect, it } from 'vitest';
import { copyMeterWindows, meterRate, meterWindows, timerGauge } from '../../../src/simulation/metrics/meter-view.js';
import { gcTimePerSecond, readJvmMeters } from '../../../src/simulation/metrics/jvm-meters.js';
import { resetSubtask } from '../../../src/simulation/state/subtask-columns.js';
import { simulationFeatures } from '../../../src/versions/simulation-features.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { bpJob } from '../fixture.js';
import { runFor, runningCluster } from './running-cluster.js';

const windowMs = (version: string): number => simulationFeatures(parseFlinkVersion(version)!).timeGaugeWindowMs;

function cluster() {
  const { state, job } = runningCluster('1.20.5', bpJob());
  const vertex = job.vertices[2]!;
  const windows = (version = '1.20') => meterWindows(vertex.columns.history, vertex.parallelism, windowMs(version));
  return { state, job, columns: vertex.columns, windows };
}

describe('rates over a minute', () => {
  it('climb for a minute, as the history before the start is 0', () => {
    const { state, windows } = cluster();
    const rates: number[] = [];
    for (let i = 0; i < 14; i++) {
      runFor(state, 5, { numRecordsIn: 120 });
      rates.push(meterRate(windows(), 'numRecordsIn', 0));
    }
    expect(rates).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 120, 120]);
  });

  it('change every 5 s only', () => {
    const { state, windows } = cluster();
    runFor(state, 5, { numRecordsIn: 60 });
    const before = meterRate(windows(), 'numRecordsIn', 1);
    runFor(state, 4, { numRecordsIn: 60 });
    expect(meterRate(windows(), 'numRecordsIn', 1)).toBe(before);
    runFor(state, 1, { numRecordsIn: 60 });
    expect(meterRate(windows(), 'numRecordsIn', 1)).toBe(2 * before);
  });

  it('are increases of whole counts', () => {
    const { state, windows } = cluster();
    runFor(state, 5, { numRecordsIn: 0.3 });
    expect(meterRate(windows(), 'numRecordsIn', 0)).toBe(1 / 60);
    expect(meterRate(windows(), 'numRecordsIn', 0, 10)).toBe(15 / 60);
  });

  it('begin anew with an attempt', () => {
    const { state, columns, windows } = cluster();
    runFor(state, 90, { numRecordsIn: 60 });
    resetSubtask(columns, 0);
    runFor(state, 5, { numRecordsIn: 60 });
    expect(meterRate(windows(), 'numRecordsIn', 0)).toBe(5);
    expect(meterRate(windows(), 'numRecordsIn', 1)).toBe(60);
  });
});

describe('time gauges', () => {
  const LOAD = { idleMs: 200, busyMs: 500, softBackPressuredMs: 100, hardBackPressuredMs: 200 };

  it('are right at the first update, unlike rates', () => {
    const { state, windows } = cluster();
    expect(timerGauge(windows(), 'idleMs', 0)).toBe(0);
    runFor(state, 5, LOAD);
    expect(timerGauge(windows(), 'idleMs', 0)).toBe(200);
    expect(timerGauge(windows(), 'hardBackPressuredMs', 1)).toBe(200);
  });

  it('average over 60 s from 1.17 on and over 5 s before', () => {
    const { state, windows } = cluster();
    runFor(state, 60, { ...LOAD, idleMs: 0, busyMs: 700 });
    runFor(state, 30, { ...LOAD, idleMs: 700, busyMs: 0 });
    expect(timerGauge(windows('1.17'), 'idleMs', 0)).toBe(350);
    expect(timerGauge(windows('1.16'), 'idleMs', 0)).toBe(700);
    expect(timerGauge(windows('1.13'), 'idleMs', 0)).toBe(700);
  });

  it('count the first, partial interval in full', () => {
    const { state, windows, columns } = cluster();
    runFor(state, 3, { busyMs: 1000 });
    runFor(state, 2, { idleMs: 1000 });
    expect(timerGauge(windows(), 'idleMs', 0)).toBe(400);
    runFor(state, 5, { idleMs: 1000 });
    expect(timerGauge(windows(), 'idleMs', 0)).toBe(700);
    expect(columns.idleMs[0]).toBe(7000);
  });

  it('know how long a restarted attempt has run', () => {
    const { state, columns, windows } = cluster();
    runFor(state, 90, { busyMs: 1000 });
    resetSubtask(columns, 0);
    columns.busyMs[0] = 1;
    runFor(state, 10, { idleMs: 600, busyMs: 400 });
    expect(timerGauge(windows(), 'idleMs', 0)).toBe(600);
    expect(timerGauge(windows(), 'idleMs', 1)).toBe(100);
  });

  it.each(['1.13', '1.20'])('are the same in a copy (%s)', (version) => {
    const { state, windows } = cluster();
    runFor(state, 45, LOAD);
    const copy = copyMeterWindows(windows(version), 2);
    runFor(state, 45, { idleMs: 1000 });
    expect(timerGauge(copy, 'idleMs', 0)).toBe(200);
    expect(meterRate(copy, 'idleMs', 0)).toBe(150);
    expect(timerGauge(copyMeterWindows(windows(version), 2), 'idleMs', 0)).toBe(timerGauge(windows(version), 'idleMs', 0));
  });
});

describe('collection times', () => {
  it('are a rate over a minute', () => {
    const { state } = cluster();
    const { jvm } = state.taskManagers.get('tm-0')!;
    const young = jvm.collectors.findIndex(({ name }) => name === 'G1_Young_Generation');
    const before = jvm.collectors[young]!.timeMs;
    expect(gcTimePerSecond(jvm, young)).toBe(0);
    for (let i = 0; i < 20; i++) {
      jvm.collectors[young]!.timeMs = before + 30 * i;
      readJvmMeters(state);
    }
    expect(gcTimePerSecond(jvm, young)).toBe(6);
    expect(jvm.gcTimeReadings).toHaveLength(13);
  });
});
