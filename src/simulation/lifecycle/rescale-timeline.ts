import { hex } from '../random.js';
import type { JobState, JobStatus } from '../state/job-state.js';
import type { RescaleState, RescaleTerminatedReason, RescaleTimelineState, SchedulerStateSpanState } from '../state/rescale-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** More than any history that a client can ask for is worth keeping. */
const KEPT_RESCALES = 100;
const SCHEDULER_STATES: Partial<Record<JobStatus, SchedulerStateSpanState['state']>> = { CREATED: 'WaitingForResources', RUNNING: 'Executing', RESTARTING: 'Restarting' };
const ENDED: Partial<Record<JobStatus, RescaleTerminatedReason>> = { FINISHED: 'JOB_FINISHED', FAILED: 'JOB_FAILED', CANCELED: 'JOB_CANCELED' };

/** The timeline of a new job of the adaptive scheduler: its first schedule is the first rescale. */
export function createRescaleTimeline(state: SimulationState, job: JobState): RescaleTimelineState {
  const timeline: RescaleTimelineState = { rescales: [], resourceRequirementsUuid: newUuid(state), current: { state: 'Created', enterMs: state.nowMs, leaveMs: -1 } };
  job.rescaleTimeline = timeline;
  addRescale(state, job, timeline, 'INITIAL_SCHEDULE');
  return timeline;
}

/** A client asks for another parallelism: what was under way is not wanted any more. */
export function onRequirementsUpdated(state: SimulationState, job: JobState): void {
  const timeline = job.rescaleTimeline;
  if (!timeline) return;
  terminate(state, underWay(timeline), 'RESOURCE_REQUIREMENTS_UPDATED');
  timeline.resourceRequirementsUuid = newUuid(state);
  addRescale(state, job, timeline, 'UPDATE_REQUIREMENT');
}

/** More slots have come than the job uses. */
export function addNewResourceRescale(state: SimulationState, job: JobState): void {
  const timeline = job.rescaleTimeline;
  if (timeline && !underWay(timeline)) addRescale(state, job, timeline, 'NEW_RESOURCE_AVAILABLE');
}

/** Follows the job's status. */
export function onSchedulerStateChange(state: SimulationState, job: JobState, to: JobStatus): void {
  const timeline = job.rescaleTimeline;
  if (!timeline) return;
  const { nowMs } = state;
  const left = timeline.current;
  const name = to === 'CREATED' && job.waitingForSlotsSinceMs < 0 ? 'CreatingExecutionGraph' : SCHEDULER_STATES[to];
  if (left?.state === name) return;
  // a restart that nobody asked for takes over a rescale that waited for its turn
  if (to === 'RESTARTING' && job.failover?.parallelism == null) failover(state, job, timeline);
  const rescale = underWay(timeline);
  if (left) {
    left.leaveMs = nowMs;
    rescale?.schedulerStates.push(left);
  }
  timeline.current = name === undefined ? null : { state: name, enterMs: nowMs, leaveMs: -1 };
  if (!rescale) return;
  if (to === 'RUNNING') {
    if (left?.state !== 'CreatingExecutionGraph') rescale.schedulerStates.push({ state: 'CreatingExecutionGraph', enterMs: nowMs, leaveMs: nowMs });
    rescale.schedulerStates.push({ state: 'Executing', enterMs: nowMs, leaveMs: nowMs });
    rescale.vertices.forEach((vertex, v) => (vertex.postRescaleParallelism = job.vertices[v].parallelism));
    terminate(state, rescale, 'SUCCEEDED');
  } else if (ENDED[to]) terminate(state, rescale, ENDED[to]);
}

function failover(state: SimulationState, job: JobState, timeline: RescaleTimelineState): void {
  const waiting = underWay(timeline);
  if (!waiting) {
    addRescale(state, job, timeline, 'RECOVERABLE_FAILOVER');
    return;
  }
  waiting.triggerCause = 'RECOVERABLE_FAILOVER';
  waiting.startMs = state.nowMs;
}

function underWay({ rescales }: RescaleTimelineState): RescaleState | undefined {
  const last = rescales.at(-1);
  return last?.terminatedReason === null ? last : undefined;
}

function terminate(state: SimulationState, rescale: RescaleState | undefined, reason: RescaleTerminatedReason): void {
  if (!rescale) return;
  rescale.terminatedReason = reason;
  rescale.endMs = state.nowMs;
}

function addRescale(state: SimulationState, job: JobState, timeline: RescaleTimelineState, triggerCause: RescaleState['triggerCause']): void {
  const before = timeline.rescales.at(-1);
  const isFirst = before === undefined;
  timeline.rescales.push({
    rescaleUuid: newUuid(state),
    resourceRequirementsUuid: timeline.resourceRequirementsUuid,
    attemptId: before?.resourceRequirementsUuid === timeline.resourceRequirementsUuid ? before.attemptId + 1 : 1,
    triggerCause,
    startMs: state.nowMs,
    endMs: -1,
    terminatedReason: null,
    vertices: job.vertices.map((vertex) => {
      const bounds = job.requirements?.[vertex.id];
      return {
        vertexId: vertex.id,
        name: vertex.model.name,
        slotSharingGroup: vertex.model.slotSharingGroup,
        slotSharingGroupId: vertex.slotSharingGroupId,
        desiredParallelism: bounds?.upperBound ?? vertex.model.parallelism,
        sufficientParallelism: bounds?.lowerBound ?? 1,
        preRescaleParallelism: isFirst ? null : vertex.parallelism,
        postRescaleParallelism: null,
      };
    }),
    schedulerStates: [],
  });
  if (timeline.rescales.length > KEPT_RESCALES) timeline.rescales.shift();
}

function newUuid(state: SimulationState): string {
  return hex(32, state.model.seed, 'rescale', state.idSequence++);
}
