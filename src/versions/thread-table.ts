import type { ByVersion } from './flink-versions.js';
import * as recorded1_13 from './threads/fixed-threads-1-13.js';
import * as recorded1_20 from './threads/fixed-threads-1-20.js';
import * as recorded2_3 from './threads/fixed-threads-2-3.js';

/**
 * A thread that belongs to no task. Flags: `d` daemon (printed until 1.16 only), `n` in native code, `l` it is there only once the
 * process has worked for a job.
 */
export type FixedThread = readonly [name: string, state: string, lock: string, priority: number, flags: string, stack: number];

export interface ProcessThreads {
  readonly threads: readonly FixedThread[];
  readonly stacks: readonly (readonly number[])[];
  readonly frames: readonly string[];
}

export interface ThreadTable {
  readonly jobManager: ProcessThreads;
  readonly taskManager: ProcessThreads;
}

/** Threads that 1.9's processes did not have. */
const NOT_YET_IN_1_9 = new Set(['main', 'flink-taskexecutor-io-thread-1', 'flink-taskexecutor-io-thread-2', 'flink-taskexecutor-io-thread-3', 'idle-timeout-task', 'HTTP-Dispatcher', 'flink-akka.actor.supervisor-dispatcher-15', 'flink-metrics-akka.actor.supervisor-dispatcher-12']);

const jobManager1_20: ProcessThreads = { threads: recorded1_20.JOB_MANAGER_THREADS, stacks: recorded1_20.STACKS, frames: recorded1_20.FRAMES };
const taskManager1_13: ProcessThreads = { threads: recorded1_13.TASK_MANAGER_THREADS, stacks: recorded1_13.STACKS, frames: recorded1_13.FRAMES };

/** Before 1.18 the actor system was Akka, not its fork Pekko. */
const asAkka = (text: string): string => text.replace(/org\.apache\.pekko/g, 'akka').replace(/Pekko(Jdk9)?ForkJoinPool/g, 'ForkJoinExecutorConfigurator$AkkaForkJoinPool').replace(/pekko/g, 'akka');
const jobManager1_13: ProcessThreads = {
  threads: jobManager1_20.threads.map(([name, state, lock, priority, flags, stack]) => [asAkka(name), state, asAkka(lock), priority, flags, stack]),
  stacks: jobManager1_20.stacks,
  frames: jobManager1_20.frames.map(asAkka),
};
const taskManager1_9: ProcessThreads = { ...taskManager1_13, threads: taskManager1_13.threads.filter(([name]) => !NOT_YET_IN_1_9.has(name)) };

export const THREAD_TABLE: ByVersion<ThreadTable> = [
  ['1.9', { jobManager: jobManager1_13, taskManager: taskManager1_9 }],
  ['1.11', { jobManager: jobManager1_13, taskManager: taskManager1_13 }],
  ['1.18', { jobManager: jobManager1_20, taskManager: { threads: recorded1_20.TASK_MANAGER_THREADS, stacks: recorded1_20.STACKS, frames: recorded1_20.FRAMES } }],
  [
    '2.0',
    {
      jobManager: { threads: recorded2_3.JOB_MANAGER_THREADS, stacks: recorded2_3.STACKS, frames: recorded2_3.FRAMES },
      taskManager: { threads: recorded2_3.TASK_MANAGER_THREADS, stacks: recorded2_3.STACKS, frames: recorded2_3.FRAMES },
    },
  ],
];

/** A thread that every task has besides its own. `$task` stands for `Name (1/2)#0`, `$vertex` for the name alone. */
export interface HelperThread {
  readonly name: string;
  readonly when: 'always' | 'writes' | 'checkpoints' | 'legacy-source' | 'legacy-kafka' | 'kafka';
  readonly stack: 'sleep' | 'scheduled' | 'queue' | 'pool' | 'source' | 'fetcher';
}

const LEGACY_SOURCE: HelperThread = { name: 'Legacy Source Thread - $task', when: 'legacy-source', stack: 'source' };
const LEGACY_KAFKA: HelperThread = { name: 'Kafka Fetcher for $task', when: 'legacy-kafka', stack: 'fetcher' };
const KAFKA: HelperThread = { name: 'Source Data Fetcher for $task', when: 'kafka', stack: 'fetcher' };
const ASYNC_OPERATIONS: HelperThread = { name: 'AsyncOperations-thread-1', when: 'checkpoints', stack: 'pool' };

export const TASK_HELPER_THREADS: ByVersion<readonly HelperThread[]> = [
  ['1.9', [{ name: 'OutputFlusher for $vertex', when: 'writes', stack: 'sleep' }, LEGACY_SOURCE, LEGACY_KAFKA, { name: 'Async calls on $task', when: 'checkpoints', stack: 'queue' }, ASYNC_OPERATIONS]],
  ['1.11', [{ name: 'OutputFlusher for $vertex', when: 'writes', stack: 'sleep' }, LEGACY_SOURCE, LEGACY_KAFKA, KAFKA, { name: 'channel-state-unspilling-thread-1', when: 'always', stack: 'queue' }, ASYNC_OPERATIONS]],
  ['1.14', [{ name: 'OutputFlusher for $task', when: 'writes', stack: 'sleep' }, LEGACY_SOURCE, LEGACY_KAFKA, KAFKA, { name: 'System Time Trigger for $task', when: 'always', stack: 'scheduled' }, ASYNC_OPERATIONS]],
];

/** How a thread is printed: until 1.16 by ThreadInfo.toString (8 frames, priority), later by Flink (cluster.thread-dump.stacktrace-max-depth). */
export const THREAD_PRINTING: ByVersion<{ readonly maxDepth: number; readonly printsPriority: boolean }> = [
  ['1.9', { maxDepth: 8, printsPriority: true }],
  ['1.17', { maxDepth: 50, printsPriority: false }],
];
