/** One rescale of a job of the adaptive scheduler, under way or over (FLIP-495). */
export interface RescaleState {
  /** 32 hex digits. */
  readonly rescaleUuid: string;
  /** 32 hex digits; the same for all rescales under the same requirements. */
  readonly resourceRequirementsUuid: string;
  /** From 1 on, within the same requirements. */
  readonly attemptId: number;
  triggerCause: 'INITIAL_SCHEDULE' | 'UPDATE_REQUIREMENT' | 'NEW_RESOURCE_AVAILABLE' | 'RECOVERABLE_FAILOVER';
  /** Epoch ms. */
  startMs: number;
  /** Epoch ms, -1 = under way. */
  endMs: number;
  terminatedReason: RescaleTerminatedReason | null;
  vertices: VertexRescaleState[];
  /** States of the scheduler that it went through, oldest first. */
  schedulerStates: SchedulerStateSpanState[];
}

export type RescaleTerminatedReason = 'SUCCEEDED' | 'RESOURCE_REQUIREMENTS_UPDATED' | 'JOB_FINISHED' | 'JOB_FAILED' | 'JOB_CANCELED';

export interface VertexRescaleState {
  readonly vertexId: string;
  readonly name: string;
  readonly slotSharingGroup: string;
  /** 32 hex digits. */
  readonly slotSharingGroupId: string;
  readonly desiredParallelism: number;
  readonly sufficientParallelism: number;
  /** null at the first schedule. */
  readonly preRescaleParallelism: number | null;
  /** null until the rescale has succeeded. */
  postRescaleParallelism: number | null;
}

export interface SchedulerStateSpanState {
  readonly state: 'Created' | 'WaitingForResources' | 'CreatingExecutionGraph' | 'Executing' | 'Restarting';
  /** Epoch ms. */
  readonly enterMs: number;
  /** Epoch ms, -1 = still in it. */
  leaveMs: number;
}

export interface RescaleTimelineState {
  /** Oldest first; the last one may be under way. */
  rescales: RescaleState[];
  resourceRequirementsUuid: string;
  /** The scheduler's present state, while it has one. */
  current: SchedulerStateSpanState | null;
}
