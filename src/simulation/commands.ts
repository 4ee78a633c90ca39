import { startCheckpoint, startDisposal, startSavepoint, startStop, type SavepointRequest, type StopRequest } from './checkpoints/savepoints.js';
import { burst } from './faults/burst.js';
import { expireCheckpoints, planCheckpointFault } from './faults/checkpoint-faults.js';
import { jumpClock } from './faults/clock.js';
import { crashJobManager, failOverJobManager, revokeLeadership } from './faults/job-manager.js';
import { runOutOfMemory } from './faults/memory.js';
import { disconnect, silence } from './faults/silence.js';
import { applyKafkaAction } from './kafka/index.js';
import { considerRescale } from './lifecycle/adaptive.js';
import { cancelJobNow } from './lifecycle/cancel.js';
import { failGlobally, failTask } from './lifecycle/failover.js';
import { isGloballyTerminal } from './lifecycle/job-status.js';
import { rescaleJob as rescale } from './lifecycle/rescale.js';
import { onRequirementsUpdated } from './lifecycle/rescale-timeline.js';
import { submit, type SubmitOptions } from './lifecycle/submission.js';
import { killTaskManager } from './lifecycle/task-manager-loss.js';
import { addTaskManagers } from './lifecycle/task-managers.js';
import type { JobModel } from './model/job-model.js';
import type { TimelineAction } from './model/timeline-event.js';
import { applyNetworkAction } from './network/index.js';
import type { TaskManagerState } from './state/cluster-state.js';
import type { JobState } from './state/job-state.js';
import type { SimulationState } from './state/simulation-state.js';

/** Submits a job; returns its id. See submission.ts for savepoints that are missing. */
export function submitJob(state: SimulationState, job: JobModel, options: SubmitOptions = {}): string {
  return submit(state, job, options);
}

/** Cancels a job. One that is being cancelled already is accepted once more, as Flink does. */
export function cancelJob(state: SimulationState, jobId: string): 'accepted' | 'not-found' | 'already-terminal' {
  const job = state.jobs.get(jobId);
  if (!job) return 'not-found';
  if (isGloballyTerminal(job.status)) return 'already-terminal';
  cancelJobNow(state, job);
  return 'accepted';
}

/** Triggers a savepoint; returns the trigger id. What is wrong shows in the operation of kind `savepoint`. */
export function triggerSavepoint(state: SimulationState, request: SavepointRequest): string {
  return startSavepoint(state, request);
}

/** Stops a job with a savepoint; returns the trigger id of the operation of kind `stop-with-savepoint`. */
export function stopWithSavepoint(state: SimulationState, request: StopRequest): string {
  return startStop(state, request);
}

/** Triggers a checkpoint; returns the trigger id of the operation of kind `checkpoint`. */
export function triggerCheckpoint(state: SimulationState, request: { readonly jobId: string; readonly triggerId: string | null; readonly type: 'CONFIGURED' | 'FULL' | 'INCREMENTAL' }): string {
  return startCheckpoint(state, request);
}

/** Sets the resource requirements of a job of the adaptive scheduler, which rescales it as far as there are slots. */
export function updateResourceRequirements(state: SimulationState, jobId: string, requirements: NonNullable<JobState['requirements']>): void {
  const job = state.jobs.get(jobId);
  if (!job) return;
  job.requirements = requirements;
  onRequirementsUpdated(state, job);
  considerRescale(state, job);
}

/** Disposes of a savepoint; returns the trigger id of the operation of kind `savepoint-disposal`. */
export function disposeSavepoint(state: SimulationState, request: { readonly path: string; readonly triggerId: string | null }): string {
  return startDisposal(state, request);
}

/** The job that a selector names: by id, else the latest one of that name that has not ended. */
function findJob(state: SimulationState, selector: string): JobState | undefined {
  return state.jobs.get(selector) ?? [...state.jobs.values()].filter((job) => job.name === selector && !isGloballyTerminal(job.status)).at(-1);
}

/** A task manager by resource id, or by its place among those there are. */
function findTaskManager(state: SimulationState, selector: string): TaskManagerState | undefined {
  return state.taskManagers.get(selector) ?? [...state.taskManagers.values()][Number(selector)];
}

function findVertex(job: JobState, operator: string): number {
  return job.vertices.findIndex((vertex) => vertex.id === operator || vertex.model.name === operator || vertex.model.operators.some((o) => o.id === operator || o.name === operator));
}

function failSubtask(state: SimulationState, { target, subtask, exceptionClass, message, labels }: Extract<TimelineAction, { kind: 'fail-subtask' }>): void {
  const job = findJob(state, target.job);
  const vertexIndex = job ? findVertex(job, target.operator) : -1;
  if (!job || vertexIndex < 0 || !job.vertices[vertexIndex].subtasks[subtask]) return;
  failTask(state, job, vertexIndex, subtask, { exceptionClass, message, trace: 'operator' }, labels);
}

/** Does what a scenario's event or the control API asks for, at state.nowMs. What names nothing that exists changes nothing. */
export function applyAction(state: SimulationState, action: TimelineAction): void {
  if (applyKafkaAction(state, action)) return;
  switch (action.kind) {
    case 'set-checkpoint-storage':
      state.checkpointStorage.bytesPerSecond = action.bytesPerSecond;
      state.checkpointStorage.latencyMs = action.latencyMs;
      state.checkpointStorage.failing = action.failing;
      return;
    case 'fail-subtask':
      failSubtask(state, action);
      return;
    case 'fail-job': {
      const job = findJob(state, action.job);
      if (job) failGlobally(state, job, { exceptionClass: action.exceptionClass, message: action.message, trace: 'none' }, action.labels);
      return;
    }
    case 'kill-task-manager': {
      const taskManager = findTaskManager(state, action.taskManager);
      if (taskManager) killTaskManager(state, taskManager);
      return;
    }
    case 'add-task-managers':
      addTaskManagers(state, action.count);
      return;
    case 'silence-task-manager': {
      const taskManager = findTaskManager(state, action.taskManager);
      if (taskManager) silence(state, taskManager, action.forMs, action.cause);
      return;
    }
    case 'disconnect-task-managers': {
      const [first, second] = [findTaskManager(state, action.first), findTaskManager(state, action.second)];
      if (first && second && first !== second) disconnect(state, first, second, action.forMs);
      return;
    }
    case 'out-of-memory': {
      const taskManager = findTaskManager(state, action.taskManager);
      if (taskManager) runOutOfMemory(state, taskManager, action.memory);
      return;
    }
    case 'burst':
      burst(state, action.topic, action.recordsPerSecond, action.forMs);
      return;
    case 'fault-checkpoint': {
      const job = findJob(state, action.job);
      if (job) planCheckpointFault(job, action.checkpoint, action.fault, action.delayMs);
      return;
    }
    case 'expire-checkpoints': {
      const job = findJob(state, action.job);
      if (job) expireCheckpoints(state, job);
      return;
    }
    case 'jump-clock':
      jumpClock(state, action.byMs);
      return;
    case 'crash-job-manager':
      crashJobManager(state, action.restartAfterMs);
      return;
    case 'fail-over-job-manager':
      failOverJobManager(state);
      return;
    case 'revoke-leadership':
      revokeLeadership(state, action.forMs);
      return;
    case 'submit-job':
      submitJob(state, action.job);
      return;
    case 'cancel-job': {
      const job = findJob(state, action.job);
      if (job) cancelJob(state, job.id);
      return;
    }
    case 'trigger-savepoint': {
      const job = findJob(state, action.job);
      if (job) triggerSavepoint(state, { jobId: job.id, triggerId: null, targetDirectory: null, cancelJob: action.cancelJob, format: 'CANONICAL' });
      return;
    }
    case 'rescale-job': {
      const job = findJob(state, action.job);
      if (!job) return;
      if (job.schedulerType === 'Adaptive') {
        const { parallelism } = action;
        updateResourceRequirements(state, job.id, Object.fromEntries(job.vertices.map(({ id }) => [id, { lowerBound: 1, upperBound: parallelism }])));
      } else rescale(state, job, action.parallelism);
      return;
    }
    default:
      for (const job of state.jobs.values()) if (!isGloballyTerminal(job.status) && applyNetworkAction(state, job, action)) return;
  }
}
