import type { JvmState } from '../state/cluster-state.js';

const REGION_BYTES = 1_048_576;
/** Share of the heap that the young generation may take before it is collected. */
const EDEN_SHARE = 0.55;
/** Of what is allocated between two collections, so much moves to the old generation and dies there. */
const PROMOTED_SHARE = 0.012;
/** A concurrent cycle starts at this occupancy (InitiatingHeapOccupancyPercent), after which mixed collections clear the old garbage. */
const OLD_OCCUPANCY_LIMIT = 0.45;
/** G1 wants to spend at most so much of its time collecting, and takes memory to get there. */
const PAUSE_SHARE_GOAL = 1 / 13;

export interface Allocation {
  readonly bytes: number;
  /** What is reachable, bytes. */
  readonly liveBytes: number;
  readonly elapsedMs: number;
  /** In [0, 1). */
  readonly jitter: number;
}

/** Objects are allocated; the collector runs as often as they fill its young generation. The saw-tooth of heap used comes from here. */
export function allocate(jvm: JvmState, allocation: Allocation): void {
  const { bytes, liveBytes, elapsedMs, jitter } = allocation;
  jvm.allocatedSinceGcBytes += bytes;
  let pauseMs = 0;
  let edenBytes = edenOf(jvm, liveBytes);
  if (jvm.allocatedSinceGcBytes >= edenBytes) {
    const collections = Math.floor(jvm.allocatedSinceGcBytes / edenBytes);
    jvm.allocatedSinceGcBytes -= collections * edenBytes;
    jvm.oldGarbageBytes += collections * edenBytes * PROMOTED_SHARE;
    const onePauseMs = 3 + (liveBytes / 1e9) * 40 + jitter * 7;
    pauseMs = collections * onePauseMs;
    collected(jvm, 'G1_Young_Generation', collections, Math.round(pauseMs));
  }
  if (liveBytes + jvm.oldGarbageBytes > OLD_OCCUPANCY_LIMIT * jvm.heapCommittedBytes && jvm.oldGarbageBytes > 0.1 * liveBytes) {
    // Mixed collections count as young ones.
    collected(jvm, 'G1_Young_Generation', 2, Math.round(10 + jitter * 20));
    jvm.oldGarbageBytes *= 0.15;
  }
  if (pauseMs > PAUSE_SHARE_GOAL * elapsedMs) resize(jvm, jvm.heapCommittedBytes * 1.2);
  const neededBytes = (liveBytes + jvm.oldGarbageBytes) / 0.7;
  if (neededBytes > jvm.heapCommittedBytes) resize(jvm, neededBytes);
  if (liveBytes > 0.95 * jvm.heapMaxBytes) {
    // Full collections, one after the other, which free next to nothing.
    collected(jvm, 'G1_Old_Generation', 1, Math.round(200 + (liveBytes / 1e9) * 1_500));
    jvm.oldGarbageBytes = 0;
  }
  edenBytes = edenOf(jvm, liveBytes);
  const used = liveBytes + jvm.oldGarbageBytes + Math.min(jvm.allocatedSinceGcBytes, edenBytes);
  jvm.heapUsedBytes = Math.floor(Math.min(used, jvm.heapCommittedBytes) / 8) * 8;
}

function edenOf(jvm: JvmState, liveBytes: number): number {
  const free = jvm.heapCommittedBytes - liveBytes - jvm.oldGarbageBytes;
  return Math.max(REGION_BYTES, Math.min(EDEN_SHARE * jvm.heapCommittedBytes, free * 0.9));
}

function resize(jvm: JvmState, bytes: number): void {
  jvm.heapCommittedBytes = Math.min(jvm.heapMaxBytes, Math.ceil(bytes / REGION_BYTES) * REGION_BYTES);
}

function collected(jvm: JvmState, name: string, count: number, timeMs: number): void {
  for (const collector of jvm.collectors) {
    if (collector.name !== name && collector.name !== 'All') continue;
    collector.count += count;
    collector.timeMs += timeMs;
  }
}
