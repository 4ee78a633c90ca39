import { tickBackPressure } from './backpressure/index.js';
import { onBarriersTaken } from './checkpoints/acknowledge.js';
import { CHECKPOINT_EVENTS } from './checkpoints/events.js';
import { applyAction, submitJob } from './commands.js';
import { checkHeaps } from './faults/memory.js';
import { FAULT_EVENTS } from './faults/events.js';
import type { ScheduledEvent } from './event-queue.js';
import { tickJvm } from './jvm/index.js';
import { tickKafka } from './kafka/index.js';
import { LIFECYCLE_EVENTS } from './lifecycle/events.js';
import { failTask } from './lifecycle/failover.js';
import { finishTask } from './lifecycle/finish.js';
import { isGloballyTerminal } from './lifecycle/job-status.js';
import { readJvmMeters } from './metrics/index.js';
import type { TimelineAction } from './model/timeline-event.js';
import { readMeters, tickJob } from './network/index.js';
import type { Parts } from './parts.js';
import { sinceStartMs } from './since-start.js';
import type { JobState } from './state/job-state.js';
import type { SimulationState } from './state/simulation-state.js';
import { METER_INTERVAL_MS } from './state/subtask-columns.js';

/** Kind of the events that hold an action of their own: one that was asked for while the simulation ran. */
export const LIVE_ACTION = 'live.action';

const SCENARIO_EVENTS: Readonly<Record<string, (state: SimulationState, index: number) => void>> = {
  'scenario.submit': (state, index) => void submitJob(state, state.model.jobs[index].job),
  'scenario.event': (state, index) => applyAction(state, state.model.events[index]),
};

/** Something scheduled happens, at state.nowMs: now, or in the parts that come back. */
export function handleEvent(state: SimulationState, event: ScheduledEvent): Parts | void {
  const scenario = SCENARIO_EVENTS[event.kind];
  if (scenario) {
    scenario(state, event.payload as number);
    return;
  }
  if (event.kind === LIVE_ACTION) {
    applyAction(state, event.payload as TimelineAction);
    return;
  }
  const handle = LIFECYCLE_EVENTS[event.kind] ?? CHECKPOINT_EVENTS[event.kind] ?? FAULT_EVENTS[event.kind];
  if (!handle) throw new RangeError(`No handler for events of kind ${event.kind}`);
  return handle(state, event.payload as never);
}

/** A step of the flow model ends, at state.nowMs. */
export function* tick(state: SimulationState): Parts {
  state.ticks++;
  tickKafka(state);
  for (const job of state.jobs.values()) if (!isGloballyTerminal(job.status) && job.vertices.length > 0) yield* flow(state, job);
  yield;
  countSegments(state);
  tickBackPressure(state);
  tickJvm(state);
  if (!metersDue(state)) return;
  checkHeaps(state);
  readJvmMeters(state);
  for (const job of state.jobs.values()) {
    yield;
    if (!isGloballyTerminal(job.status) && job.vertices.length > 0) yield* readMeters(state, job);
  }
}

function metersDue(state: SimulationState): boolean {
  const passedMs = sinceStartMs(state);
  return Math.floor(passedMs / METER_INTERVAL_MS) > Math.floor((passedMs - state.model.tickMs) / METER_INTERVAL_MS);
}

function* flow(state: SimulationState, job: JobState): Parts {
  const { acknowledged, failures, finished } = yield* tickJob(state, job);
  if (acknowledged.length > 0) yield* onBarriersTaken(state, job, acknowledged);
  for (const { vertexIndex, subtask } of finished) finishTask(state, job, vertexIndex, subtask);
  for (const { vertexIndex, subtask, exceptionClass, message } of failures) failTask(state, job, vertexIndex, subtask, { exceptionClass, message, trace: 'operator' });
}

/** Buffers that the tasks hold of their task managers' pools. */
function countSegments(state: SimulationState): void {
  for (const taskManager of state.taskManagers.values()) taskManager.usedMemorySegments = 0;
  for (const job of state.jobs.values()) {
    if (isGloballyTerminal(job.status)) continue;
    for (const vertex of job.vertices) {
      const { usedSegments } = vertex.columns;
      for (let s = 0; s < vertex.parallelism; s++) {
        const { taskManagerId } = vertex.subtasks[s].current;
        if (usedSegments[s] === 0 || taskManagerId === null) continue;
        const taskManager = state.taskManagers.get(taskManagerId);
        if (taskManager) taskManager.usedMemorySegments += usedSegments[s];
      }
    }
  }
}
