import type { JobState } from '../state/job-state.js';
import type { CheckpointState } from '../state/checkpoint-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import * as barriers from './barriers.js';
import { writeBufferColumns, writeWatermarks } from './buffer-columns.js';
import type { NetworkEvents, TickContext } from './events.js';
import { runTick } from './flow.js';
import { drawShares } from './random-shares.js';
import { placeChannels } from './placement.js';
import { planTick } from './plan.js';
import { endTick } from './tick-end.js';

export type { BarrierAck, NetworkEvents, SubtaskFailure } from './events.js';
export { createJobNetwork } from './create-network.js';
export { startSubtask, stopSubtask } from './subtask-lifecycle.js';
export { applyNetworkAction } from './actions.js';
export { readMeters } from './meters.js';

/** Records flow until state.nowMs; what others have to act on comes back. */
export function tickJob(state: SimulationState, job: JobState): NetworkEvents {
  const { network } = job;
  const ctx: TickContext = { state, job, network, fromMs: network.lastTickMs, toMs: state.nowMs, events: { acknowledged: [], failures: [], finished: [] } };
  if (ctx.toMs <= ctx.fromMs) return ctx.events;
  const { bufferTimeoutMs } = job.model;
  if (!network.placed) placeChannels(job);
  drawShares(network, state.model.seed);
  barriers.startOvertaking(ctx);
  planTick(network, ctx.fromMs, ctx.toMs);
  runTick(ctx, bufferTimeoutMs);
  endTick(ctx);
  for (let v = 0; v < network.vertices.length; v++) {
    writeWatermarks(ctx, v);
    const { running } = network.vertices[v];
    for (let s = 0; s < running.length; s++) if (running[s] === 1) writeBufferColumns(ctx, v, s);
  }
  barriers.dropFinishedBarriers(ctx);
  network.lastTickMs = ctx.toMs;
  return ctx.events;
}

/** The coordinator triggers the sources at state.nowMs. */
export function injectBarrier(state: SimulationState, job: JobState, checkpoint: CheckpointState): void {
  barriers.injectBarrier(state, job, checkpoint);
}

/** A checkpoint failed or expired: its barriers are dropped. */
export function abortBarrier(_state: SimulationState, job: JobState, checkpointId: number): void {
  barriers.abortBarrier(job.network, checkpointId);
}

/** The task's thread spends time outside records: the synchronous part of a snapshot, a sink's commit. */
export function stallSubtask(job: JobState, vertexIndex: number, subtask: number, ms: number): void {
  job.network.vertices[vertexIndex].stallMs[subtask] += ms;
}
