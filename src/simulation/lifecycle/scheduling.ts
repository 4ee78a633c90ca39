import { schedule } from '../event-queue.js';
import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { durationOption, findOption } from '../options.js';
import { EXECUTION_STATE_INDEX, type JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { onNewResources } from './adaptive.js';
import { isTerminal, subtasksOf, switchAttempt } from './attempts.js';
import { hasStages, initializeVertices } from './batch.js';
import { allocationDurationMs, deploymentDurations } from './durations.js';
import { failForLackOfSlots } from './failover.js';
import { logValues, taskName, taskNameWithAttempt } from './names.js';
import { regionOf } from './regions.js';
import { allocateSlots, countRequiredSlots, slotFor } from './slots.js';
import { onAttemptRunning, onAttemptLeavesCreated } from '../checkpoints/scheduler.js';
import { restoreSubtask } from '../checkpoints/restore.js';
import { releaseIdleSlotsLater } from './idle-slots.js';
import { deployOnLostTaskManager, deployOnSilentTaskManager } from './task-manager-loss.js';

export interface TaskEvent {
  readonly jobId: string;
  readonly vertexIndex: number;
  readonly subtask: number;
  readonly attemptNumber: number;
}

export interface JobEvent {
  readonly jobId: string;
  readonly generation: number;
}

/** The job that an event is about; undefined when it has changed since. */
export function jobOfEvent(state: SimulationState, event: JobEvent): JobState | undefined {
  const job = state.jobs.get(event.jobId);
  return job?.generation === event.generation ? job : undefined;
}

/** The job of a task event, while the attempt that it is about is still the current one. */
export function jobOfTaskEvent(state: SimulationState, event: TaskEvent): JobState | undefined {
  const job = state.jobs.get(event.jobId);
  return job?.vertices[event.vertexIndex]?.subtasks[event.subtask]?.current.attemptNumber === event.attemptNumber ? job : undefined;
}

export function taskEvent(job: JobState, vertexIndex: number, subtask: number): TaskEvent {
  return { jobId: job.id, vertexIndex, subtask, attemptNumber: job.vertices[vertexIndex].subtasks[subtask].current.attemptNumber };
}

/** A vertex may start when the producers of its blocking inputs have finished. */
function inputsReady(job: JobState, vertexIndex: number): boolean {
  const { id } = job.vertices[vertexIndex];
  return job.model.edges
    .filter((edge) => edge.targetVertexId === id && edge.exchange === 'blocking')
    .every((edge) => job.vertices.find((vertex) => vertex.id === edge.sourceVertexId)!.subtasks.every((execution) => execution.current.state === 'FINISHED'));
}

/** Puts every subtask that may start to SCHEDULED and asks for the slots it needs. */
export function scheduleTasks(state: SimulationState, job: JobState): void {
  let any = false;
  const ready = job.vertices.map((_, v) => inputsReady(job, v));
  for (const [v, s, attempt] of subtasksOf(job)) {
    if (attempt.state !== 'CREATED' || !ready[v]) continue;
    if (!any) onAttemptLeavesCreated(state, job);
    any = true;
    switchAttempt(state, job, v, s, 'SCHEDULED');
  }
  if (!any) return;
  const slots = countRequiredSlots(job);
  if (job.slots.length < slots) logLine(state, state.jobManager.log, 'receivedRequirements', { id: job.id, slots });
  schedule(state.queue, state.nowMs + allocationDurationMs(state, job), 'lifecycle.allocate', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

/** Tasks of a batch job have finished: what they fed may begin, in the slots that they leave too. */
export function beginNextStage(state: SimulationState, job: JobState): void {
  initializeVertices(state, job);
  scheduleTasks(state, job);
  releaseIdleSlotsLater(state, job);
  if (job.waitingForSlotsSinceMs >= 0) allocateAndDeploy(state, job);
}

/** The slots that there are go to the job; when all have come, its tasks are deployed, else it waits. */
export function allocateAndDeploy(state: SimulationState, job: JobState): void {
  logLine(state, state.jobManager.log, 'matchingRequirements');
  const missing = allocateSlots(state, job);
  if (missing === 0) {
    job.waitingForSlotsSinceMs = -1;
    deployTasks(state, job, () => true);
    return;
  }
  if (hasStages(job) && job.slots.length > 0) {
    // Region by region, each as soon as it has slots; the others wait for those, however long it takes.
    deployTasks(state, job, (v, s) => regionOf(job, v, s).every(([vertex, subtask]) => isTerminal(job.vertices[vertex].subtasks[subtask].current) || slotFor(job, vertex, subtask) !== undefined));
    if (job.waitingForSlotsSinceMs < 0) job.waitingForSlotsSinceMs = state.nowMs;
    return;
  }
  if (job.waitingForSlotsSinceMs < 0) {
    job.waitingForSlotsSinceMs = state.nowMs;
    scheduleSlotTimeout(state, job, missing);
  } else if (lifecycleOf(state).declaresRequirements) scheduleSlotTimeout(state, job, missing);
}

/** Slots that the resource manager believes the job to have: on task managers whose end it has not noticed. */
function believedSlots(state: SimulationState, job: JobState): number {
  let count = 0;
  for (const { status, slots } of state.taskManagers.values()) if (status === 'LOST') count += slots.filter((slot) => slot.jobId === job.id).length;
  return count;
}

function scheduleSlotTimeout(state: SimulationState, job: JobState, missing: number): void {
  const timeoutMs = durationOption(state.options, 'slot.request.timeout', 300_000);
  const startUpEndMs = state.jobManager.startMs + durationOption(state.options, 'resourcemanager.standalone.start-up-time', timeoutMs);
  // Declared requirements that a standalone cluster cannot fulfil fail as soon as its start-up period is over.
  const unfulfillable = lifecycleOf(state).declaresRequirements && believedSlots(state, job) < missing;
  const giveUpMs = unfulfillable ? Math.max(state.nowMs + 60, Math.min(startUpEndMs, state.nowMs + timeoutMs)) : state.nowMs + timeoutMs;
  schedule(state.queue, giveUpMs, 'lifecycle.slot-timeout', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

/** Slots have become free or new: jobs that wait take them, the longest waiting first. */
export function serveWaitingJobs(state: SimulationState): void {
  const waiting = [...state.jobs.values()].filter((job) => job.waitingForSlotsSinceMs >= 0).sort((a, b) => a.waitingForSlotsSinceMs - b.waitingForSlotsSinceMs);
  for (const job of waiting) if (job.status === 'RUNNING') allocateAndDeploy(state, job);
  onNewResources(state);
}

export function onSlotTimeout(state: SimulationState, job: JobState): void {
  if (job.waitingForSlotsSinceMs < 0) return;
  job.waitingForSlotsSinceMs = -1;
  failForLackOfSlots(state, job);
}

function deployTasks(state: SimulationState, job: JobState, isReady: (vertexIndex: number, subtask: number) => boolean): void {
  const tasks = [...subtasksOf(job)].filter(([v, s, attempt]) => attempt.state === 'SCHEDULED' && isReady(v, s));
  tasks.forEach(([v, s], position) => {
    const durations = deploymentDurations(state, job, v, s, position, tasks.length);
    schedule(state.queue, state.nowMs + durations.deployingMs, 'lifecycle.deploy', { ...taskEvent(job, v, s), ...durations });
  });
}

/** The task is sent to its slot. */
export function deployTask(state: SimulationState, job: JobState, event: TaskEvent & { initializingMs: number; runningMs: number }): void {
  const { vertexIndex, subtask } = event;
  const vertex = job.vertices[vertexIndex];
  const attempt = vertex.subtasks[subtask].current;
  if (attempt.state !== 'SCHEDULED') return;
  const slot = slotFor(job, vertexIndex, subtask);
  const taskManager = slot && state.taskManagers.get(slot.taskManagerId);
  if (!slot || !taskManager) return;
  attempt.taskManagerId = taskManager.id;
  attempt.host = taskManager.host;
  attempt.dataPort = taskManager.dataPort;
  attempt.slotIndex = slot.slotIndex;
  switchAttempt(state, job, vertexIndex, subtask, 'DEPLOYING');
  logLine(state, state.jobManager.log, 'deploying', deploymentValues(state, job, event, slot.allocationId));
  if (taskManager.status === 'LOST') {
    deployOnLostTaskManager(state, job, vertexIndex, subtask);
    return;
  }
  if ((taskManager.silentUntilMs ?? 0) > state.nowMs) {
    deployOnSilentTaskManager(state, job, event, taskManager.silentUntilMs!);
    return;
  }
  receiveTask(state, job, event);
}

function deploymentValues(state: SimulationState, job: JobState, { vertexIndex, subtask }: TaskEvent, allocation: string): Record<string, string | number> {
  const vertex = job.vertices[vertexIndex];
  const attempt = vertex.subtasks[subtask].current;
  return {
    task: taskName(job, vertexIndex, subtask),
    taskWithAttempt: taskNameWithAttempt(state, job, vertexIndex, subtask),
    number: attempt.attemptNumber,
    attempt: attempt.attemptId,
    vertex: vertex.id,
    subtask,
    taskManager: attempt.taskManagerId!,
    host: attempt.host!,
    dataPort: attempt.dataPort,
    allocation,
  };
}

/** A job that merges its checkpoint files has its first task on a task manager. */
function mergesFilesAnew(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): boolean {
  if (findOption({ ...state.options, ...job.model.options }, 'execution.checkpointing.file-merging.enabled')?.trim().toLowerCase() !== 'true') return false;
  const { taskManagerId } = job.vertices[vertexIndex].subtasks[subtask].current;
  for (const [v, s, attempt] of subtasksOf(job)) if ((v !== vertexIndex || s !== subtask) && attempt.taskManagerId === taskManagerId && attempt.timestamps[EXECUTION_STATE_INDEX.DEPLOYING] > 0 && !isTerminal(attempt)) return false;
  return true;
}

/** The task manager has the task. */
export function receiveTask(state: SimulationState, job: JobState, event: TaskEvent & { initializingMs: number; runningMs: number }): void {
  const { vertexIndex, subtask } = event;
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  const taskManager = attempt.taskManagerId === null ? undefined : state.taskManagers.get(attempt.taskManagerId);
  if (attempt.state !== 'DEPLOYING' || taskManager?.status !== 'REGISTERED') return;
  const values = deploymentValues(state, job, event, slotFor(job, vertexIndex, subtask)?.allocationId ?? '');
  logLine(state, taskManager.log, 'receivedTask', values);
  if (mergesFilesAnew(state, job, vertexIndex, subtask)) logLine(state, taskManager.log, 'registeredFileMerging', values);
  logLine(state, taskManager.log, 'tmTaskSwitched', { ...values, from: 'CREATED', to: 'DEPLOYING' });
  for (const line of ['creatingSafetyNet', 'loadingJars', 'registeringAtNetwork'] as const) logLine(state, taskManager.log, line, values);
  const next = { ...taskEvent(job, vertexIndex, subtask), runningMs: event.runningMs };
  if (lifecycleOf(state).taskHasInitializing) schedule(state.queue, state.nowMs + event.initializingMs, 'lifecycle.initialize', next);
  else schedule(state.queue, state.nowMs + event.runningMs, 'lifecycle.run', next);
}

/** A task's code begins: INITIALIZING until its state is there. */
export function initializeTask(state: SimulationState, job: JobState, event: TaskEvent & { runningMs: number }): void {
  if (job.vertices[event.vertexIndex].subtasks[event.subtask].current.state !== 'DEPLOYING') return;
  logTaskSwitch(state, job, event.vertexIndex, event.subtask, 'DEPLOYING', 'INITIALIZING');
  switchAttempt(state, job, event.vertexIndex, event.subtask, 'INITIALIZING');
  schedule(state.queue, state.nowMs + event.runningMs, 'lifecycle.run', taskEvent(job, event.vertexIndex, event.subtask));
}

export function runTask(state: SimulationState, job: JobState, { vertexIndex, subtask }: TaskEvent): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  if (attempt.state !== 'DEPLOYING' && attempt.state !== 'INITIALIZING') return;
  logTaskSwitch(state, job, vertexIndex, subtask, attempt.state, 'RUNNING');
  switchAttempt(state, job, vertexIndex, subtask, 'RUNNING');
  restoreSubtask(state, job, vertexIndex, subtask);
  onAttemptRunning(state, job);
}

/** The same switch, as the task manager's log tells it. */
export function logTaskSwitch(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, from: string, to: string): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  const taskManager = attempt.taskManagerId === null ? undefined : state.taskManagers.get(attempt.taskManagerId);
  if (taskManager?.status !== 'REGISTERED') return;
  logLine(state, taskManager.log, 'tmTaskSwitched', { taskWithAttempt: taskNameWithAttempt(state, job, vertexIndex, subtask), attempt: attempt.attemptId, from, to });
}

/** True when no subtask of the job does or holds anything any more. */
export function allTerminal(job: JobState): boolean {
  for (const [, , attempt] of subtasksOf(job)) if (!isTerminal(attempt)) return false;
  return true;
}

/** Lines around the job's registration at the resource manager. */
export function logResourceManagerConnection(state: SimulationState, job: JobState): void {
  const values = { ...logValues(state, job), connection: hex(32, state.model.seed, 'connection') };
  for (const line of ['connectingResourceManager', 'resolvedResourceManager', 'registeringJobManager', 'registeredJobManager', 'jobManagerRegistered'] as const) logLine(state, state.jobManager.log, line, values);
}
