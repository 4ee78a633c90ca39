import { schedule } from '../event-queue.js';
import { hex, hash32, logNormal } from '../random.js';
import { logLine } from '../logs/index.js';
import { durationOption } from '../options.js';
import { failureText } from '../../versions/failure-traces.js';
import type { TaskManagerState } from '../state/cluster-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { stopSubtask } from '../network/index.js';
import { lifecycleOf, versionOf } from '../version.js';
import { isTerminal, subtasksOf, switchAttempt } from './attempts.js';
import { afterTaskEnded, failTask } from './failover.js';
import { logValues } from './names.js';
import { jobOfTaskEvent, serveWaitingJobs, taskEvent, type TaskEvent } from './scheduling.js';
import { releaseSlots } from './slots.js';
import type { Throwable } from './stack-trace.js';
import { heartbeatIntervalMs, registrationId } from './task-managers.js';
import { sinceStartMs } from '../since-start.js';

interface TaskManagerEvent {
  readonly id: string;
}

/** The process is killed, now. The JobManager learns of it by and by: from neighbours' connections, failing RPCs, missing heartbeats. */
export function killTaskManager(state: SimulationState, taskManager: TaskManagerState): void {
  if (taskManager.status === 'LOST') return;
  const known = taskManager.status === 'REGISTERED';
  taskManager.status = 'LOST';
  state.revision++;
  if (!known) {
    state.taskManagers.delete(taskManager.id);
    return;
  }
  for (const job of state.jobs.values()) {
    let touched = false;
    for (const [v, s, attempt] of subtasksOf(job)) {
      if (attempt.taskManagerId !== taskManager.id || isTerminal(attempt)) continue;
      touched = true;
      if (attempt.state === 'RUNNING') stopSubtask(state, job, v, s);
    }
    if (touched) schedule(state.queue, state.nowMs + Math.round(logNormal(180, 0.4, state.model.seed, 'connection-lost', taskManager.id, job.id)), 'lifecycle.connection-lost', { id: taskManager.id, jobId: job.id });
  }
  const features = lifecycleOf(state);
  const timeoutMs = durationOption(state.options, 'heartbeat.timeout', 50_000);
  const intervalMs = heartbeatIntervalMs(state);
  const threshold = Number(state.options['heartbeat.rpc-failure-threshold'] ?? 2);
  const unreachableAfterMs = features.detectsUnreachable && threshold > 0 ? threshold * intervalMs : Infinity;
  schedule(state.queue, Math.max(state.nowMs + 1, taskManager.lastHeartbeatMs + Math.min(timeoutMs, unreachableAfterMs)), 'lifecycle.task-manager-removed', { id: taskManager.id } satisfies TaskManagerEvent);
  if (!features.detectsUnreachable) {
    // Each JobMaster has heartbeats of its own, counted from its start.
    for (const job of state.jobs.values()) {
      if (!job.slots.some((slot) => slot.taskManagerId === taskManager.id)) continue;
      const last = job.startMs + Math.floor((state.nowMs - job.startMs) / intervalMs) * intervalMs;
      schedule(state.queue, last + timeoutMs, 'lifecycle.job-master-heartbeat-timeout', { id: taskManager.id, jobId: job.id });
    }
  }
  for (let i = 0; i < 3; i++) schedule(state.queue, taskManager.lastHeartbeatMs + intervalMs * (i + 1), 'lifecycle.association-failed', { id: taskManager.id } satisfies TaskManagerEvent);
}

function addressValues(taskManager: TaskManagerState): Record<string, string | number> {
  return { taskManager: taskManager.id, host: taskManager.host, dataPort: taskManager.dataPort, rpcPort: taskManager.rpcPort, port: taskManager.rpcPort };
}

export function onAssociationFailed(state: SimulationState, { id }: TaskManagerEvent): void {
  const taskManager = state.taskManagers.get(id);
  if (taskManager?.status !== 'LOST') return;
  logLine(state, state.jobManager.log, 'remoteConnectionRefused', addressValues(taskManager));
  logLine(state, state.jobManager.log, 'associationFailed', addressValues(taskManager));
}

/** True when subtask `subtask` of the vertex reads from a task on that task manager. */
function readsFrom(job: JobState, vertexIndex: number, taskManagerId: string): boolean {
  const { id } = job.vertices[vertexIndex];
  return job.model.edges
    .filter((edge) => edge.targetVertexId === id)
    .some((edge) => job.vertices.find((vertex) => vertex.id === edge.sourceVertexId)!.subtasks.some((execution) => execution.current.taskManagerId === taskManagerId));
}

/** A surviving task notices that its producers' task manager is gone; the first one to do so fails. */
export function onConnectionLost(state: SimulationState, { id, jobId }: TaskManagerEvent & { readonly jobId: string }): void {
  const job = state.jobs.get(jobId);
  const taskManager = state.taskManagers.get(id);
  if (!job || !taskManager || job.status !== 'RUNNING') return;
  const candidates = [...subtasksOf(job)].filter(([v, , attempt]) => attempt.state === 'RUNNING' && attempt.taskManagerId !== id && readsFrom(job, v, id));
  if (candidates.length === 0) return;
  const [v, s] = candidates[hash32(state.model.seed, 'first-to-notice', job.id, sinceStartMs(state)) % candidates.length];
  failTask(state, job, v, s, {
    exceptionClass: failureText('connectionLostClass', versionOf(state)),
    message: failureText('connectionLost', versionOf(state), addressValues(taskManager)),
    trace: 'channelInactive',
  });
}

/** A task is sent to a task manager that is gone. */
export function deployOnLostTaskManager(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  if (lifecycleOf(state).detectsUnreachable) {
    schedule(state.queue, state.nowMs + Math.round(logNormal(35, 0.3, state.model.seed, 'unreachable', job.id, job.numRestarts)), 'lifecycle.unreachable', taskEvent(job, vertexIndex, subtask));
    return;
  }
  // Nobody answers; the tasks elsewhere that want to read from it fail.
  schedule(state.queue, state.nowMs + Math.round(logNormal(350, 0.4, state.model.seed, 'connect-failed', job.id, job.numRestarts)), 'lifecycle.connect-failed', taskEvent(job, vertexIndex, subtask));
}

/** The RPC that should deploy a task has failed. */
export function onUnreachable(state: SimulationState, event: TaskEvent): void {
  const job = jobOfTaskEvent(state, event);
  if (!job) return;
  const attempt = job.vertices[event.vertexIndex].subtasks[event.subtask].current;
  const taskManager = state.taskManagers.get(attempt.taskManagerId!);
  if (attempt.state !== 'DEPLOYING' || !taskManager) return;
  failTask(state, job, event.vertexIndex, event.subtask, {
    exceptionClass: 'org.apache.flink.runtime.rpc.exceptions.RecipientUnreachableException',
    message: failureText('recipientUnreachable', versionOf(state), {
      ...logValues(state, job),
      ...addressValues(taskManager),
      suffix: hex(3, state.model.seed, 'actor', attempt.attemptId),
      number: (hash32(state.model.seed, 'actor', taskManager.id) | 0).toString(),
    }),
    trace: 'deadLetters',
  });
}

/** A consumer of a task on a lost task manager could not connect. */
export function onConnectFailed(state: SimulationState, event: TaskEvent): void {
  const job = jobOfTaskEvent(state, event);
  if (!job || job.status !== 'RUNNING') return;
  const producer = job.vertices[event.vertexIndex].subtasks[event.subtask].current;
  const taskManager = state.taskManagers.get(producer.taskManagerId!);
  if (!taskManager) return;
  for (const [v, s, attempt] of subtasksOf(job)) {
    if (!['DEPLOYING', 'INITIALIZING', 'RUNNING'].includes(attempt.state) || attempt.taskManagerId === taskManager.id || !readsFrom(job, v, taskManager.id)) continue;
    const cause: Throwable = { exceptionClass: failureText('connectFailedClass', versionOf(state)), message: failureText('connectFailed', versionOf(state), addressValues(taskManager)), trace: 'none' };
    failTask(state, job, v, s, {
      exceptionClass: 'org.apache.flink.runtime.io.network.partition.consumer.PartitionConnectionException',
      message: failureText('notReachable', versionOf(state), { partition: `${hex(32, state.model.seed, 'partition', producer.attemptId)}@${producer.attemptId}` }),
      trace: 'partitionConnection',
      cause,
    });
    return;
  }
}

/** Before 1.14 each JobMaster gives a task manager up by itself. */
export function onJobMasterHeartbeatTimeout(state: SimulationState, { id, jobId }: TaskManagerEvent & { readonly jobId: string }): void {
  const job = state.jobs.get(jobId);
  const taskManager = state.taskManagers.get(id);
  if (job && taskManager) endTasksOn(state, job, taskManager);
}

/** The tasks of a job on a task manager that is given up: running ones fail, cancelled ones are over. */
function endTasksOn(state: SimulationState, job: JobState, taskManager: TaskManagerState, timedOut = false): void {
  const throwable: Throwable = {
    exceptionClass: timedOut ? 'java.util.concurrent.TimeoutException' : failureText('heartbeatClass', versionOf(state)),
    message: timedOut ? heartbeatTimedOut(taskManager) : failureText('heartbeat', versionOf(state), { taskManager: taskManager.id }),
    trace: 'heartbeat',
  };
  for (const [v, s, attempt] of [...subtasksOf(job)]) {
    if (attempt.taskManagerId !== taskManager.id || isTerminal(attempt)) continue;
    if (attempt.state === 'CANCELING') switchAttempt(state, job, v, s, 'CANCELED');
    else failTask(state, job, v, s, throwable);
  }
  afterTaskEnded(state, job);
}

function heartbeatTimedOut({ id }: TaskManagerState): string {
  return `Heartbeat of TaskManager with id ${id} timed out.`;
}

/** What was sent to a task manager that says nothing is never answered. */
export function deployOnSilentTaskManager(state: SimulationState, job: JobState, event: TaskEvent, silentUntilMs: number): void {
  const timeoutMs = durationOption(state.options, ['pekko.ask.timeout', 'akka.ask.timeout'], 10_000);
  if (silentUntilMs < state.nowMs + timeoutMs) schedule(state.queue, silentUntilMs, 'lifecycle.receive', event);
  else schedule(state.queue, state.nowMs + timeoutMs, 'lifecycle.submission-timed-out', taskEvent(job, event.vertexIndex, event.subtask));
}

export function onSubmissionTimedOut(state: SimulationState, event: TaskEvent): void {
  const job = jobOfTaskEvent(state, event);
  const attempt = job?.vertices[event.vertexIndex].subtasks[event.subtask].current;
  if (!job || attempt?.state !== 'DEPLOYING') return;
  const { rpcSystem } = lifecycleOf(state);
  failTask(state, job, event.vertexIndex, event.subtask, {
    exceptionClass: 'java.util.concurrent.TimeoutException',
    message: `Invocation of [RemoteRpcInvocation(TaskExecutorGateway.submitTask(TaskDeploymentDescriptor, JobMasterId, ${failureText('rpcTimeType', versionOf(state))}))] at recipient [${rpcSystem}.tcp://flink@${attempt.host}:${state.taskManagers.get(attempt.taskManagerId!)?.rpcPort ?? 0}${lifecycleOf(state).rpcUserPath}taskmanager_0] timed out.`,
    trace: 'none',
  });
}

/** The resource manager gives a task manager up that it believed to be alive. */
export function giveUpTaskManager(state: SimulationState, taskManager: TaskManagerState, timedOut: boolean): void {
  taskManager.status = 'LOST';
  for (const job of state.jobs.values()) for (const [v, s, attempt] of subtasksOf(job)) if (attempt.taskManagerId === taskManager.id && attempt.state === 'RUNNING') stopSubtask(state, job, v, s);
  removeTaskManager(state, taskManager, timedOut);
}

/** The resource manager gives the task manager up: it and its slots are gone from the cluster. */
export function onTaskManagerRemoved(state: SimulationState, { id }: TaskManagerEvent): void {
  const taskManager = state.taskManagers.get(id);
  if (taskManager?.status === 'LOST') removeTaskManager(state, taskManager, false);
}

function removeTaskManager(state: SimulationState, taskManager: TaskManagerState, timedOut: boolean): void {
  const { id } = taskManager;
  const { log } = state.jobManager;
  const values = { ...addressValues(taskManager), registration: registrationId(state, taskManager), reason: timedOut ? heartbeatTimedOut(taskManager) : `TaskManager with id ${id} is no longer reachable.` };
  logLine(state, log, 'taskManagerLost', values);
  logLine(state, log, 'closingTaskExecutor', values);
  logLine(state, log, 'unregisteringTaskExecutor', values);
  state.taskManagers.delete(id);
  state.revision++;
  for (const job of state.jobs.values()) {
    const held = job.slots.some((slot) => slot.taskManagerId === id);
    releaseSlots(state, job, (slot) => slot.taskManagerId === id);
    endTasksOn(state, job, taskManager, timedOut);
    if (held) logLine(state, log, 'disconnectTaskExecutor', values);
  }
  serveWaitingJobs(state);
}
