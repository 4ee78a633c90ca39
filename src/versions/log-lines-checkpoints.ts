import type { LogLineSpec } from './log-lines.js';

const R = 'org.apache.flink.runtime.';
const COORDINATOR = `${R}checkpoint.CheckpointCoordinator`;
const FAILURE_MANAGER = `${R}checkpoint.CheckpointFailureManager`;
const DISPATCHER = `${R}dispatcher.StandaloneDispatcher`;
const JOB_MASTER = `${R}jobmaster.JobMaster`;
const DE_ACTIVATOR = `${R}checkpoint.ExecutionTrackingCheckpointCoordinatorDeActivator`;

/** Checkpoint and savepoint lines of the JobManager; wording and loggers from recorded logs of 1.9.3, 1.13.6, 1.20.5 and 2.3.0. */
export const CHECKPOINT_LOG_LINES = {
  schedulerStarting: { level: 'INFO', logger: DE_ACTIVATOR, text: [['1.9', null], ['2.3', 'Starting checkpoint scheduler']] },
  schedulerStopping: { level: 'INFO', logger: DE_ACTIVATOR, text: [['1.9', null], ['2.3', 'Stopping checkpoint scheduler, current job status: {status}']] },
  triggeringCheckpoint: {
    level: 'INFO',
    logger: COORDINATOR,
    text: [['1.9', 'Triggering checkpoint {checkpoint} @ {timestamp} for job {id}.'], ['1.11', 'Triggering checkpoint {checkpoint} (type={type}) @ {timestamp} for job {id}.']],
  },
  completedCheckpoint: {
    level: 'INFO',
    logger: COORDINATOR,
    text: [
      ['1.9', 'Completed checkpoint {checkpoint} for job {id} ({bytes} bytes in {duration} ms).'],
      ['1.14', 'Completed checkpoint {checkpoint} for job {id} ({bytes} bytes, checkpointDuration={duration} ms, finalizationTime={finalization} ms).'],
    ],
  },
  expiredCheckpoint: { level: 'INFO', logger: COORDINATOR, text: 'Checkpoint {checkpoint} of job {id} expired before completing.' },
  failedCheckpoint: {
    level: 'WARN',
    logger: FAILURE_MANAGER,
    text: [['1.9', null], ['1.14', 'Failed to trigger or complete checkpoint {checkpoint} for job {id}. ({failures} consecutive failed attempts so far)']],
  },
  notAllTasksRunning: {
    level: 'INFO',
    logger: [['1.9', COORDINATOR], ['1.15', FAILURE_MANAGER]],
    text: [
      ['1.9', 'Checkpoint triggering task {task} of job {id} is not in state RUNNING but {state} instead. Aborting checkpoint.'],
      ['1.13', 'Failed to trigger checkpoint for job {id} since Checkpoint triggering task {task} of job {id} is not being executed at the moment. Aborting checkpoint. Failure reason: Not all required tasks are currently running.'],
      ['1.15', 'Failed to trigger checkpoint for job {id} since Checkpoint triggering task {task} of job {id} is not being executed at the moment. Aborting checkpoint. Failure reason: Not all required tasks are currently running..'],
    ],
  },
  requestTimeInQueue: { level: 'INFO', logger: `${R}checkpoint.CheckpointRequestDecider`, text: [['1.9', null], ['1.18', 'checkpoint request time in queue: {ms}']] },
  lateMessage: {
    level: 'WARN',
    logger: COORDINATOR,
    text: 'Received late message for now expired checkpoint attempt {checkpoint} from task {attempt} of job {id} at {location}.',
  },
  declinedCheckpoint: { level: 'INFO', logger: COORDINATOR, text: 'Decline checkpoint {checkpoint} by task {attempt} of job {id} at {location}.' },
  discardingCheckpoint: { level: 'INFO', logger: COORDINATOR, text: [['1.9', 'Discarding checkpoint {checkpoint} of job {id}.'], ['1.13', null]] },
  coordinatorStopping: { level: 'INFO', logger: COORDINATOR, text: 'Stopping checkpoint coordinator for job {id}.' },
  storeShutdown: { level: 'INFO', logger: `${R}checkpoint.StandaloneCompletedCheckpointStore`, text: 'Shutting down' },
  checkpointNotDiscarded: {
    level: 'INFO',
    logger: [['1.9', `${R}checkpoint.CompletedCheckpoint`], ['1.14', `${R}checkpoint.StandaloneCompletedCheckpointStore`]],
    text: "Checkpoint with ID {checkpoint} at '{path}' not discarded.",
  },
  restoring: {
    level: 'INFO',
    logger: COORDINATOR,
    text: [
      ['1.9', 'Restoring job {id} from latest valid checkpoint: {kind} {checkpoint} @ {timestamp} for {id}.'],
      ['1.13', 'Restoring job {id} from {kind} {checkpoint} @ {timestamp} for {id} located at {path}.'],
    ],
  },
  noMasterState: { level: 'INFO', logger: COORDINATOR, text: 'No master state to restore' },
  noCheckpointFound: { level: 'INFO', logger: COORDINATOR, text: [['1.9', null], ['1.11', 'No checkpoint found during restore.']] },
  resettingCoordinators: { level: 'INFO', logger: COORDINATOR, text: [['1.9', null], ['1.12', 'Resetting the Operator Coordinators to an empty state.']] },
  startingFromSavepoint: { level: 'INFO', logger: COORDINATOR, text: 'Starting job {id} from savepoint {path} ({nonRestored})' },
  resetCheckpointId: { level: 'INFO', logger: COORDINATOR, text: 'Reset the checkpoint ID of job {id} to {checkpoint}.' },
  stateBackend: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [
      ['1.9', "No state backend has been configured, using default (Memory / JobManager) MemoryStateBackend (data in heap memory / checkpoints to JobManager) (checkpoints: '{checkpoints}', savepoints: '{savepoints}', asynchronous: TRUE, maxStateSize: 5242880)"],
      ['1.13', 'No state backend has been configured, using default (HashMap) org.apache.flink.runtime.state.hashmap.HashMapStateBackend@{hash}'],
      ['1.18', 'State backend is set to heap memory org.apache.flink.runtime.state.hashmap.HashMapStateBackend@{hash}'],
    ],
  },
  stateBackendLoaded: { level: 'INFO', logger: `${R}state.StateBackendLoader`, text: [['1.9', null], ['1.15', 'State backend loader loads the state backend as {backend}']] },
  checkpointStorage: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [
      ['1.9', null],
      ['1.13', 'Using job/cluster config to configure application-defined checkpoint storage: org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage@{hash}'],
      ['2.0', 'Checkpoint storage is set to \'filesystem\': (checkpoints "{checkpoints}")'],
    ],
  },
  triggeringSavepoint: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.11', 'Triggering savepoint for job {id}.']] },
  triggeringCancelWithSavepoint: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.11', 'Triggering cancel-with-savepoint for job {id}.']] },
  triggeringStop: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.11', 'Triggering stop-with-savepoint for job {id}.']] },
  savepointStoredCancelling: { level: 'INFO', logger: JOB_MASTER, text: 'Savepoint stored in {path}. Now cancelling {id}.' },
  disposingSavepoint: { level: 'INFO', logger: DISPATCHER, text: 'Disposing savepoint {path}.' },
  loadingBackendForDisposal: { level: 'INFO', logger: DISPATCHER, text: 'Attempting to load configured state backend for savepoint disposal' },
  defaultBackendForDisposal: {
    level: 'INFO',
    logger: DISPATCHER,
    text: [['1.9', 'No state backend configured, attempting to dispose savepoint with default backend (file system based)'], ['1.13', 'Attempting to load configured checkpoint storage for savepoint disposal']],
  },
} as const satisfies Record<string, LogLineSpec>;

/** The `type=` of the triggering line. */
export const CHECKPOINT_TYPE_NAMES = {
  CHECKPOINT: [
    ['1.9', 'CHECKPOINT'],
    ['1.15', "CheckpointType{name='Checkpoint', sharingFilesStrategy=FORWARD_BACKWARD}"],
  ],
  FULL_CHECKPOINT: [
    ['1.9', 'CHECKPOINT'],
    ['1.15', "CheckpointType{name='Full Checkpoint', sharingFilesStrategy=FORWARD}"],
  ],
  SAVEPOINT: [
    ['1.9', 'SAVEPOINT'],
    ['1.15', "SavepointType{name='Savepoint', postCheckpointAction=NONE, formatType={format}}"],
  ],
  SUSPEND: [
    ['1.9', 'SYNC_SAVEPOINT'],
    ['1.13', 'SAVEPOINT_SUSPEND'],
    ['1.15', "SavepointType{name='Suspend Savepoint', postCheckpointAction=SUSPEND, formatType={format}}"],
  ],
  TERMINATE: [
    ['1.9', 'SYNC_SAVEPOINT'],
    ['1.13', 'SAVEPOINT_TERMINATE'],
    ['1.15', "SavepointType{name='Terminate Savepoint', postCheckpointAction=TERMINATE, formatType={format}}"],
  ],
} as const;
