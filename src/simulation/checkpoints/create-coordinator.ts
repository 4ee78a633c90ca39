import type { CheckpointingModel, JobModel } from '../model/job-model.js';
import { NO_CHECKPOINT_INTERVAL, type CheckpointCoordinatorState } from '../state/checkpoint-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { findOption } from '../options.js';
import { lifecycleOf, versionOf } from '../version.js';
import { createChangelog } from './changelog.js';

/** What a streaming job without checkpointing has all the same: a coordinator that never triggers (only savepoints). */
function disabled(state: SimulationState): CheckpointingModel {
  return {
    intervalMs: NO_CHECKPOINT_INTERVAL,
    timeoutMs: 600_000,
    minPauseMs: 0,
    maxConcurrent: 1,
    mode: versionOf(state).minor === '1.9' ? 'EXACTLY_ONCE' : 'AT_LEAST_ONCE',
    unaligned: false,
    alignedTimeoutMs: 0,
    retention: 'NO_EXTERNALIZED_CHECKPOINTS',
    tolerableFailures: 0,
    afterTasksFinish: true,
    stateBackend: 'hashmap',
    incremental: false,
  };
}

/** What the job says, as far as the options and the version let it. */
function configured(state: SimulationState, job: JobModel, config: CheckpointingModel): CheckpointingModel {
  const option = findOption({ ...state.options, ...job.options }, 'execution.checkpointing.checkpoints-after-tasks-finish.enabled')?.trim().toLowerCase();
  const afterTasksFinish = config.afterTasksFinish && (option === undefined ? lifecycleOf(state).checkpointsAfterTasksFinishByDefault : option === 'true');
  return afterTasksFinish === config.afterTasksFinish ? config : { ...config, afterTasksFinish };
}

type CheckpointStats = Pick<CheckpointCoordinatorState, 'history' | 'counts' | 'latestCompleted' | 'latestSavepoint' | 'latestFailed' | 'latestRestored' | 'summary'>;

/** The statistics of a job that has taken no checkpoint. */
export function emptyCheckpointStats(): CheckpointStats {
  return {
    history: [],
    counts: { restored: 0, total: 0, inProgress: 0, completed: 0, failed: 0 },
    latestCompleted: null,
    latestSavepoint: null,
    latestFailed: null,
    latestRestored: null,
    summary: { count: 0, checkpointedSize: [], stateSize: [], endToEndDuration: [], alignmentBuffered: [], processedData: [], persistedData: [] },
  };
}

/** The coordinator of a job; null for batch jobs. */
export function createCoordinator(state: SimulationState, job: JobModel): CheckpointCoordinatorState | null {
  if (job.jobType === 'BATCH') return null;
  return {
    config: job.checkpointing === null ? disabled(state) : configured(state, job, job.checkpointing),
    nextCheckpointId: 1,
    nextTriggerMs: Infinity,
    pending: [],
    ...emptyCheckpointStats(),
    consecutiveFailures: 0,
    recentExpired: [],
    queue: [],
    schedulerRunning: false,
    timerSurvives: false,
    timerGeneration: 0,
    lastCompletionMs: -Infinity,
    restorePoint: null,
    changelog: createChangelog(state, job),
  };
}
