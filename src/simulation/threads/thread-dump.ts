import type { ExecutionVertexState, JobState, JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { hash32 } from '../random.js';
import { valueIn } from '../../versions/flink-versions.js';
import { HELPER_STACKS, STACK_FRAMES } from '../../versions/stack-frames.js';
import { THREAD_PRINTING, THREAD_TABLE, type HelperThread } from '../../versions/thread-table.js';
import { numberOption } from '../options.js';
import { versionOf } from '../version.js';
import { lambdaName } from './flame-graph.js';
import { helperThreadsOf, taskThreadName } from './task-threads.js';
import { taskThreadPosition, traceAt, workingThreadPosition, type StackTrace } from './task-traces.js';
import { fixedThreads } from './thread-count.js';

export interface ThreadInfo {
  readonly threadName: string;
  readonly stringifiedThreadInfo: string;
}

interface Thread {
  readonly name: string;
  readonly daemon: boolean;
  readonly priority: number;
  readonly native: boolean;
  readonly trace: Omit<StackTrace, 'state'> & { readonly state: string };
  /** Name of the thread that holds the lock. */
  readonly owner?: string;
}

const CONDITION = 'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject';

/** What each thread of a process does now, as the version prints it. `processId`: `jobmanager` or a task manager's resource id. */
export function threadDump(state: SimulationState, processId: string): ThreadInfo[] {
  const table = valueIn(THREAD_TABLE, versionOf(state));
  const taskManager = state.taskManagers.get(processId);
  const known = processId === 'jobmanager' ? table.jobManager : table.taskManager;
  const hasWorked = processId === 'jobmanager' ? state.jobs.size > 0 : (taskManager?.jvm.jobsSeen ?? 0) > 0;
  const threads: Thread[] = fixedThreads(known, hasWorked).map(([name, threadState, lock, priority, flags, stack]) => ({
    name,
    daemon: flags.includes('d'),
    native: flags.includes('n'),
    priority,
    trace: { state: threadState, lock: lock === '' ? null : lock, frames: known.stacks[stack].map((frame) => known.frames[frame]) },
  }));
  if (processId !== 'jobmanager') threads.push(...taskThreads(state, processId));
  const ids = new Map(threads.map((thread, index) => [thread.name, index + 1]));
  return threads.map((thread, index) => ({ threadName: thread.name, stringifiedThreadInfo: print(state, processId, thread, index + 1, ids) }));
}

function taskThreads(state: SimulationState, taskManagerId: string): Thread[] {
  const threads: Thread[] = [];
  for (const job of state.jobs.values()) {
    for (const vertex of job.vertices) {
      const helpers = helperThreadsOf(state, job, vertex);
      for (const subtask of vertex.subtasks) {
        if (subtask.current.taskManagerId !== taskManagerId || subtask.current.state !== 'RUNNING') continue;
        const name = taskThreadName(state, vertex, subtask.current, subtask.index);
        const trace = traceAt(state, job, vertex, taskThreadPosition(state, vertex, subtask.index, state.nowMs), 'task');
        threads.push({ name, daemon: false, native: false, priority: 5, trace, ...(trace.state === 'BLOCKED' ? { owner: `Legacy Source Thread - ${name}` } : {}) });
        for (const helper of helpers) threads.push(helperThread(state, job, vertex, subtask, helper, name));
      }
    }
  }
  return threads;
}

function helperThread(state: SimulationState, job: JobState, vertex: JobVertexState, subtask: ExecutionVertexState, helper: HelperThread, taskName: string): Thread {
  const name = helper.name.replace('$task', () => taskName).replace('$vertex', () => vertex.model.name);
  return { name, daemon: helper.stack !== 'source', native: false, priority: 5, trace: helperTrace(state, job, vertex, subtask.index, helper) };
}

function helperTrace(state: SimulationState, job: JobState, vertex: JobVertexState, subtask: number, helper: HelperThread): StackTrace {
  switch (helper.stack) {
    case 'source':
      return traceAt(state, job, vertex, workingThreadPosition(state, vertex, subtask, state.nowMs), 'legacy-source');
    case 'fetcher':
      return fetcherTrace(state, vertex, subtask);
    default:
      return { state: helper.stack === 'queue' ? 'WAITING' : 'TIMED_WAITING', ...valueIn(HELPER_STACKS, versionOf(state))[helper.stack] };
  }
}

/** The thread that reads from Kafka: it polls, or it stands with records that the task does not take. */
function fetcherTrace(state: SimulationState, vertex: JobVertexState, subtask: number): StackTrace {
  const pieces = valueIn(STACK_FRAMES, versionOf(state));
  const source = vertex.kafkaSource;
  const stuck = (source?.consumers[subtask]?.blockedSinceMs ?? -1) >= 0;
  const legacy = vertex.model.operators[0].source?.legacy === true;
  if (!stuck) return { state: 'RUNNABLE', lock: null, frames: legacy ? pieces.legacyKafkaPoll : pieces.kafkaPoll };
  return { state: 'WAITING', lock: legacy ? 'java.lang.Object' : CONDITION, frames: legacy ? pieces.legacyKafkaHandover : pieces.kafkaHandover };
}

function print(state: SimulationState, processId: string, thread: Thread, id: number, ids: ReadonlyMap<string, number>): string {
  const { maxDepth: versionDepth, printsPriority } = valueIn(THREAD_PRINTING, versionOf(state));
  const maxDepth = printsPriority ? versionDepth : Math.max(1, Math.floor(numberOption(state.options, 'cluster.thread-dump.stacktrace-max-depth', versionDepth)));
  const { trace, name } = thread;
  const identity = (type: string, what: string) => `${type}@${(hash32(state.model.seed, 'identity', processId, type, what) & 0x7fffffff).toString(16)}`;
  const lock = trace.lock === null ? null : identity(trace.lock, thread.owner ?? lockOwner(name, trace.lock));
  let text = `"${name}"`;
  if (printsPriority) text += `${thread.daemon ? ' daemon' : ''} prio=${thread.priority}`;
  text += ` Id=${id} ${trace.state}`;
  if (lock !== null) text += ` on ${lock}`;
  if (thread.owner !== undefined) text += ` owned by "${thread.owner}" Id=${ids.get(thread.owner) ?? id}`;
  if (thread.native) text += ' (in native)';
  text += '\n';
  trace.frames.slice(0, maxDepth).forEach((frame, depth) => {
    text += `\tat ${moduleOf(frame)}${frame.replace(/\$\$Lambda(\$\d+)?\./, () => `${lambdaName(frame)}.`)}\n`;
    if (depth === 0 && lock !== null) text += `\t-  ${trace.state === 'BLOCKED' ? 'blocked' : 'waiting'} on ${lock}\n`;
    for (const type of monitorsAt(trace.frames, depth)) text += `\t-  locked ${identity(type, name)}\n`;
  });
  if (trace.frames.length > maxDepth) text += '\t...\n';
  return `${text}\n`;
}

/** Threads of one pool wait for the same object. */
function lockOwner(threadName: string, lock: string): string {
  return lock.endsWith('ForkJoinPool') || /io-thread|worker/.test(threadName) ? threadName.replace(/\d+$/, '') : threadName;
}

/** Monitors that a frame holds: a selector's own, a source's checkpoint lock. */
function monitorsAt(frames: readonly string[], depth: number): readonly string[] {
  const frame = frames[depth];
  if (frame.startsWith('sun.nio.ch.SelectorImpl.lockAndDoSelect')) {
    const netty = frames.some((other) => other.includes('netty4'));
    return [netty ? 'org.apache.flink.shaded.netty4.io.netty.channel.nio.SelectedSelectionKeySet' : 'sun.nio.ch.Util$2', 'sun.nio.ch.EPollSelectorImpl'];
  }
  return frame.includes('StreamSourceContexts$WatermarkContext.collectWithTimestamp') ? ['java.lang.Object'] : [];
}

/** Class loader and module in front of a frame: none for user code and for the actor system's own class loader. */
function moduleOf(frame: string): string {
  if (/^(java|jdk|sun\.nio)\./.test(frame)) return 'java.base@17.0.15/';
  if (frame.startsWith('sun.management.')) return 'java.management@17.0.15/';
  if (frame.startsWith('sun.misc.')) return 'jdk.unsupported@17.0.15/';
  if (frame.startsWith('org.apache.flink.connector.') || frame.startsWith('org.apache.flink.streaming.connectors.')) return '';
  return /^(org\.apache\.flink|akka)\./.test(frame) ? 'app//' : '';
}
