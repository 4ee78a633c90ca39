import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { JobNetworkState } from '../state/network-state.js';

/** What came of a tick that others act on. */
export interface NetworkEvents {
  acknowledged: BarrierAck[];
  failures: SubtaskFailure[];
  finished: { vertexIndex: number; subtask: number; atMs: number }[];
}

/** A task has the barrier from all its inputs and takes its snapshot now. */
export interface BarrierAck {
  checkpointId: number;
  vertexIndex: number;
  subtask: number;
  /** Epoch ms, between two ticks; the snapshot comes after it. */
  atMs: number;
  startDelayMs: number;
  alignmentDurationMs: number;
  processedBytes: number;
  persistedBytes: number;
  alignmentBufferedBytes: number;
}

export interface SubtaskFailure {
  vertexIndex: number;
  subtask: number;
  exceptionClass: string;
  message: string;
}

/** A tick under way. */
export interface TickContext {
  readonly state: SimulationState;
  readonly job: JobState;
  readonly network: JobNetworkState;
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: NetworkEvents;
}
