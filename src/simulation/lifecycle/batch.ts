import { parseMemoryBytes } from '../../versions/flink-options.js';
import { logLine } from '../logs/index.js';
import type { JobEdgeModel, JobVertexModel } from '../model/job-model.js';
import { emittedBytes, growNetwork } from '../network/index.js';
import { booleanOption, findOption } from '../options.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { createSubtaskColumns } from '../state/subtask-columns.js';
import { lifecycleOf } from '../version.js';
import { createSubtasks } from './attempts.js';

const PREFIX = 'execution.batch.adaptive.auto-parallelism';
const OLD_PREFIX = 'jobmanager.adaptive-batch-scheduler';
/** Where nothing is set, a vertex gets at most so many subtasks. */
const DEFAULT_LIMIT = 128;
/** Broadcast inputs count for at most that part of what a task is to read. */
const BROADCAST_SHARE = 0.5;

/** Some of its vertices wait for others to finish. */
export function hasStages(job: JobState): boolean {
  return job.model.edges.some((edge) => edge.exchange === 'blocking');
}

function integerOption(state: SimulationState, name: string): number | null {
  const text = findOption(state.options, `${PREFIX}.${name}`, `${OLD_PREFIX}.${name}`);
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : null;
}

function isDecided(state: SimulationState, job: JobState, vertex: JobVertexModel): boolean {
  return job.schedulerType === 'AdaptiveBatch' && vertex.decidedAtRunTime === true && booleanOption(state.options, `${PREFIX}.enabled`, true);
}

/** The most subtasks that a vertex without a parallelism of its own can get. */
function limitOf(state: SimulationState): number {
  const inherited = lifecycleOf(state).batchLimitIsDefaultParallelism ? Number(findOption(state.options, 'parallelism.default') ?? DEFAULT_LIMIT) : DEFAULT_LIMIT;
  return integerOption(state, 'max-parallelism') ?? (inherited > 0 ? inherited : DEFAULT_LIMIT);
}

/** Max parallelism of a vertex of the job. */
export function mostSubtasks(state: SimulationState, job: JobState, vertex: JobVertexModel): number {
  return isDecided(state, job, vertex) ? limitOf(state) : vertex.maxParallelism;
}

function sourceParallelism(state: SimulationState): number {
  return integerOption(state, 'default-source-parallelism') ?? (lifecycleOf(state).batchSourcesFollowLimit ? limitOf(state) : 1);
}

function nearestPowerOfTwo(value: number): number {
  const down = 2 ** Math.floor(Math.log2(value));
  return value < 1.5 * down ? down : 2 * down;
}

/** As many tasks as are needed for each to read the volume that is wanted, within the limits. */
function parallelismForBytes(state: SimulationState, edges: readonly JobEdgeModel[], bytesOf: (edge: JobEdgeModel) => number): number {
  const features = lifecycleOf(state);
  const perTask = parseMemoryBytes(findOption(state.options, `${PREFIX}.avg-data-volume-per-task`, `${OLD_PREFIX}.avg-data-volume-per-task`) ?? '') ?? features.batchBytesPerTask;
  const sum = (broadcast: boolean): number => edges.filter(({ shipStrategy }) => (shipStrategy === 'BROADCAST') === broadcast).reduce((bytes, edge) => bytes + bytesOf(edge), 0);
  const wanted = Math.ceil(sum(false) / (perTask - Math.min(sum(true), perTask * BROADCAST_SHARE)));
  const bounded = Math.min(limitOf(state), Math.max(integerOption(state, 'min-parallelism') ?? 1, wanted));
  return features.batchParallelismIsPowerOfTwo ? nearestPowerOfTwo(bounded) : bounded;
}

/**
 * Subtasks that a vertex gets as things stand: 0 = none yet, because something that feeds it has none or, where it is decided or the
 * version makes vertices late, has not finished.
 */
function parallelismNow(state: SimulationState, job: JobState, v: number, parallelism: readonly number[], isFinished: (vertexIndex: number) => boolean, bytesOf: (edge: JobEdgeModel) => number): number {
  const { vertices, edges } = job.model;
  const vertex = vertices[v];
  if (job.schedulerType !== 'AdaptiveBatch') return vertex.parallelism;
  const inputs = edges.filter((edge) => edge.targetVertexId === vertex.id);
  const decided = isDecided(state, job, vertex);
  if (inputs.length === 0) return decided ? sourceParallelism(state) : vertex.parallelism;
  const producerOf = (edge: JobEdgeModel): number => vertices.findIndex(({ id }) => id === edge.sourceVertexId);
  if (inputs.some((edge) => parallelism[producerOf(edge)] === 0)) return 0;
  const inputsThere = inputs.every((edge) => edge.exchange !== 'blocking' || isFinished(producerOf(edge)));
  if (!inputsThere && (decided || lifecycleOf(state).batchVerticesAppear)) return 0;
  if (!decided) return vertex.parallelism;
  // A forward group has one parallelism.
  const forward = inputs.find((edge) => edge.shipStrategy === 'FORWARD');
  return forward ? parallelism[producerOf(forward)] : parallelismForBytes(state, inputs, bytesOf);
}

/** Subtasks by vertex of a job that is submitted; 0 = it is initialized later. */
export function initialParallelism(state: SimulationState, job: JobState): number[] {
  const parallelism: number[] = [];
  job.model.vertices.forEach((_, v) => parallelism.push(parallelismNow(state, job, v, parallelism, () => false, () => 0)));
  return parallelism;
}

/** Gives their subtasks to vertices whose inputs are there now. */
export function initializeVertices(state: SimulationState, job: JobState): void {
  if (job.vertices.every((vertex) => vertex.parallelism > 0)) return;
  const isFinished = (v: number): boolean => job.vertices[v].subtasks.every(({ current }) => current.state === 'FINISHED');
  const parallelism = job.vertices.map((vertex) => vertex.parallelism);
  job.vertices.forEach((vertex, v) => {
    if (parallelism[v] > 0) return;
    const count = parallelismNow(state, job, v, parallelism, isFinished, (edge) => emittedBytes(job, job.model.edges.indexOf(edge)));
    if (count === 0) return;
    parallelism[v] = count;
    vertex.parallelism = count;
    vertex.model = { ...vertex.model, parallelism: count };
    vertex.subtasks = createSubtasks(state, job.id, job.executionGraphId, vertex.id, count);
    vertex.columns = createSubtaskColumns(count);
    if (isDecided(state, job, vertex.model)) logLine(state, state.jobManager.log, 'parallelismDecided', { vertexName: vertex.model.name, vertex: vertex.id, parallelism: count });
  });
  growNetwork(state, job);
}
