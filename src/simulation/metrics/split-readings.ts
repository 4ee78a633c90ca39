import type { VertexNetworkState } from '../state/network-state.js';
import { METER_INTERVAL_MS, METER_SLOTS, type MeterHistory } from '../state/subtask-columns.js';

/** Watermark and times of a source's split. */
export interface SplitReading {
  /** Partition, or subtask of a generator. */
  readonly split: number;
  readonly watermark: number;
  readonly idleMs: number;
  readonly pausedMs: number;
  /** As TimerGauge averages them over a minute. */
  readonly idleMsPerSecond: number;
  readonly pausedMsPerSecond: number;
}

/** The splits of a subtask; none before the source's first tick. */
export function splitReadings({ watermarks }: VertexNetworkState, history: MeterHistory, subtask: number): SplitReading[] {
  const readings: SplitReading[] = [];
  if (watermarks === null) return readings;
  const splits = watermarks.owner.length;
  const perSecond = (split: number, which: 0 | 1): number => {
    const at = (slot: number): number => watermarks.readings[(2 * (slot % METER_SLOTS) + which) * splits + split];
    // The slot after the newest is the oldest: a minute before it.
    const updates = Math.max(1, Math.min(METER_SLOTS - 1, history.readings));
    return Math.min(1000, Math.max(0, Math.trunc((Math.floor(at(history.newestSlot)) - Math.floor(at(history.newestSlot + 1))) / ((METER_INTERVAL_MS / 1000) * updates))));
  };
  for (let split = 0; split < splits; split++) {
    if (watermarks.owner[split] !== subtask) continue;
    readings.push({ split, watermark: watermarks.watermark[split], idleMs: watermarks.idleMs[split], pausedMs: watermarks.pausedMs[split], idleMsPerSecond: perSecond(split, 0), pausedMsPerSecond: perSecond(split, 1) });
  }
  return readings;
}
