import { subtasksOf } from '../lifecycle/attempts.js';
import { failTask } from '../lifecycle/failover.js';
import { killTaskManager } from '../lifecycle/task-manager-loss.js';
import { appendLog } from '../logs/append-log.js';
import { findOption } from '../options.js';
import type { TaskManagerState } from '../state/cluster-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

export type MemoryKind = 'heap' | 'metaspace';

const TEXT: Readonly<Record<MemoryKind, string>> = { heap: 'Java heap space', metaspace: 'Metaspace' };

/**
 * A task manager runs out of memory. On the heap, the task that needed more fails; a full metaspace, and with taskmanager.jvm-exit-on-oom
 * any, ends the process.
 */
export function runOutOfMemory(state: SimulationState, taskManager: TaskManagerState, kind: MemoryKind): void {
  if (taskManager.status !== 'REGISTERED') return;
  const message = TEXT[kind];
  fill(taskManager, kind);
  const ends = kind === 'metaspace' || findOption(state.options, 'taskmanager.jvm-exit-on-oom') === 'true';
  if (ends) {
    appendLog(taskManager.log, state.nowMs, 'ERROR', 'org.apache.flink.runtime.taskexecutor.TaskManagerRunner', `Fatal error occurred while executing the TaskManager. Shutting it down...\njava.lang.OutOfMemoryError: ${message}`);
    killTaskManager(state, taskManager);
    return;
  }
  const [job, v, s] = hungriestTask(state, taskManager) ?? [];
  if (job) failTask(state, job, v!, s!, { exceptionClass: 'java.lang.OutOfMemoryError', message, trace: 'operator' });
}

function fill({ jvm }: TaskManagerState, kind: MemoryKind): void {
  if (kind === 'metaspace') {
    jvm.metaspaceUsedBytes = jvm.metaspaceCommittedBytes = jvm.metaspaceMaxBytes;
    return;
  }
  jvm.heapCommittedBytes = jvm.heapMaxBytes;
  jvm.heapUsedBytes = jvm.heapMaxBytes;
  for (const collector of jvm.collectors) {
    if (collector.name !== 'G1_Old_Generation' && collector.name !== 'All') continue;
    collector.count += 3;
    collector.timeMs += 1_500;
  }
}

/** The running task there that holds most state: the one that will ask for more first. */
function hungriestTask(state: SimulationState, taskManager: TaskManagerState): [JobState, number, number] | null {
  let found: [JobState, number, number] | null = null;
  let most = -1;
  for (const job of state.jobs.values()) {
    for (const [v, s, attempt] of subtasksOf(job)) {
      if (attempt.taskManagerId !== taskManager.id || attempt.state !== 'RUNNING') continue;
      const bytes = job.vertices[v].columns.stateBytes[s];
      if (bytes <= most) continue;
      most = bytes;
      found = [job, v, s];
    }
  }
  return found;
}

/** Bytes of keyed state on the heap that the tasks of each task manager hold. */
function heapStateBytes(state: SimulationState): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const job of state.jobs.values()) {
    if (job.checkpoints && job.checkpoints.config.stateBackend !== 'hashmap') continue;
    for (const { subtasks, columns } of job.vertices) {
      for (const { index, current } of subtasks) {
        if (current.state === 'RUNNING' && current.taskManagerId !== null) bytes.set(current.taskManagerId, (bytes.get(current.taskManagerId) ?? 0) + columns.stateBytes[index]);
      }
    }
  }
  return bytes;
}

/** State that no longer fits into the heap ends in an OutOfMemoryError by itself. */
export function checkHeaps(state: SimulationState): void {
  let held = heapStateBytes(state);
  for (const taskManager of state.taskManagers.values()) {
    if (taskManager.status !== 'REGISTERED' || (held.get(taskManager.id) ?? 0) <= taskManager.jvm.heapMaxBytes) continue;
    runOutOfMemory(state, taskManager, 'heap');
    // Whoever failed with it holds nothing any more.
    held = heapStateBytes(state);
  }
}
