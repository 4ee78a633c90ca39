import type { SimulationState } from '../state/simulation-state.js';
import { onExecutionGraph, onIdleSlots, onRescaleDue, onRescaleOverdue, onResourcesStable } from './adaptive.js';
import { onApplicationEnded } from './application.js';
import { taskCanceled } from './cancel.js';
import { resumeIfReady } from './failover.js';
import { finishTask } from './finish.js';
import { onIdleSlotsOfStages } from './idle-slots.js';
import { expireOperation } from './operations.js';
import { allocateAndDeploy, deployTask, initializeTask, jobOfEvent, jobOfTaskEvent, onSlotTimeout, receiveTask, runTask, serveWaitingJobs, type JobEvent, type TaskEvent } from './scheduling.js';
import { onInitializationFailed, onJobCreated, onJobRunning } from './submission.js';
import { onAssociationFailed, onConnectFailed, onConnectionLost, onJobMasterHeartbeatTimeout, onSubmissionTimedOut, onTaskManagerRemoved, onUnreachable } from './task-manager-loss.js';
import { onHeartbeat, onTaskManagerStarted } from './task-managers.js';
import { expireJob } from './termination.js';
import type { JobState } from '../state/job-state.js';

type Handler = (state: SimulationState, payload: never) => void;

function ofJob<E extends JobEvent>(handle: (state: SimulationState, job: JobState, event: E) => void): Handler {
  return ((state: SimulationState, event: E) => {
    const job = jobOfEvent(state, event);
    if (job) handle(state, job, event);
  }) as Handler;
}

function ofTask<E extends TaskEvent>(handle: (state: SimulationState, job: JobState, event: E) => void): Handler {
  return ((state: SimulationState, event: E) => {
    const job = jobOfTaskEvent(state, event);
    if (job) handle(state, job, event);
  }) as Handler;
}

/** What happens at scheduled instants in the life of jobs, tasks and processes, by the event's kind. */
export const LIFECYCLE_EVENTS: Readonly<Record<string, Handler>> = {
  'lifecycle.job-created': ofJob((state, job, event: JobEvent & { runningMs: number }) => onJobCreated(state, job, event.runningMs)),
  'lifecycle.job-running': ofJob(onJobRunning),
  'lifecycle.initialization-failed': ofJob(onInitializationFailed),
  'lifecycle.allocate': ofJob(allocateAndDeploy),
  'lifecycle.resources-stable': ofJob(onResourcesStable),
  'lifecycle.execution-graph': ofJob(onExecutionGraph),
  'lifecycle.idle-slots': ofJob(onIdleSlots),
  'lifecycle.idle-slots-of-stages': ((state: SimulationState, { jobId }: { jobId: string }) => onIdleSlotsOfStages(state, jobId)) as Handler,
  'lifecycle.rescale-due': ofJob(onRescaleDue),
  'lifecycle.rescale-overdue': ofJob(onRescaleOverdue),
  'lifecycle.slots-freed': serveWaitingJobs as Handler,
  'lifecycle.slot-timeout': ofJob(onSlotTimeout),
  'lifecycle.restart': ofJob(resumeIfReady),
  'lifecycle.deploy': ofTask(deployTask),
  'lifecycle.receive': ofTask(receiveTask),
  'lifecycle.initialize': ofTask(initializeTask),
  'lifecycle.run': ofTask(runTask),
  'lifecycle.canceled': ofTask(taskCanceled),
  'lifecycle.finish': ofTask((state, job, event: TaskEvent) => finishTask(state, job, event.vertexIndex, event.subtask)),
  'lifecycle.unreachable': onUnreachable as Handler,
  'lifecycle.submission-timed-out': onSubmissionTimedOut as Handler,
  'lifecycle.connect-failed': onConnectFailed as Handler,
  'lifecycle.connection-lost': onConnectionLost as Handler,
  'lifecycle.association-failed': onAssociationFailed as Handler,
  'lifecycle.job-master-heartbeat-timeout': onJobMasterHeartbeatTimeout as Handler,
  'lifecycle.task-manager-removed': onTaskManagerRemoved as Handler,
  'lifecycle.task-manager-started': ((state: SimulationState, { id }: { id: string }) => onTaskManagerStarted(state, id)) as Handler,
  'lifecycle.heartbeat': onHeartbeat as Handler,
  'lifecycle.expire-job': ((state: SimulationState, { jobId }: { jobId: string }) => expireJob(state, jobId)) as Handler,
  'lifecycle.application-ended': onApplicationEnded as Handler,
  'lifecycle.expire-operation': ((state: SimulationState, { key }: { key: string }) => expireOperation(state, key)) as Handler,
};
