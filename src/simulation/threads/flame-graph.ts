import type { JobState, JobVertexState } from '../state/job-state.js';
import type { FlameGraphTrackerState, ThreadSampleState } from '../state/sample-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { valueIn } from '../../versions/flink-versions.js';
import { CLEANS_LAMBDA_NAMES } from '../../versions/stack-frames.js';
import { booleanOption, durationOption, numberOption } from '../options.js';
import { versionOf } from '../version.js';
import { parsePositionKey, positionKey, taskThreadPosition, traceAt, type JavaThreadState } from './task-traces.js';

export type FlameGraphType = 'FULL' | 'ON_CPU' | 'OFF_CPU';

export interface FlameGraphNode {
  readonly name: string;
  value: number;
  readonly children: FlameGraphNode[];
}

export interface FlameGraph {
  /** Epoch ms; -1 terminated, -2 disabled, -3 waiting for a sample. */
  readonly endTimestamp: number;
  readonly data?: FlameGraphNode;
}

const TERMINATED = -1;
const DISABLED = -2;
const WAITING = -3;
const ALL_SUBTASKS = -1;
const TERMINAL: readonly string[] = ['FINISHED', 'CANCELED', 'FAILED'];

interface SamplingOptions {
  readonly cleanupIntervalMs: number;
  readonly refreshIntervalMs: number;
  readonly numSamples: number;
  readonly delayMs: number;
  readonly maxDepth: number;
}

function samplingOptions(state: SimulationState): SamplingOptions {
  const { options } = state;
  return {
    cleanupIntervalMs: durationOption(options, 'rest.flamegraph.cleanup-interval', 600_000),
    refreshIntervalMs: durationOption(options, 'rest.flamegraph.refresh-interval', 60_000),
    numSamples: Math.max(1, Math.floor(numberOption(options, 'rest.flamegraph.num-samples', 100))),
    delayMs: Math.max(1, durationOption(options, 'rest.flamegraph.delay-between-samples', 50)),
    maxDepth: Math.max(1, Math.floor(numberOption(options, 'rest.flamegraph.stack-depth', 100))),
  };
}

/**
 * The flame graph of a vertex, or of one subtask of it: what was sampled last, while a new sample is taken when that is old. null when
 * there is no such vertex or subtask.
 */
export function requestFlameGraph(state: SimulationState, jobId: string, vertexId: string, subtask: number | null, type: FlameGraphType): FlameGraph | null {
  if (!booleanOption(state.options, 'rest.flamegraph.enabled', false)) return { endTimestamp: DISABLED };
  const job = state.jobs.get(jobId);
  const vertex = job?.vertices.find((candidate) => candidate.id === vertexId);
  if (job === undefined || vertex === undefined || (subtask !== null && (subtask < 0 || subtask >= vertex.parallelism))) return null;
  const subtasks = subtask === null ? vertex.subtasks.map((execution) => execution.index) : [subtask];
  if (subtasks.every((index) => TERMINAL.includes(vertex.subtasks[index].current.state))) return { endTimestamp: TERMINATED };
  const options = samplingOptions(state);
  const trackers = (vertex.flameGraphs ??= new Map<number, FlameGraphTrackerState>());
  const key = subtask ?? ALL_SUBTASKS;
  let tracker = trackers.get(key);
  if (tracker === undefined) trackers.set(key, (tracker = { result: null, lastAccessMs: state.nowMs, sample: null }));
  if (state.nowMs - tracker.lastAccessMs >= options.cleanupIntervalMs) tracker.result = null;
  tracker.lastAccessMs = state.nowMs;
  const { result } = tracker;
  if (tracker.sample === null && (result === null || state.nowMs - result.endMs >= options.refreshIntervalMs)) tracker.sample = startSample(state, vertex, subtasks);
  return result === null ? { endTimestamp: WAITING } : { endTimestamp: Math.floor(result.endMs), data: buildTree(state, job, vertex, result, type, options.maxDepth) };
}

/** Tasks that are not running are left out; with none left there is no sample. */
function startSample(state: SimulationState, vertex: JobVertexState, subtasks: readonly number[]): ThreadSampleState | null {
  const running = subtasks.filter((index) => ['RUNNING', 'INITIALIZING'].includes(vertex.subtasks[index].current.state));
  if (running.length === 0) return null;
  return { startMs: state.nowMs, endMs: -1, subtasks: running, attemptIds: running.map((index) => vertex.subtasks[index].current.attemptId), looks: new Int32Array(running.length), traces: new Map() };
}

/** Takes the looks that fall into the tick that ends now. */
export function tickThreadSamples(state: SimulationState): void {
  let options: SamplingOptions | null = null;
  for (const job of state.jobs.values()) {
    for (const vertex of job.vertices) {
      if (vertex.flameGraphs === undefined) continue;
      for (const tracker of vertex.flameGraphs.values()) {
        if (tracker.sample === null) continue;
        options ??= samplingOptions(state);
        takeLooks(state, vertex, tracker, tracker.sample, options);
      }
    }
  }
}

function takeLooks(state: SimulationState, vertex: JobVertexState, tracker: FlameGraphTrackerState, sample: ThreadSampleState, options: SamplingOptions): void {
  const due = Math.min(options.numSamples, Math.floor((state.nowMs - sample.startMs) / options.delayMs) + 1);
  let complete = true;
  sample.subtasks.forEach((subtask, i) => {
    const attempt = vertex.subtasks[subtask]?.current;
    if (attempt === undefined || attempt.attemptId !== sample.attemptIds[i] || TERMINAL.includes(attempt.state)) return;
    for (; sample.looks[i] < due; sample.looks[i]++) {
      const key = positionKey(taskThreadPosition(state, vertex, subtask, sample.startMs + sample.looks[i] * options.delayMs));
      sample.traces.set(key, (sample.traces.get(key) ?? 0) + 1);
    }
    if (sample.looks[i] < options.numSamples) complete = false;
  });
  if (!complete) return;
  sample.endMs = state.nowMs;
  tracker.sample = null;
  if (sample.traces.size > 0) tracker.result = sample;
}

const STATES: Readonly<Record<FlameGraphType, readonly JavaThreadState[]>> = {
  FULL: ['RUNNABLE', 'TIMED_WAITING', 'WAITING', 'BLOCKED'],
  ON_CPU: ['RUNNABLE'],
  OFF_CPU: ['TIMED_WAITING', 'WAITING', 'BLOCKED'],
};

function buildTree(state: SimulationState, job: JobState, vertex: JobVertexState, sample: ThreadSampleState, type: FlameGraphType, maxDepth: number): FlameGraphNode {
  const cleansLambdas = valueIn(CLEANS_LAMBDA_NAMES, versionOf(state));
  const root: FlameGraphNode = { name: 'root', value: 0, children: [] };
  for (const [key, count] of sample.traces) {
    const trace = traceAt(state, job, vertex, parsePositionKey(key), 'task');
    if (!STATES[type].includes(trace.state)) continue;
    root.value += count;
    let node = root;
    for (const frame of trace.frames.slice(0, maxDepth).reverse()) {
      const name = locationOf(frame, cleansLambdas);
      let child = node.children.find((candidate) => candidate.name === name);
      if (child === undefined) node.children.push((child = { name, value: 0, children: [] }));
      child.value += count;
      node = child;
    }
  }
  return root;
}

/** `class.method:line`, with Java's -1 for an unknown source and -2 for a native method. */
function locationOf(frame: string, cleansLambdas: boolean): string {
  const open = frame.indexOf('(');
  const source = frame.slice(open + 1, -1);
  const line = source === 'Native Method' ? -2 : source === 'Unknown Source' ? -1 : Number(source.slice(source.indexOf(':') + 1));
  const lambda = cleansLambdas ? '$$Lambda$0/0x0' : lambdaName(frame);
  return `${frame.slice(0, open).replace(/\$\$Lambda(?=\.)/, () => lambda)}:${line}`;
}

/** What the JVM calls a lambda's class: a running number and an address, made from its place. */
export function lambdaName(frame: string): string {
  let hash = 7;
  for (let i = 0; i < frame.length; i++) hash = (Math.imul(hash, 31) + frame.charCodeAt(i)) >>> 0;
  return `$$Lambda$${600 + (hash % 400)}/0x00007f2b1c${(0x500000 + (hash % 0x9ffff)).toString(16)}`;
}
