import { z } from 'zod';
import { taskThreadName } from '../../simulation/threads/index.js';
import { runsLegacySource, taskThreadPosition, traceAt, workingThreadPosition, positionKey, parsePositionKey, type ThreadPosition } from '../../simulation/threads/task-traces.js';
import { ACTIONS } from '../../scenario/schema/timeline-schema.js';
import { FAULT_EFFECTS, httpFaultSchema } from '../../scenario/schema/http-fault-schema.js';
import { NO_CHECKPOINT_INTERVAL, type CheckpointState } from '../../simulation/state/checkpoint-state.js';
import type { JobState, JobVertexState } from '../../simulation/state/job-state.js';
import type { LogEntry } from '../../simulation/state/log-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { CONDITIONS } from '../conditions.js';
import { ControlError } from '../problem.js';
import type { ConsoleCheckpoint, ConsoleCheckpoints, ConsoleForms, ConsoleGraph, ConsoleJob, ConsoleLog, ConsoleThread, ConsoleThreads, ConsoleVertex, VertexFigures } from './console-types.js';
import { NO_GROWTH } from './growth.js';
import { jobLag, type ConsoleRecorder } from './recorder.js';

const round = (value: number, digits: number): number => (Number.isFinite(value) ? Number(value.toFixed(digits)) : 0);
const share = (value: number): number => round(value, 3);
const rate = (value: number): number => round(value, value < 100 ? 1 : 0);
const greatest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);
const runningTasks = ({ subtasks }: JobVertexState): number => subtasks.reduce((count, { current }) => count + (current.state === 'RUNNING' ? 1 : 0), 0);

/** Names the graph as it is: another parallelism makes another one. */
function graphKey(job: JobState): string {
  return `${job.id}/${job.vertices.map(({ parallelism }) => parallelism).join(',')}`;
}

export function jobView(state: SimulationState, job: JobState, recorder: ConsoleRecorder): ConsoleJob {
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    startMs: job.startMs,
    endMs: job.endMs,
    restarts: job.numRestarts,
    failureCause: job.failureCause?.split('\n', 1)[0] ?? null,
    lag: jobLag(state, job),
    graph: graphKey(job),
    vertices: vertexFigures(job, recorder),
    checkpoints: checkpointsView(state, job),
  };
}

function vertexFigures(job: JobState, recorder: ConsoleRecorder): VertexFigures {
  const figures = job.vertices.map((vertex) => ({ vertex, running: runningTasks(vertex), growth: runningTasks(vertex) === 0 ? NO_GROWTH : recorder.growth(job, vertex) }));
  return {
    levels: figures.map(({ running, growth }) => (running === 0 ? '-' : growth.level[0])).join(''),
    running: figures.map(({ running }) => running),
    recordsIn: figures.map(({ growth }) => rate(growth.recordsIn)),
    recordsOut: figures.map(({ growth }) => rate(growth.recordsOut)),
    busy: figures.map(({ growth }) => share(growth.busy)),
    idle: figures.map(({ growth }) => share(growth.idle)),
    backPressured: figures.map(({ growth }) => share(growth.backPressured)),
    worst: figures.map(({ growth }) => share(growth.worst)),
    inPool: figures.map(({ vertex }) => share(greatest(vertex.columns.inPoolUsage))),
    outPool: figures.map(({ vertex }) => share(greatest(vertex.columns.outPoolUsage))),
  };
}

function checkpointsView(state: SimulationState, job: JobState): ConsoleCheckpoints | null {
  if (job.checkpoints === null) return null;
  const { counts, config, history } = job.checkpoints;
  return {
    completed: counts.completed,
    failed: counts.failed,
    inProgress: counts.inProgress,
    intervalMs: config.intervalMs >= NO_CHECKPOINT_INTERVAL ? null : config.intervalMs,
    timeoutMs: config.timeoutMs,
    mode: config.unaligned ? 'exactly once, unaligned' : config.mode === 'EXACTLY_ONCE' ? 'exactly once' : 'at least once',
    recent: history.map((checkpoint) => checkpointView(state, job, checkpoint)),
  };
}

function checkpointView(state: SimulationState, job: JobState, checkpoint: CheckpointState): ConsoleCheckpoint {
  const { id, status, isSavepoint, unaligned, triggerMs, completedMs, failureMs, numAcknowledged, numSubtasks, failureMessage, vertices } = checkpoint;
  const endMs = status === 'COMPLETED' ? completedMs : status === 'FAILED' ? failureMs : state.nowMs;
  let slowest: ConsoleCheckpoint['slowest'] = null;
  let latestMs = -1;
  let stateBytes = 0;
  for (const vertex of vertices) {
    vertex.ackMs.forEach((ackMs, subtask) => {
      if (ackMs < 0) return;
      stateBytes += vertex.stateSizeBytes[subtask]!;
      if (ackMs <= latestMs) return;
      latestMs = ackMs;
      slowest = {
        vertex: job.vertices.find((each) => each.id === vertex.vertexId)?.model.name ?? vertex.vertexId,
        subtask,
        startDelayMs: round(vertex.startDelayMs[subtask]!, 1),
        alignmentMs: round(vertex.alignmentDurationMs[subtask]!, 1),
        syncMs: round(vertex.syncDurationMs[subtask]!, 1),
        asyncMs: round(vertex.asyncDurationMs[subtask]!, 1),
      };
    });
  }
  return { id, status, savepoint: isSavepoint, unaligned, triggerMs, durationMs: Math.max(0, endMs - triggerMs), acknowledged: numAcknowledged, subtasks: numSubtasks, stateBytes: Math.round(stateBytes), failure: failureMessage, slowest };
}

export function graphView(job: JobState): ConsoleGraph {
  return {
    graph: graphKey(job),
    vertices: job.vertices.map(({ id, model, parallelism, maxParallelism }) => ({
      id,
      name: model.name,
      parallelism,
      maxParallelism,
      source: model.operators[0]!.source !== null,
      operators: model.operators.map((operator) => ({ id: operator.id, name: operator.name, kind: operator.kind, serviceTimeUs: operator.serviceTimeUs })),
    })),
    edges: job.network.edges.map(({ sourceVertex, targetVertex, blocking }, index) => ({ source: sourceVertex, target: targetVertex, ship: job.model.edges[index]!.shipStrategy, blocking })),
  };
}

/** Subtasks a page. */
export const SUBTASKS_A_PAGE = 200;

export function vertexView(job: JobState, vertex: JobVertexState, from: number, recorder: ConsoleRecorder): ConsoleVertex {
  const { columns } = vertex;
  return {
    id: vertex.id,
    parallelism: vertex.parallelism,
    from,
    subtasks: vertex.subtasks.slice(from, from + SUBTASKS_A_PAGE).map(({ index: subtask, current }) => {
      const growth = current.state === 'RUNNING' ? recorder.subtaskGrowth(job, vertex, subtask) : NO_GROWTH;
      return {
        subtask,
        state: current.state,
        attempt: current.attemptNumber,
        host: current.host === null ? null : `${current.host}:${current.dataPort}`,
        recordsIn: rate(growth.recordsIn),
        recordsOut: rate(growth.recordsOut),
        busy: share(growth.busy),
        idle: share(growth.idle),
        backPressured: share(growth.backPressured),
        inputBuffers: round(columns.inputQueueLength[subtask]!, 1),
        outputBuffers: round(columns.outputQueueLength[subtask]!, 1),
        inPool: share(columns.inPoolUsage[subtask]!),
        outPool: share(columns.outPoolUsage[subtask]!),
        stateBytes: Math.round(columns.stateBytes[subtask]!),
      };
    }),
  };
}

const LOOKS = 25;

/** Looks at the threads of a task, spread over the last step of the simulation, as a sampler would take them. */
export function threadsView(state: SimulationState, job: JobState, vertex: JobVertexState, subtask: number): ConsoleThreads {
  const { nowMs, model } = state;
  const { current } = vertex.subtasks[subtask]!;
  if (current.state !== 'RUNNING') return { atMs: nowMs, running: false, threads: [] };
  const name = taskThreadName(state, vertex, current, subtask);
  const look = (positionAt: (atMs: number) => ThreadPosition, thread: 'task' | 'legacy-source', threadName: string): ConsoleThread => {
    const counts = new Map<string, number>();
    for (let i = 0; i < LOOKS; i++) {
      const key = positionKey(positionAt(nowMs - (i * model.tickMs) / LOOKS));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const found = [...counts].map(([key, looks]) => {
      const position = parsePositionKey(key);
      const { state: threadState, lock, frames } = traceAt(state, job, vertex, position, thread);
      return { activity: position.activity, state: threadState, lock, looks, frames };
    });
    return { name: threadName, looks: LOOKS, found: found.sort((a, b) => b.looks - a.looks) };
  };
  const task = look((atMs) => taskThreadPosition(state, vertex, subtask, atMs), 'task', name);
  if (!runsLegacySource(vertex)) return { atMs: nowMs, running: true, threads: [task] };
  return { atMs: nowMs, running: true, threads: [look((atMs) => workingThreadPosition(state, vertex, subtask, atMs), 'legacy-source', `Legacy Source Thread - ${name}`), task] };
}

const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const satisfies readonly LogEntry['level'][];
export type LogLevel = (typeof LOG_LEVELS)[number];
const LONGEST_MESSAGE = 8_000;

/** The last lines of a process's log that come after a number, of a level or a graver one. */
export function logView(state: SimulationState, process: string, after: number, level: LogLevel, limit: number): ConsoleLog {
  const log = process === 'jobmanager' ? state.jobManager.log : state.taskManagers.get(process)?.log;
  if (!log) throw new ControlError(404, `there is no process ${process}; allowed: jobmanager, ${[...state.taskManagers.keys()].slice(0, 20).join(', ')}`);
  const from = Math.max(0, after - log.droppedEntries);
  const lines: LogEntry[] = [];
  for (let i = log.entries.length - 1; i >= from && lines.length < limit; i--) {
    const entry = log.entries[i]!;
    if (LOG_LEVELS.indexOf(entry.level) >= LOG_LEVELS.indexOf(level)) lines.push(entry);
  }
  return { next: log.droppedEntries + log.entries.length, lines: lines.reverse().map(({ timeMs, level: each, logger, message }) => ({ timeMs, level: each, logger, message: message.slice(0, LONGEST_MESSAGE) })) };
}

let forms: Omit<ConsoleForms, 'programs'> | undefined;

/** Everything that can be done, from the schemas that the routes check by. */
export function formsView(): Omit<ConsoleForms, 'programs'> {
  const schemas = (shape: Readonly<Record<string, z.ZodType>>) => Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })]));
  // `submitJob` takes a whole job: its form is made from the programs.
  const { submitJob: _, ...events } = ACTIONS;
  const { path, method, probability, times } = httpFaultSchema.shape;
  return (forms ??= { events: schemas(events), httpFaults: schemas(FAULT_EFFECTS), httpRequests: schemas({ path, method, probability, times }), conditions: schemas(CONDITIONS) });
}
