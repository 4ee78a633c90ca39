import type { JvmState } from '../state/cluster-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { METER_SLOTS } from '../state/subtask-columns.js';

const MINUTE_S = 60;

/** Takes a reading of every process's collection times (every METER_INTERVAL_MS), for their rates over a minute. */
export function readJvmMeters(state: SimulationState): void {
  readCollectors(state.jobManager.jvm);
  for (const { jvm } of state.taskManagers.values()) readCollectors(jvm);
}

function readCollectors(jvm: JvmState): void {
  const readings = (jvm.gcTimeReadings ??= []);
  readings.push(jvm.collectors.map((collector) => collector.timeMs));
  if (readings.length > METER_SLOTS) readings.shift();
}

/** Milliseconds a second that a collector ran, over the last minute, as MeterView gives it. */
export function gcTimePerSecond(jvm: JvmState, collector: number): number {
  const readings = jvm.gcTimeReadings ?? [];
  if (readings.length === 0) return 0;
  const minuteAgo = readings.length === METER_SLOTS ? Math.floor(readings[0][collector]) : 0;
  return (Math.floor(readings.at(-1)![collector]) - minuteAgo) / MINUTE_S;
}
