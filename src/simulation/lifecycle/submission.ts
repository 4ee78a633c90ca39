import { schedule } from '../event-queue.js';
import { findSnapshot, restoreAtSubmission, restoreFrom } from '../checkpoints/restore.js';
import { fileSystemOf } from '../checkpoints/storage.js';
import { restoreOffsets } from '../kafka/index.js';
import { logLine } from '../logs/index.js';
import { hex } from '../random.js';
import type { JobModel } from '../model/job-model.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { isAdaptive, waitForResources } from './adaptive.js';
import { fixedJobId, joinApplication } from './application.js';
import { submissionDurations } from './durations.js';
import { createJob, logJobMasterStart, logSubmission } from './job-factory.js';
import { switchJob } from './job-status.js';
import { logValues } from './names.js';
import { logResourceManagerConnection, scheduleTasks } from './scheduling.js';
import { stackTrace } from './stack-trace.js';
import { endJob } from './termination.js';

export interface SubmitOptions {
  /** Savepoint or retained checkpoint to begin with. */
  readonly savepointPath?: string | null;
  readonly allowNonRestoredState?: boolean;
  /** 32 hex digits; the model's own id or one from the seed otherwise. */
  readonly jobId?: string | null;
}

/**
 * Submits a job, now. Returns its id. A job whose savepoint is missing fails while it is initialized: up to 1.11 nothing of it stays but
 * the log, later a FAILED job without vertices.
 */
export function submit(state: SimulationState, model: JobModel, { savepointPath = null, allowNonRestoredState = false, jobId = null }: SubmitOptions = {}): string {
  const wanted = jobId ?? fixedJobId(state) ?? model.jobId;
  const id = wanted !== null && !state.jobs.has(wanted) ? wanted : hex(32, state.model.seed, 'job', model.name, state.idSequence++);
  const job = createJob(state, model, id, savepointPath);
  joinApplication(state, job);
  logSubmission(state, job);
  const { createdMs, runningMs } = submissionDurations(state, id);
  if (savepointPath !== null) {
    const point = findSnapshot(state, savepointPath);
    if (!point) {
      failInitialization(state, job, savepointPath, allowNonRestoredState);
      return id;
    }
    restoreAtSubmission(state, job, savepointPath, point, allowNonRestoredState);
  } else {
    if (job.checkpoints) logLine(state, state.jobManager.log, 'noCheckpointFound');
    restoreOffsets(state, job, null);
  }
  schedule(state.queue, state.nowMs + createdMs, 'lifecycle.job-created', { jobId: id, generation: job.generation, runningMs });
  return id;
}

/** A new leader takes a job over from the one before: the same job, from its latest completed checkpoint, with nothing else remembered. */
export function recover(state: SimulationState, lost: JobState): void {
  const job = createJob(state, lost.model, lost.id, lost.restoredFrom);
  job.applicationId = lost.applicationId;
  if (lost.applicationName !== undefined) job.applicationName = lost.applicationName;
  if (lost.requirements) job.requirements = lost.requirements;
  logSubmission(state, job);
  const point = lost.checkpoints?.restorePoint ?? null;
  if (job.checkpoints && lost.checkpoints) {
    job.checkpoints.nextCheckpointId = lost.checkpoints.nextCheckpointId;
    job.checkpoints.restorePoint = point;
    if (point) restoreFrom(state, job, point);
    else logLine(state, state.jobManager.log, 'noCheckpointFound');
  }
  restoreOffsets(state, job, point?.id ?? null, point?.jobId ?? job.id);
  const { createdMs, runningMs } = submissionDurations(state, job.id);
  schedule(state.queue, state.nowMs + createdMs, 'lifecycle.job-created', { jobId: job.id, generation: job.generation, runningMs });
}

/** Message of the exception that a missing savepoint gives. */
export function missingSnapshotMessage(path: string): string {
  return `Cannot find checkpoint or savepoint file/directory '${path}' on file system '${fileSystemOf(path)}'.`;
}

function failInitialization(state: SimulationState, job: JobState, path: string, allowNonRestoredState: boolean): void {
  const { log } = state.jobManager;
  logLine(state, log, 'startingFromSavepoint', { id: job.id, path, nonRestored: allowNonRestoredState ? 'allowing non restored state' : '' });
  const root = { exceptionClass: 'java.io.FileNotFoundException', message: missingSnapshotMessage(path), trace: 'none' } as const;
  if (!lifecycleOf(state).failedInitializationLeavesJob) {
    const detail = stackTrace(state, { exceptionClass: 'org.apache.flink.runtime.client.JobExecutionException', message: 'Could not set up JobManager', trace: 'none', cause: root });
    logLine(state, log, 'failedToSubmit', logValues(state, job), { detail: detail.trimEnd() });
    state.jobs.delete(job.id);
    return;
  }
  const wrapped = { exceptionClass: 'java.lang.RuntimeException', message: `java.io.FileNotFoundException: ${root.message}`, trace: 'none', cause: root } as const;
  const completion = { exceptionClass: 'java.util.concurrent.CompletionException', message: `java.lang.RuntimeException: ${wrapped.message}`, trace: 'none', cause: wrapped } as const;
  job.failureCause = stackTrace(state, { exceptionClass: 'org.apache.flink.runtime.client.JobInitializationException', message: 'Could not start the JobMaster.', trace: 'none', cause: completion });
  job.exceptions.rootException = { stackTrace: job.failureCause, timestampMs: state.nowMs };
  job.vertices = [];
  job.checkpoints = null;
  schedule(state.queue, state.nowMs + submissionDurations(state, job.id).createdMs + 60, 'lifecycle.initialization-failed', { jobId: job.id, generation: job.generation });
}

export function onInitializationFailed(state: SimulationState, job: JobState): void {
  endJob(state, job, 'FAILED');
}

/** The JobMaster is set up. */
export function onJobCreated(state: SimulationState, job: JobState, runningMs: number): void {
  if (job.status === 'INITIALIZING') {
    switchJob(state, job, 'CREATED');
    for (const vertex of job.vertices) for (const execution of vertex.subtasks) execution.current.timestamps[0] = state.nowMs;
  }
  schedule(state.queue, state.nowMs + runningMs, 'lifecycle.job-running', { jobId: job.id, generation: job.generation });
}

/** The JobMaster begins to schedule. */
export function onJobRunning(state: SimulationState, job: JobState): void {
  logJobMasterStart(state, job);
  if (isAdaptive(job)) {
    waitForResources(state, job);
    logResourceManagerConnection(state, job);
    return;
  }
  switchJob(state, job, 'RUNNING');
  scheduleTasks(state, job);
  logResourceManagerConnection(state, job);
}
