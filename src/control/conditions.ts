import { z } from 'zod';
import { name } from '../scenario/schema/scalars.js';
import { nearestName } from '../scenario/nearest-name.js';
import { consumedOffsets } from '../simulation/kafka/index.js';
import { JOB_STATUSES, type JobState, type JobVertexState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { describeIssues } from './input-problems.js';
import { createLevelMeter } from './level-meter.js';
import { knownJobs, knownOperators } from './known-names.js';
import { ControlError } from './problem.js';

const job = name.optional().meta({ description: 'Name or id of a job; any job when left out' });
const level = z.enum(['ok', 'low', 'high']);
const records = z.number().min(0);

/** What time can be advanced to, or waited for. Exactly one a condition; `all` and `any` combine them. */
export const CONDITIONS = {
  vertexLevel: z.strictObject({ job, vertex: name.meta({ description: 'Name or id of a vertex, or of an operator in it' }), level }).meta({ description: 'Back pressure of a vertex, by its worst subtask, as Flink would find it now: by the gauges of the last 5 s, or (until 1.12) by a sample of 5 s' }),
  jobStatus: z.strictObject({ job, status: z.enum(JOB_STATUSES) }),
  allTasksRunning: z.strictObject({ job }).meta({ description: 'The job is RUNNING and so is every subtask' }),
  checkpointCompleted: z.strictObject({ job, id: z.int().min(1).optional() }).meta({ description: 'A checkpoint with this id or a later one; without an id: one that completes after the question' }),
  checkpointFailed: z.strictObject({ job, count: z.int().min(1).default(1) }).meta({ description: 'So many checkpoints have failed' }),
  restarts: z.strictObject({ job, count: z.int().min(1) }).meta({ description: 'The job was restarted so many times' }),
  lagAbove: z.strictObject({ job, records }).meta({ description: 'Records in Kafka that the job has not read' }),
  lagBelow: z.strictObject({ job, records }),
  taskManagers: z.strictObject({ count: z.int().min(0) }).meta({ description: 'So many task managers are registered' }),
} as const;

type LeafName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as LeafName[];

type LeafInput = { [K in LeafName]: { readonly [P in K]: z.input<(typeof CONDITIONS)[K]> } }[LeafName];
type LeafCondition = { [K in LeafName]: { readonly [P in K]: z.output<(typeof CONDITIONS)[K]> } }[LeafName];

/** As given: defaults may be left out. */
export type ConditionInput = LeafInput | { readonly all: readonly ConditionInput[] } | { readonly any: readonly ConditionInput[] };
type Condition = LeafCondition | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] };

const leafSchemas = CONDITION_NAMES.map((key) => z.strictObject({ [key]: CONDITIONS[key] }));
const leaf = z.union(leafSchemas as unknown as [z.ZodType, z.ZodType], {
  error: () => `a condition: one of ${CONDITION_NAMES.join(', ')}, all, any`,
});
const combined = z.union([leaf, z.strictObject({ all: z.array(leaf).min(1).max(20) }), z.strictObject({ any: z.array(leaf).min(1).max(20) })], {
  error: (issue) => conditionHint(issue.input),
});

/** A condition as JSON. */
export const conditionSchema = combined.meta({ description: `One of ${CONDITION_NAMES.join(', ')}; or all, any of several` }) as unknown as z.ZodType<Condition, ConditionInput>;

function conditionHint(input: unknown): string {
  const isMap = typeof input === 'object' && input !== null && !Array.isArray(input);
  const keys = isMap ? Object.keys(input) : [];
  const allowed = [...CONDITION_NAMES, 'all', 'any'];
  const key = keys[0];
  if (!isMap) return `a map with one key, one of ${allowed.join(', ')}`;
  if (keys.length !== 1 || key === undefined) return `a condition has one key, one of ${allowed.join(', ')}`;
  if (!allowed.includes(key)) {
    const near = nearestName(key, allowed);
    return `there is no condition ${key}; ${near ? `did you mean ${near}? ` : ''}allowed: ${allowed.join(', ')}`;
  }
  if (!(key in CONDITIONS)) return `${key} takes a list of 1 to 20 conditions (of ${CONDITION_NAMES.join(', ')})`;
  const schema = CONDITIONS[key as LeafName];
  const checked = schema.safeParse((input as Record<string, unknown>)[key], { reportInput: true });
  return checked.success ? 'wrong' : describeIssues(checked.error.issues, schema, [key]);
}

/** A condition over the state: JSON-like, or (in the library) any function. */
export type StateCondition = ConditionInput | ((state: SimulationState) => boolean);

/** Says of a state whether the condition holds; throws a ControlError where it names what there is not. */
export function createCondition(input: StateCondition, state: SimulationState): (state: SimulationState) => boolean {
  if (typeof input === 'function') return input;
  const parsed = conditionSchema.safeParse(input);
  if (!parsed.success) throw new ControlError(400, parsed.error.issues.map(({ message }) => message).join('; '));
  return build(parsed.data, state);
}

function build(condition: Condition, state: SimulationState): (state: SimulationState) => boolean {
  if ('all' in condition) {
    const parts = condition.all.map((part) => build(part, state));
    return (now) => parts.every((part) => part(now));
  }
  if ('any' in condition) {
    const parts = condition.any.map((part) => build(part, state));
    return (now) => parts.some((part) => part(now));
  }
  const named = Object.values(condition)[0] as { readonly job?: string };
  checkJob(named.job, state);
  if ('vertexLevel' in condition) {
    const { job: jobName, vertex, level: wanted } = condition.vertexLevel;
    checkVertex(jobName, vertex, state);
    const meter = createLevelMeter(state);
    return (now) => jobsOf(now, jobName).some((each) => each.vertices.some((candidate, index) => isVertex(candidate, vertex) && meter(now, each, index) === wanted));
  }
  if ('jobStatus' in condition) return (now) => jobsOf(now, condition.jobStatus.job).some(({ status }) => status === condition.jobStatus.status);
  if ('allTasksRunning' in condition) return (now) => jobsOf(now, condition.allTasksRunning.job).some(isWhollyRunning);
  if ('checkpointCompleted' in condition) {
    const { job: jobName, id } = condition.checkpointCompleted;
    const from = id ?? Math.max(0, ...jobsOf(state, jobName).map(lastCompleted)) + 1;
    return (now) => jobsOf(now, jobName).some((each) => lastCompleted(each) >= from);
  }
  if ('checkpointFailed' in condition) return (now) => jobsOf(now, condition.checkpointFailed.job).some(({ checkpoints }) => (checkpoints?.counts.failed ?? 0) >= condition.checkpointFailed.count);
  if ('restarts' in condition) return (now) => jobsOf(now, condition.restarts.job).some(({ numRestarts }) => numRestarts >= condition.restarts.count);
  if ('lagAbove' in condition) return (now) => lagOf(now, condition.lagAbove.job) > condition.lagAbove.records;
  if ('lagBelow' in condition) return (now) => lagOf(now, condition.lagBelow.job) < condition.lagBelow.records;
  return (now) => [...now.taskManagers.values()].filter(({ status }) => status === 'REGISTERED').length === condition.taskManagers.count;
}

function checkJob(jobName: string | undefined, state: SimulationState): void {
  if (jobName === undefined) return;
  const known = knownJobs(state).map(({ name: each }) => each);
  if (known.includes(jobName) || state.jobs.has(jobName) || [...state.jobs.values()].some(({ name: each }) => each === jobName)) return;
  const near = nearestName(jobName, known);
  throw new ControlError(404, `there is no job ${JSON.stringify(jobName)}; ${near ? `did you mean ${JSON.stringify(near)}? ` : ''}allowed: ${known.join(', ') || 'none, there is no job'}`);
}

function checkVertex(jobName: string | undefined, vertex: string, state: SimulationState): void {
  const names = knownJobs(state).filter((each) => jobName === undefined || each.name === jobName || each.jobId === jobName).flatMap(knownOperators);
  if (names.some((each) => each.name === vertex || each.id === vertex)) return;
  const readable = [...new Set(names.map((each) => each.name))];
  const near = nearestName(vertex, readable);
  throw new ControlError(404, `there is no vertex ${JSON.stringify(vertex)}; ${near ? `did you mean ${JSON.stringify(near)}? ` : ''}allowed: ${readable.join(', ') || 'none, there is no job'}`);
}

function jobsOf(state: SimulationState, jobName: string | undefined): JobState[] {
  return [...state.jobs.values()].filter((each) => jobName === undefined || each.id === jobName || each.name === jobName);
}

export function isVertex(vertex: JobVertexState, named: string): boolean {
  return vertex.id === named || vertex.model.name === named || vertex.model.operators.some((operator) => operator.id === named || operator.name === named);
}

function isWhollyRunning({ status, vertices }: JobState): boolean {
  return status === 'RUNNING' && vertices.length > 0 && vertices.every(({ subtasks }) => subtasks.every(({ current }) => current.state === 'RUNNING'));
}

function lastCompleted({ checkpoints }: JobState): number {
  return checkpoints?.latestCompleted?.id ?? 0;
}

/** Records in the topics of a job's sources that they have not emitted. */
export function lagOf(state: SimulationState, jobName: string | undefined): number {
  let lag = 0;
  for (const each of jobsOf(state, jobName)) {
    each.vertices.forEach((vertex, index) => {
      const { kafkaSource } = vertex;
      if (!kafkaSource) return;
      const consumed = consumedOffsets(state, each, index);
      kafkaSource.topicState.endOffsets.forEach((end, partition) => (lag += Math.max(0, end - Math.max(0, consumed[partition]!))));
    });
  }
  return Math.floor(lag);
}
