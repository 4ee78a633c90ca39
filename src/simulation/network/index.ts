import type { CheckpointState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { JobNetworkState } from '../state/network-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { TimelineAction } from '../model/timeline-event.js';
import { inOneGo, SUBTASKS_IN_PART, type Parts } from '../parts.js';
import * as actions from './actions.js';
import * as barriers from './barriers.js';
import { writeBufferColumns } from './buffer-columns.js';
import { shareCores } from './cpu-contention.js';
import { CALM_AFTER_MS, CALM_STEP_MS } from './constants.js';
import { debloatBuffers } from './debloating.js';
import type { NetworkEvents, TickContext } from './events.js';
import { runTick } from './flow.js';
import { stepsInTick } from './steps.js';
import { grownNetwork } from './grow-network.js';
import * as meters from './meters.js';
import { placeChannels } from './placement.js';
import { planTick } from './plan.js';
import { drawShares } from './random-shares.js';
import { startOvertaking } from './overtaking.js';
import * as lifecycle from './subtask-lifecycle.js';
import { endTick } from './tick-end.js';
import { advanceSourceWatermarks } from './source-watermarks.js';
import { alignSources } from './watermark-alignment.js';
import { writeWatermarks } from './watermarks.js';

export type { BarrierAck, NetworkEvents, SubtaskFailure } from './events.js';
export { createJobNetwork } from './create-network.js';
export { emittedBytes } from './grow-network.js';

/** Records flow until state.nowMs; what others have to act on comes back. */
export function* tickJob(state: SimulationState, job: JobState): Parts<NetworkEvents> {
  const { network } = job;
  if (!isCalm(network) || state.nowMs - network.lastTickMs > CALM_STEP_MS - 1e-6) yield* advance(state, job);
  const { events } = network;
  if (events.acknowledged.length + events.failures.length + events.finished.length === 0) return events;
  network.events = { acknowledged: [], failures: [], finished: [] };
  return events;
}

function isCalm(network: JobNetworkState): boolean {
  return network.barriers.length === 0 && network.placed && network.lastTickMs - network.calmSinceMs >= CALM_AFTER_MS;
}

function* advance(state: SimulationState, job: JobState): Parts {
  const { network } = job;
  if (state.nowMs <= network.lastTickMs) return;
  if (!network.placed) placeChannels(job);
  const fromMs = network.lastTickMs;
  const steps = stepsInTick(network, state.nowMs - fromMs);
  for (let step = 1; step <= steps; step++) yield* flow(state, job, step === steps ? state.nowMs : fromMs + ((state.nowMs - fromMs) * step) / steps);
}

function* flow(state: SimulationState, job: JobState, toMs: number): Parts {
  const { network } = job;
  const ctx: TickContext = { state, job, network, fromMs: network.lastTickMs, toMs, events: network.events };
  if (state.model.cluster.cpuContention === true) shareCores(state, job);
  drawShares(network, state.model.seed);
  startOvertaking(ctx);
  alignSources(ctx);
  yield* planTick(network, ctx.fromMs, ctx.toMs);
  yield* runTick(ctx, job.model.bufferTimeoutMs);
  endTick(ctx);
  let subtasks = 0;
  for (let v = 0; v < network.vertices.length; v++) {
    advanceSourceWatermarks(ctx, v);
    writeWatermarks(ctx, v);
    const { running } = network.vertices[v];
    for (let s = 0; s < running.length; s++) {
      if (running[s] === 1) writeBufferColumns(ctx, v, s);
      if (++subtasks % SUBTASKS_IN_PART === 0) yield;
    }
  }
  debloatBuffers(ctx);
  barriers.dropFinishedBarriers(ctx);
  network.lastTickMs = ctx.toMs;
}

/** Before something changes, what a calm job has not been asked for yet happens as it would have. */
export function* catchUpInParts(state: SimulationState, job: JobState): Parts {
  if (isCalm(job.network)) yield* advance(state, job);
}

function catchUp(state: SimulationState, job: JobState): void {
  inOneGo(catchUpInParts(state, job));
}

/** Vertices that had no subtasks have them now. */
export function growNetwork(state: SimulationState, job: JobState): void {
  catchUp(state, job);
  job.network = grownNetwork(state, job);
}

/** The subtask's attempt is RUNNING: its counters start at 0, at state.nowMs. */
export function startSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  catchUp(state, job);
  lifecycle.startSubtask(state, job, vertexIndex, subtask);
  job.network.calmSinceMs = state.nowMs;
}

/** The attempt is over: what is in its queues is lost, unless it has finished (then its consumers still get all of it). */
export function stopSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  catchUp(state, job);
  lifecycle.stopSubtask(state, job, vertexIndex, subtask);
  job.network.calmSinceMs = state.nowMs;
}

/** The coordinator triggers the sources at state.nowMs. */
export function injectBarrier(state: SimulationState, job: JobState, checkpoint: CheckpointState): void {
  catchUp(state, job);
  barriers.injectBarrier(state, job, checkpoint);
}

/** A checkpoint failed or expired: its barriers are dropped. */
export function abortBarrier(_state: SimulationState, job: JobState, checkpointId: number): void {
  barriers.abortBarrier(job.network, checkpointId);
}

/** Does what a scenario or the control API changes about a job's flow; false when the action is not about that, or not about this job. */
export function applyNetworkAction(state: SimulationState, job: JobState, action: TimelineAction): boolean {
  catchUp(state, job);
  const applied = actions.applyNetworkAction(state, job, action);
  if (applied) job.network.calmSinceMs = state.nowMs;
  return applied;
}

/** Takes a reading of the metered columns (every METER_INTERVAL_MS). */
export function* readMeters(state: SimulationState, job: JobState): Parts {
  yield* catchUpInParts(state, job);
  yield* meters.readMeters(state, job);
}

/** The task's process stands still for a while. */
export function pauseSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, ms: number): void {
  catchUp(state, job);
  stallSubtask(job, vertexIndex, subtask, ms);
  job.network.calmSinceMs = state.nowMs;
}

/** The task's thread spends time outside records: the synchronous part of a snapshot, a sink's commit. */
export function stallSubtask(job: JobState, vertexIndex: number, subtask: number, ms: number): void {
  job.network.vertices[vertexIndex].stallMs[subtask] += ms;
}
