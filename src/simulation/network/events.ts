import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { JobNetworkState, NetworkEvents } from '../state/network-state.js';

export type { BarrierAck, NetworkEvents, SubtaskFailure } from '../state/network-state.js';

/** A tick under way. */
export interface TickContext {
  readonly state: SimulationState;
  readonly job: JobState;
  readonly network: JobNetworkState;
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: NetworkEvents;
}
