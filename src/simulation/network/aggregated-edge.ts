import type { BarrierState, EdgeState, JobNetworkState } from '../state/network-state.js';
import type { JobState } from '../state/job-state.js';
import type { TickContext } from './events.js';

export function acceptanceAggregated(_network: JobNetworkState, edge: EdgeState): void { edge.acceptance.fill(0); }
export function spreadAggregated(_ctx: TickContext, _edge: EdgeState): void {}
export function markAggregated(_ctx: TickContext, _barrier: BarrierState, _edge: EdgeState, _v: number, _s: number, _atMs: number): void {}
export function aggregatedOutput(_network: JobNetworkState, _edge: EdgeState, _p: number): number { return 0; }
export function placeAggregated(_job: JobState, _edge: EdgeState): void {}
