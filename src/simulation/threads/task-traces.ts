import type { OperatorModel } from '../model/job-model.js';
import type { JobState, JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { uniform } from '../random.js';
import { valueIn } from '../../versions/flink-versions.js';
import { STACK_FRAMES, type StackFrames } from '../../versions/stack-frames.js';
import { versionOf } from '../version.js';
import { threadActivityAt, type ThreadActivity } from './thread-activity.js';
import { sinceStartMs } from '../since-start.js';

export type JavaThreadState = 'RUNNABLE' | 'TIMED_WAITING' | 'WAITING' | 'BLOCKED';

export interface StackTrace {
  readonly state: JavaThreadState;
  /** Class of the object waited for, null = none. */
  readonly lock: string | null;
  /** `class.method(File.java:line)`, innermost first. */
  readonly frames: readonly string[];
}

const CONDITION = 'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject';
const FUTURE_SIGNALLER = 'java.util.concurrent.CompletableFuture$Signaller';
/** A legacy source's task thread wants the checkpoint lock for a mail that often, when the source sits on it (recorded: 18 % of the looks). */
const MAIL_BLOCKED_SHARE = 0.18;

/** Where a look at a task's thread found it, short: what it did, and in which operator (-1: writing out; of no meaning while it waits). */
export interface ThreadPosition {
  readonly activity: ThreadActivity | 'mail-blocked';
  readonly operator: number;
}

/** What a look at the task thread (of a legacy source: the thread beside the one that runs the source) finds. */
export function taskThreadPosition(state: SimulationState, vertex: JobVertexState, subtask: number, atMs: number): ThreadPosition {
  const position = workingThreadPosition(state, vertex, subtask, atMs);
  if (!runsLegacySource(vertex)) return position;
  const blocked = position.activity === 'hard-back-pressured' && uniform(state.model.seed, 'mail', vertex.id, subtask, Math.floor(sinceStartMs(state, atMs))) < MAIL_BLOCKED_SHARE;
  return { activity: blocked ? 'mail-blocked' : 'idle', operator: -1 };
}

/** What a look at the thread that runs the operators finds. */
export function workingThreadPosition(state: SimulationState, vertex: JobVertexState, subtask: number, atMs: number): ThreadPosition {
  const activity = threadActivityAt(state, vertex, subtask, atMs);
  return { activity, operator: activity === 'busy' ? busyOperator(state, vertex, subtask, atMs) : -1 };
}

export function runsLegacySource(vertex: JobVertexState): boolean {
  return vertex.model.operators[0].source?.legacy === true;
}

/** A busy thread is in an operator as often as that operator takes of the chain's time; with no time given, it writes. */
function busyOperator(state: SimulationState, vertex: JobVertexState, subtask: number, atMs: number): number {
  const { operators } = vertex.model;
  const total = operators.reduce((sum, operator) => sum + operator.serviceTimeUs, 0);
  if (total <= 0) return operators[operators.length - 1].kind === 'sink' ? operators.length - 1 : -1;
  let at = uniform(state.model.seed, 'operator', vertex.id, subtask, Math.floor(sinceStartMs(state, atMs))) * total;
  for (let i = 0; i < operators.length; i++) {
    at -= operators[i].serviceTimeUs;
    if (at < 0) return i;
  }
  return operators.length - 1;
}

/** The trace of a task's thread that was found at a position. `thread`: its own, or the one that runs a legacy source. */
export function traceAt(state: SimulationState, job: JobState, vertex: JobVertexState, position: ThreadPosition, thread: 'task' | 'legacy-source'): StackTrace {
  const pieces = valueIn(STACK_FRAMES, versionOf(state));
  const { activity, operator } = position;
  if (activity === 'mail-blocked') return { state: 'BLOCKED', lock: 'java.lang.Object', frames: [...pieces.mailBlocked, ...pieces.taskBase] };
  if (activity === 'hard-back-pressured') {
    const frames = [...pieces.bufferRequest, ...pieces.networkOutput, ...chainFrames(job, vertex, pieces, vertex.model.operators.length - 1, null)];
    return { state: 'WAITING', lock: FUTURE_SIGNALLER, frames: [...frames, ...callers(vertex, pieces, thread)] };
  }
  if (activity === 'busy') {
    const { operators } = vertex.model;
    const last = operators.length - 1;
    const inner = operator < 0 ? [...pieces.write, ...pieces.networkOutput, ...chainFrames(job, vertex, pieces, last, null)] : chainFrames(job, vertex, pieces, operator, operators[operator]);
    return { state: 'RUNNABLE', lock: null, frames: [...inner, ...callers(vertex, pieces, thread)] };
  }
  if (thread === 'legacy-source') return idleSource(vertex, pieces);
  return { state: 'TIMED_WAITING', lock: CONDITION, frames: [...pieces.mailboxWait, ...pieces.taskBase] };
}

/** Frames of the chain from operator `index` (its user function when `working`) out to the head. */
function chainFrames(job: JobState, vertex: JobVertexState, pieces: StackFrames, index: number, working: OperatorModel | null): string[] {
  const { operators } = vertex.model;
  const hop = job.model.objectReuse ? pieces.chainedWithoutCopy : pieces.chained;
  const frames: string[] = [];
  for (let i = index; i >= 0; i--) {
    const operator = operators[i];
    if (operator.kind === 'source') break;
    const piece = i === index && working !== null ? pieces.operators[operator.kind] : pieces.passing[operator.kind];
    for (const frame of piece) frames.push(ofFunction(frame, operator));
    if (i > 0) frames.push(...hop);
  }
  return frames;
}

/** What calls the head operator. */
function callers(vertex: JobVertexState, pieces: StackFrames, thread: 'task' | 'legacy-source'): string[] {
  const head = vertex.model.operators[0];
  const loop = [...pieces.defaultAction, ...pieces.taskBase];
  if (head.source === null) return [...pieces.networkInput, ...loop];
  if (thread === 'legacy-source') return pieces.legacySource.map((frame) => ofFunction(frame, head));
  const reader = head.source.kind === 'kafka' ? pieces.kafkaEmitter : pieces.generatorReader;
  return [...pieces.sourceOperator.flatMap((frame) => (frame === '$READER' ? reader : [frame])), ...loop];
}

/** A legacy source that has nothing to emit waits in its own function. */
function idleSource(vertex: JobVertexState, pieces: StackFrames): StackTrace {
  const head = vertex.model.operators[0];
  const own = pieces.legacySource.slice(pieces.legacySource.findIndex((frame) => frame.startsWith('$F.'))).map((frame) => ofFunction(frame, head));
  return { state: 'TIMED_WAITING', lock: null, frames: ['java.lang.Thread.sleep(Native Method)', ...own] };
}

/** A class for an operator's function: its name without what cannot be in one (`Source: Kafka nlp` gives `SourceKafkaNlp`). */
function ofFunction(frame: string, operator: OperatorModel): string {
  if (!frame.includes('$F')) return frame;
  const words = operator.name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return frame.replaceAll('$F', /^[A-Za-z]/.test(name) ? name : `Operator${name}`);
}

/** A position as text, to count by. */
export function positionKey(position: ThreadPosition): string {
  return `${position.activity}/${position.operator}`;
}

export function parsePositionKey(key: string): ThreadPosition {
  const slash = key.indexOf('/');
  return { activity: key.slice(0, slash) as ThreadPosition['activity'], operator: Number(key.slice(slash + 1)) };
}
