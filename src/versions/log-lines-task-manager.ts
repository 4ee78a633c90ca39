import type { LogLineSpec } from './log-lines.js';

const R = 'org.apache.flink.runtime.';
const TASK = `${R}taskmanager.Task`;
const EXECUTOR = `${R}taskexecutor.TaskExecutor`;
const SLOT_TABLE = [
  ['1.9', `${R}taskexecutor.slot.TaskSlotTable`],
  ['1.10', `${R}taskexecutor.slot.TaskSlotTableImpl`],
] as const;
const LEADER_SERVICE = [
  ['1.9', `${R}taskexecutor.JobLeaderService`],
  ['1.11', `${R}taskexecutor.DefaultJobLeaderService`],
] as const;

/** Lines of a task manager about slots and tasks; wording and loggers from recorded logs. */
export const TASK_MANAGER_LOG_LINES = {
  receiveSlotRequest: { level: 'INFO', logger: EXECUTOR, text: 'Receive slot request {allocation} for job {id} from resource manager with leader id 00000000000000000000000000000000.' },
  allocatedSlot: {
    level: 'INFO',
    logger: [
      ['1.9', EXECUTOR],
      ['1.16', `${R}taskexecutor.slot.TaskSlotTableImpl`],
    ],
    text: [['1.9', 'Allocated slot for {allocation}.'], ['1.16', 'Allocated slot for {allocation} with resources {profile}.']],
  },
  addJobMonitoring: { level: 'INFO', logger: LEADER_SERVICE, text: 'Add job {id} for job leader monitoring.' },
  tryRegisterJobManager: {
    level: 'INFO',
    logger: LEADER_SERVICE,
    text: 'Try to register at job manager {rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number} with leader id 00000000-0000-0000-0000-000000000000.',
  },
  resolvedJobManager: { level: 'INFO', logger: LEADER_SERVICE, text: 'Resolved JobManager address, beginning registration' },
  successfulJobRegistration: {
    level: 'INFO',
    logger: LEADER_SERVICE,
    text: 'Successful registration at job manager {rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number} for job {id}.',
  },
  establishJobManager: { level: 'INFO', logger: EXECUTOR, text: 'Establish JobManager connection for job {id}.' },
  offerSlots: { level: 'INFO', logger: EXECUTOR, text: 'Offer reserved slots to the leader of job {id}.' },
  activateSlot: { level: 'INFO', logger: SLOT_TABLE, text: 'Activate slot {allocation}.' },
  registeredFileMerging: {
    level: 'INFO',
    logger: `${R}state.TaskExecutorFileMergingManager`,
    text: [['1.9', null], ['1.20', 'Registered new file merging snapshot manager for job {id}.']],
  },
  receivedTask: {
    level: 'INFO',
    logger: EXECUTOR,
    text: [['1.9', 'Received task {task}.'], ['1.12', 'Received task {taskWithAttempt} ({attempt}), deploy into slot with allocation id {allocation}.']],
  },
  tmTaskSwitched: { level: 'INFO', logger: TASK, text: '{taskWithAttempt} ({attempt}) switched from {from} to {to}.' },
  tmTaskFailed: {
    level: 'WARN',
    logger: TASK,
    text: [['1.9', null], ['1.11', '{taskWithAttempt} ({attempt}) switched from {from} to FAILED with failure cause:']],
  },
  tmTaskFailedInfo: { level: 'INFO', logger: TASK, text: [['1.9', '{taskWithAttempt} ({attempt}) switched from {from} to FAILED.'], ['1.11', null]] },
  creatingSafetyNet: { level: 'INFO', logger: TASK, text: [['1.9', 'Creating FileSystem stream leak safety net for task {taskWithAttempt} ({attempt}) [DEPLOYING]'], ['1.11', null]] },
  loadingJars: { level: 'INFO', logger: TASK, text: 'Loading JAR files for task {taskWithAttempt} ({attempt}) [DEPLOYING].' },
  registeringAtNetwork: { level: 'INFO', logger: TASK, text: [['1.9', 'Registering task at network: {taskWithAttempt} ({attempt}) [DEPLOYING].'], ['1.13', null]] },
  attemptingCancel: { level: 'INFO', logger: TASK, text: 'Attempting to cancel task {taskWithAttempt} ({attempt}).' },
  triggeringCancellation: { level: 'INFO', logger: TASK, text: 'Triggering cancellation of task code {taskWithAttempt} ({attempt}).' },
  freeingResources: { level: 'INFO', logger: TASK, text: 'Freeing task resources for {taskWithAttempt} ({attempt}).' },
  ensuringStreamsClosed: { level: 'INFO', logger: TASK, text: [['1.9', 'Ensuring all FileSystem streams are closed for task {taskWithAttempt} ({attempt}) [{state}]'], ['1.12', null]] },
  unregisteringTask: {
    level: 'INFO',
    logger: EXECUTOR,
    text: [
      ['1.9', 'Un-registering task and sending final execution state {state} to JobManager for task {vertexName} {attempt}.'],
      ['1.12', 'Un-registering task and sending final execution state {state} to JobManager for task {taskWithAttempt} {attempt}.'],
    ],
  },
  freeSlot: {
    level: 'INFO',
    logger: SLOT_TABLE,
    text: [['1.9', 'Free slot TaskSlot(index:{index}, state:ACTIVE, resource profile: {profile}, allocationId: {allocation}, jobId: {id}).']],
  },
  removeJobMonitoring: { level: 'INFO', logger: LEADER_SERVICE, text: 'Remove job {id} from job leader monitoring.' },
  closeJobManager: { level: 'INFO', logger: EXECUTOR, text: 'Close JobManager connection for job {id}.' },
  checkpointAborted: {
    level: 'INFO',
    logger: 'org.apache.flink.streaming.runtime.tasks.SubtaskCheckpointCoordinatorImpl',
    text: [['1.9', null], ['1.11', 'Checkpoint {checkpoint} has been notified as aborted, would not trigger any checkpoint.']],
  },
} as const satisfies Record<string, LogLineSpec>;
