import { schedule } from '../event-queue.js';
import { isTerminal, subtasksOf } from '../lifecycle/attempts.js';
import { failTask } from '../lifecycle/failover.js';
import { giveUpTaskManager } from '../lifecycle/task-manager-loss.js';
import { heartbeatIntervalMs } from '../lifecycle/task-managers.js';
import { appendLog } from '../logs/append-log.js';
import { pauseSubtask } from '../network/index.js';
import { durationOption } from '../options.js';
import { logNormal } from '../random.js';
import { sinceStartMs } from '../since-start.js';
import type { TaskManagerState } from '../state/cluster-state.js';
import type { SimulationState } from '../state/simulation-state.js';

export type SilenceCause =
  /** The process is stopped (SIGSTOP, a frozen virtual machine). */
  | 'stopped'
  /** A full collection stops the threads. */
  | 'garbage-collection'
  /** The network to everybody else is gone; the process runs. */
  | 'partitioned';

interface SilenceEvent {
  readonly id: string;
}

/**
 * A task manager says nothing for a while: its tasks stand still, its heartbeats are missed. Shorter than the time-out it goes on as if
 * nothing had been; longer, it is given up, and registers anew when it is back.
 */
export function silence(state: SimulationState, taskManager: TaskManagerState, forMs: number, cause: SilenceCause): void {
  if (taskManager.status !== 'REGISTERED' || forMs <= 0) return;
  taskManager.silentUntilMs = Math.max(taskManager.silentUntilMs ?? 0, state.nowMs + forMs);
  state.revision++;
  for (const job of state.jobs.values()) {
    for (const [v, s, attempt] of subtasksOf(job)) if (attempt.taskManagerId === taskManager.id && attempt.state === 'RUNNING') pauseSubtask(state, job, v, s, forMs);
  }
  if (cause === 'garbage-collection') collectGarbage(state, taskManager, forMs);
  const timeoutMs = durationOption(state.options, 'heartbeat.timeout', 50_000);
  schedule(state.queue, Math.max(state.nowMs + 1, taskManager.lastHeartbeatMs + timeoutMs), 'fault.heartbeat-time-out', { id: taskManager.id } satisfies SilenceEvent);
  schedule(state.queue, taskManager.silentUntilMs, 'fault.silence-over', { id: taskManager.id } satisfies SilenceEvent);
}

function collectGarbage(state: SimulationState, { jvm, log }: TaskManagerState, forMs: number): void {
  for (const collector of jvm.collectors) {
    if (collector.name !== 'G1_Old_Generation' && collector.name !== 'All') continue;
    collector.count++;
    collector.timeMs += forMs;
  }
  jvm.oldGarbageBytes = 0;
  appendLog(log, state.nowMs + forMs, 'WARN', 'org.apache.flink.runtime.taskexecutor.TaskManagerRunner', `Garbage collection paused the process for ${forMs} ms.`);
}

function isSilent(state: SimulationState, taskManager: TaskManagerState | undefined): taskManager is TaskManagerState {
  return taskManager !== undefined && (taskManager.silentUntilMs ?? 0) > state.nowMs;
}

/** Nothing was heard for heartbeat.timeout: the resource manager and the job masters give it up. */
export function onHeartbeatTimeOut(state: SimulationState, { id }: SilenceEvent): void {
  const taskManager = state.taskManagers.get(id);
  if (!isSilent(state, taskManager) || taskManager.status !== 'REGISTERED') return;
  const timeoutMs = durationOption(state.options, 'heartbeat.timeout', 50_000);
  const dueMs = taskManager.lastHeartbeatMs + timeoutMs;
  if (dueMs > state.nowMs) {
    schedule(state.queue, dueMs, 'fault.heartbeat-time-out', { id } satisfies SilenceEvent);
    return;
  }
  giveUpTaskManager(state, taskManager, true);
  (state.absentTaskManagers ??= new Map()).set(id, taskManager);
}

/** It is heard again. */
export function onSilenceOver(state: SimulationState, { id }: SilenceEvent): void {
  const absent = state.absentTaskManagers?.get(id);
  const taskManager = absent ?? state.taskManagers.get(id);
  if (!taskManager || (taskManager.silentUntilMs ?? 0) > state.nowMs) return;
  delete taskManager.silentUntilMs;
  if (!absent) {
    taskManager.lastHeartbeatMs = Math.max(taskManager.lastHeartbeatMs, state.nowMs - heartbeatIntervalMs(state));
    return;
  }
  state.absentTaskManagers!.delete(id);
  absent.status = 'STARTING';
  for (const slot of absent.slots) {
    slot.jobId = null;
    slot.slotSharingGroup = null;
    slot.allocationId = null;
  }
  appendLog(absent.log, state.nowMs, 'INFO', 'org.apache.flink.runtime.taskexecutor.TaskExecutor', 'Close ResourceManager connection: The heartbeat of ResourceManager timed out.');
  state.taskManagers.set(id, absent);
  schedule(state.queue, state.nowMs + Math.round(logNormal(250, 0.3, state.model.seed, 'registers-again', id, sinceStartMs(state))), 'lifecycle.task-manager-started', { id });
}

/** The connection between two task managers breaks and cannot be made again for a while: tasks that exchange data over it fail, again and again. */
export function disconnect(state: SimulationState, first: TaskManagerState, second: TaskManagerState, forMs: number): void {
  const untilMs = state.nowMs + forMs;
  failAcross(state, first, second);
  for (let atMs = state.nowMs + 500; atMs < untilMs; atMs += 500) schedule(state.queue, atMs, 'fault.connection-broken', { first: first.id, second: second.id });
}

export function onConnectionBroken(state: SimulationState, event: { readonly first: string; readonly second: string }): void {
  const first = state.taskManagers.get(event.first);
  const second = state.taskManagers.get(event.second);
  if (first && second) failAcross(state, first, second);
}

/** In each running job one task that reads from the other task manager notices. */
function failAcross(state: SimulationState, first: TaskManagerState, second: TaskManagerState): void {
  for (const job of state.jobs.values()) {
    if (job.status !== 'RUNNING') continue;
    for (const edge of job.model.edges) {
      const producer = job.vertices.find(({ id }) => id === edge.sourceVertexId)!;
      const consumer = job.vertices.findIndex(({ id }) => id === edge.targetVertexId);
      const failing = job.vertices[consumer].subtasks.find(({ current }) => {
        const other = current.taskManagerId === first.id ? second : current.taskManagerId === second.id ? first : null;
        return other !== null && !isTerminal(current) && current.state === 'RUNNING' && producer.subtasks.some((one) => one.current.taskManagerId === other.id && one.current.state === 'RUNNING');
      });
      if (!failing) continue;
      const other = failing.current.taskManagerId === first.id ? second : first;
      failTask(state, job, consumer, failing.index, {
        exceptionClass: 'org.apache.flink.runtime.io.network.netty.exception.LocalTransportException',
        message: `readAddress(..) failed: Connection timed out (connection to '${other.host}/${other.host}:${other.dataPort}')`,
        trace: 'channelInactive',
      });
      break;
    }
  }
}
