import { schedule } from '../event-queue.js';
import { durationOption, findOption } from '../options.js';
import { logNormal } from '../random.js';
import { JOB_STATUSES, type JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { switchJob } from './job-status.js';
import { addNewResourceRescale } from './rescale-timeline.js';
import { applyParallelism, rescaleJob } from './rescale.js';
import { scheduleTasks, type JobEvent } from './scheduling.js';
import { releaseSlots, renumberSlots } from './slots.js';

const PREFIX = 'jobmanager.adaptive-scheduler';

export function isAdaptive(job: JobState): boolean {
  return job.schedulerType === 'Adaptive';
}

/** scheduler-mode: reactive. Whatever was asked for, the job takes all slots there are. */
export function isReactive(state: SimulationState): boolean {
  return findOption(state.options, 'scheduler-mode')?.trim().toLowerCase() === 'reactive';
}

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

function boundsOf(state: SimulationState, job: JobState, v: number): Bounds {
  const { id, maxParallelism } = job.vertices[v];
  if (isReactive(state)) return { lower: 1, upper: maxParallelism };
  const given = job.requirements?.[id];
  const asked = job.model.vertices[v].parallelism;
  const upper = given ? (given.upperBound === -1 ? maxParallelism : given.upperBound) : asked;
  return { lower: Math.max(1, given?.lowerBound ?? 1), upper: Math.min(upper, maxParallelism) };
}

/** Slots that a group of the job could have: those that it holds, on task managers believed to live, and the free ones. */
function slotsPerGroup(state: SimulationState, job: JobState): number {
  let slots = job.slots.length;
  for (const taskManager of state.taskManagers.values()) {
    if (taskManager.status === 'REGISTERED') slots += taskManager.slots.filter(({ jobId }) => jobId === null).length;
  }
  return Math.floor(slots / new Set(job.vertices.map((vertex) => vertex.model.slotSharingGroup)).size);
}

/** Parallelism by vertex with the slots there are; null when they are too few for some lower bound. */
export function reachableParallelism(state: SimulationState, job: JobState): number[] | null {
  const slots = slotsPerGroup(state, job);
  const bounds = job.vertices.map((_, v) => boundsOf(state, job, v));
  return bounds.every(({ lower }) => lower <= slots) ? bounds.map(({ upper }) => Math.min(upper, slots)) : null;
}

function isDesired(state: SimulationState, job: JobState, parallelism: readonly number[]): boolean {
  return parallelism.every((each, v) => each === boundsOf(state, job, v).upper);
}

/** Forgets what an earlier execution graph went through: each restart makes a new one. */
function forgetTimes(job: JobState): void {
  const kept = JOB_STATUSES.indexOf('INITIALIZING');
  job.statusTimestamps.forEach((_, i) => {
    if (i !== kept) job.statusTimestamps[i] = 0;
  });
}

/** The job waits until it has the slots that it wants, or has waited long enough with fewer, and then starts. */
export function waitForResources(state: SimulationState, job: JobState): void {
  const reachable = reachableParallelism(state, job);
  if (reachable && (isReactive(state) || isDesired(state, job, reachable))) {
    createExecutionGraph(state, job);
    return;
  }
  if (job.waitingForSlotsSinceMs >= 0 && job.status === 'CREATED') return;
  job.waitingForSlotsSinceMs = state.nowMs;
  enterCreated(state, job);
  const event: JobEvent = { jobId: job.id, generation: job.generation };
  const stabilizationMs = durationOption(state.options, [`${PREFIX}.submission.resource-stabilization-timeout`, `${PREFIX}.resource-stabilization-timeout`], 10_000);
  const waitMs = durationOption(state.options, [`${PREFIX}.submission.resource-wait-timeout`, `${PREFIX}.resource-wait-timeout`], 300_000);
  schedule(state.queue, state.nowMs + stabilizationMs, 'lifecycle.resources-stable', event);
  if (!isReactive(state)) schedule(state.queue, state.nowMs + waitMs, 'lifecycle.slot-timeout', event);
}

/** Resources have not changed for the stabilization time-out: what there is must do. */
export function onResourcesStable(state: SimulationState, job: JobState): void {
  if (job.status !== 'CREATED' || job.waitingForSlotsSinceMs < 0) return;
  if (reachableParallelism(state, job)) createExecutionGraph(state, job);
  else schedule(state.queue, state.nowMs + 1_000, 'lifecycle.resources-stable', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

function enterCreated(state: SimulationState, job: JobState): void {
  forgetTimes(job);
  if (job.status !== 'CREATED') switchJob(state, job, 'CREATED');
  // Without an execution graph there are no tasks and no times to tell.
  job.statusTimestamps[JOB_STATUSES.indexOf('CREATED')] = 0;
}

function createExecutionGraph(state: SimulationState, job: JobState): void {
  job.waitingForSlotsSinceMs = -1;
  enterCreated(state, job);
  job.generation++;
  const isFirst = job.vertices.every((vertex) => vertex.subtasks.every(({ current }) => current.attemptNumber === 0));
  const delayMs = Math.round(logNormal(isFirst ? 250 : 130, 0.4, state.model.seed, 'execution-graph', job.id, job.generation));
  schedule(state.queue, state.nowMs + delayMs, 'lifecycle.execution-graph', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

/** The execution graph is there, with as many tasks as slots allow. */
export function onExecutionGraph(state: SimulationState, job: JobState): void {
  const parallelism = reachableParallelism(state, job);
  if (!parallelism) {
    waitForResources(state, job);
    return;
  }
  if (parallelism.some((each, v) => each !== job.vertices[v].parallelism)) applyParallelism(state, job, parallelism);
  renumberSlots(job);
  job.statusTimestamps[JOB_STATUSES.indexOf('CREATED')] = Math.max(1, state.nowMs - 15);
  job.lastRescaleMs = state.nowMs;
  switchJob(state, job, 'RUNNING');
  scheduleTasks(state, job);
  const idleMs = durationOption(state.options, 'slot.idle.timeout', 50_000);
  // The slot pool looks for idle slots once every time-out, counted from the job's start.
  const checkMs = job.startMs + Math.ceil((state.nowMs + idleMs - job.startMs) / idleMs) * idleMs;
  schedule(state.queue, checkMs, 'lifecycle.idle-slots', { jobId: job.id, generation: job.generation } satisfies JobEvent);
  if (!isDesired(state, job, parallelism)) considerRescale(state, job);
}

/** Slots that the job has not used for the idle time-out go back. */
export function onIdleSlots(state: SimulationState, job: JobState): void {
  if (job.status !== 'RUNNING') return;
  const widest = new Map<string, number>();
  for (const { model, parallelism } of job.vertices) widest.set(model.slotSharingGroup, Math.max(parallelism, widest.get(model.slotSharingGroup) ?? 0));
  releaseSlots(state, job, (slot) => slot.groupIndex >= (widest.get(slot.slotSharingGroup) ?? 0));
}

/** Requirements or resources have changed: a running job that could do better is rescaled, when the version's waiting times are over. */
export function considerRescale(state: SimulationState, job: JobState): void {
  if (!isAdaptive(job) || job.status !== 'RUNNING') return;
  const parallelism = reachableParallelism(state, job);
  if (!parallelism || !isWorthwhile(state, job, parallelism)) return;
  const features = lifecycleOf(state);
  const cooldownMs = durationOption(state.options, [`${PREFIX}.executing.cooldown-after-rescaling`, `${PREFIX}.scaling-interval.min`], features.rescaleCooldownMs);
  const stabilizationMs = isReactive(state) || isDesired(state, job, parallelism) ? 0 : durationOption(state.options, `${PREFIX}.executing.resource-stabilization-timeout`, features.rescaleStabilizationMs);
  const dueMs = Math.max(state.nowMs, (job.lastRescaleMs ?? 0) + cooldownMs) + stabilizationMs;
  schedule(state.queue, dueMs, 'lifecycle.rescale-due', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

function isWorthwhile(state: SimulationState, job: JobState, parallelism: readonly number[]): boolean {
  if (parallelism.some((each, v) => each > job.vertices[v].parallelism)) return true;
  return lifecycleOf(state).adaptiveScalesDown && parallelism.some((each, v) => each < job.vertices[v].parallelism);
}

/** The waiting times are over. From 2.0 on the rescale comes with the next completed checkpoint, but not too late. */
export function onRescaleDue(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!lifecycleOf(state).rescalesWithCheckpoint || !checkpoints?.schedulerRunning) {
    rescaleNow(state, job);
    return;
  }
  if (job.rescaleWaitsForCheckpoint) return;
  job.rescaleWaitsForCheckpoint = true;
  const maxDelayMs = durationOption(state.options, `${PREFIX}.rescale-trigger.max-delay`, 2 * checkpoints.config.intervalMs);
  schedule(state.queue, state.nowMs + maxDelayMs, 'lifecycle.rescale-overdue', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

export function onRescaleOverdue(state: SimulationState, job: JobState): void {
  if (job.rescaleWaitsForCheckpoint) rescaleNow(state, job);
}

/** A checkpoint has completed: the moment to rescale with the least to do again. */
export function rescaleAfterCheckpoint(state: SimulationState, job: JobState): void {
  if (job.rescaleWaitsForCheckpoint) rescaleNow(state, job);
}

function rescaleNow(state: SimulationState, job: JobState): void {
  job.rescaleWaitsForCheckpoint = false;
  const parallelism = reachableParallelism(state, job);
  if (parallelism && isWorthwhile(state, job, parallelism)) rescaleJob(state, job, parallelism);
}

/** There are more slots than before. */
export function onNewResources(state: SimulationState): void {
  for (const job of state.jobs.values()) {
    if (!isAdaptive(job)) continue;
    if (job.status === 'CREATED' && job.waitingForSlotsSinceMs >= 0) waitForResources(state, job);
    else if (job.status === 'RUNNING') {
      const parallelism = reachableParallelism(state, job);
      if (parallelism && isWorthwhile(state, job, parallelism)) addNewResourceRescale(state, job);
      considerRescale(state, job);
    }
  }
}
