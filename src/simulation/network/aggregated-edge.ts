import type { BarrierState, EdgeState, JobNetworkState } from '../state/network-state.js';
import { SMOOTHING_MS } from './constants.js';
import { absorption } from './plan.js';
import type { TickContext } from './events.js';

/**
 * All-to-all edges of many channels. Kept are, for each consumer, the sums over its local and over its remote channels (two classes in
 * ChannelColumns, each standing for `weight` channels), and for each producer the sum over its subpartitions. What a producer has for a
 * consumer is taken as its part of all that waits for that consumer (rank one), so that a tick costs the subtasks of both sides and
 * never their product.
 */

/** Records accepted where nothing limits them. */
const NO_LIMIT = 1e15;

/** Part that producers get even when they have sent nothing lately, lest they could not begin. */
const LEAST_RATE_SHARE = 0.01;

/** Records of a class that stay on the producers' side when `coming` records come to it; without those that barriers keep. */
function staying(network: JobNetworkState, c: number, coming: number, size: number, openFill: number): number {
  const { channels } = network;
  return channels.producerRecords[c] + coming - absorbed(network, c, size) - openFill * channels.weight[c];
}

function absorbed(network: JobNetworkState, c: number, size: number): number {
  return network.channels.weight[c] > 0 ? absorption(network.channels, c, size) : 0;
}

/** Shares of the classes: a consumer's share, cut by what the producers on its own host send and what the others do. */
function partByHost(network: JobNetworkState, edge: EdgeState, rates: number): void {
  const { channels } = network;
  const { hostFlow, producerHost, consumerHost, rate, share, localStart, remoteStart } = edge.aggregate!;
  hostFlow.fill(0);
  for (let p = 0; p < rate.length; p++) if (producerHost[p] >= 0) hostFlow[producerHost[p]] += rate[p];
  for (let j = 0; j < share.length; j++) {
    const local = localStart + j;
    const byNumber = channels.weight[local] / rate.length;
    let near = byNumber;
    if (byNumber > 0 && byNumber < 1 && rates > 0) near = (hostFlow[consumerHost[j]] + LEAST_RATE_SHARE * rates * byNumber) / (rates * (1 + LEAST_RATE_SHARE));
    channels.share[local] = share[j] * near;
    channels.share[remoteStart + j] = share[j] * (1 - near);
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** Sets what each producer may hand over: no subpartition beyond max-buffers-per-channel, all pools together within their size. */
export function acceptanceAggregated(network: JobNetworkState, edge: EdgeState): void {
  const aggregate = edge.aggregate!;
  const { channels, options } = network;
  const { share, localStart, producerRecords, rate } = aggregate;
  const producers = producerRecords.length;
  const consumers = share.length;
  const size = edge.recordsPerBuffer;
  // Producers that have nothing to send leave their part to the others.
  const rates = sum(rate);
  const least = (LEAST_RATE_SHARE * rates) / producers;
  let active = 0;
  let limit = 0;
  let waiting = 0;
  for (let p = 0; p < producers; p++) {
    waiting += producerRecords[p];
    if (rates > 0 && rate[p] < least && producerRecords[p] < size) continue;
    active++;
    limit += (edge.poolBuffers[p] + edge.overdraftBuffers - edge.subpartitions[p]) * size;
  }
  partByHost(network, edge, rates);
  const openFill = (size * (consumers - 1)) / (2 * consumers);
  const mostBuffers = network.vertices[edge.sourceVertex].legacySource ? Infinity : options.maxBuffersPerChannel;
  const perChannel = (Math.min(mostBuffers, edge.poolBuffers[0]) - 1) * size;
  const last = localStart + 2 * consumers;
  let total = NO_LIMIT;
  let waste = 0;
  for (let c = localStart; c < last; c++) {
    const weight = channels.weight[c];
    const part = channels.share[c];
    if (part === 0) continue;
    waste += channels.producerWaste[c] * size;
    const room = weight * (Math.min(1, active / producers) * perChannel + openFill) - channels.producerWaste[c] * size + absorbed(network, c, size) - channels.producerRecords[c];
    total = Math.min(total, room / part);
  }
  // Convex in the total: Newton from above, as for single channels.
  let held = 0;
  for (let step = 0; step < 64 && total > 0; step++) {
    held = waste;
    let slope = 0;
    for (let c = localStart; c < last; c++) {
      const part = channels.share[c];
      if (part === 0) continue;
      const over = staying(network, c, total * part, size, openFill);
      if (over <= 0) continue;
      held += over;
      slope += part;
    }
    if (held <= limit * (1 + 1e-12)) break;
    total = slope > 0 ? total - (held - limit) / slope : 0;
  }
  total = Math.max(0, total);
  // Of what waits and comes, the same part stays for every producer, and has to fit into its pool; what there is goes by what they sent lately.
  const through = waiting + total * aggregate.shareSum;
  const stays = through > 0 ? Math.min(1, (held + openFill * consumers * active) / through) : 1;
  for (let p = 0; p < producers; p++) {
    const own = (edge.poolBuffers[p] + edge.overdraftBuffers - edge.subpartitions[p]) * size + openFill * consumers;
    const turn = rates > 0 ? (rate[p] + least) / (rates * (1 + LEAST_RATE_SHARE)) : 1 / producers;
    edge.acceptance[p] = Math.max(0, Math.min(total * turn, (own / stays - producerRecords[p]) / aggregate.shareSum));
  }
  for (const barrier of network.barriers) if (barrier.exactlyOnce && !barrier.overtaking) keepWaitingGoing(network, edge, barrier, openFill * consumers);
}

/** Producers that have not passed the barrier on are not held up by what lies behind the barriers of the others. */
function keepWaitingGoing(network: JobNetworkState, edge: EdgeState, barrier: BarrierState, open: number): void {
  const progress = barrier.aggregates[network.edges.indexOf(edge)]!;
  if (progress.firstMs === Infinity || progress.waiting <= 0) return;
  const { channels } = network;
  const { localStart, share, shareSum } = edge.aggregate!;
  let ahead = 0;
  for (let c = localStart; c < localStart + 2 * share.length; c++) {
    if (!Number.isNaN(barrier.markPosition[c])) ahead += Math.max(0, barrier.markPosition[c] - channels.dequeued[c] - channels.gateRecords[c]);
  }
  for (let p = 0; p < edge.acceptance.length; p++) {
    if (!Number.isNaN(progress.ahead[p])) continue;
    const room = (edge.poolBuffers[p] - edge.subpartitions[p]) * edge.recordsPerBuffer + open - ahead / progress.waiting;
    edge.acceptance[p] = Math.max(edge.acceptance[p], room / shareSum);
  }
}

/** After all producers have run: what they handed over goes to the consumers' classes, by host, and with it the barriers among it. */
export function spreadAggregated(ctx: TickContext, edge: EdgeState): void {
  const { network } = ctx;
  const { channels } = network;
  const aggregate = edge.aggregate!;
  const { flow, producerHost, consumerHost, hostFlow, share, localStart, remoteStart } = aggregate;
  const { blocked } = network.vertices[edge.sourceVertex];
  const tickMs = ctx.toMs - ctx.fromMs;
  const weight = 1 - Math.exp(-tickMs / SMOOTHING_MS);
  hostFlow.fill(0);
  let total = 0;
  aggregate.anyBlocked = false;
  for (let p = 0; p < flow.length; p++) {
    total += flow[p];
    if (producerHost[p] >= 0) hostFlow[producerHost[p]] += flow[p];
    if (blocked[p] === 1) aggregate.anyBlocked = true;
    aggregate.producerRecords[p] += flow[p] * aggregate.shareSum;
    aggregate.rate[p] += (flow[p] / tickMs - aggregate.rate[p]) * weight;
  }
  spreadMarks(ctx, edge, total);
  for (let j = 0; j < share.length; j++) {
    const near = consumerHost[j] >= 0 ? hostFlow[consumerHost[j]] * share[j] : 0;
    const far = total * share[j] - near;
    add(network, localStart + j, near);
    add(network, remoteStart + j, channels.weight[remoteStart + j] > 0 ? far : 0);
  }
  flow.fill(0);
}

function add(network: JobNetworkState, c: number, records: number): void {
  const { channels } = network;
  if (records <= 0) return;
  channels.enqueued[c] += records;
  channels.producerRecords[c] += records;
  channels.arrived[c] += records;
}

/** Moves the barriers of the classes on: behind all that the producers handed over before they passed the barrier on. */
function spreadMarks(ctx: TickContext, edge: EdgeState, total: number): void {
  const { network } = ctx;
  const { channels } = network;
  const aggregate = edge.aggregate!;
  const { flow, producerHost, consumerHost, hostAhead, hostFlow, share, localStart, remoteStart } = aggregate;
  const e = network.edges.indexOf(edge);
  const target = network.vertices[edge.targetVertex];
  for (const barrier of network.barriers) {
    const progress = barrier.aggregates[e];
    if (progress === null || progress.firstMs === Infinity) continue;
    hostAhead.fill(0);
    let ahead = 0;
    for (let p = 0; p < flow.length; p++) {
      const part = Number.isNaN(progress.ahead[p]) ? flow[p] : Math.max(0, progress.ahead[p]);
      ahead += part;
      if (producerHost[p] >= 0) hostAhead[producerHost[p]] += part;
      if (progress.ahead[p] >= 0) progress.ahead[p] = -1;
    }
    const untilFirst = fraction(ctx, progress.firstMs);
    // At least once, all that comes before the last barrier is worked off before it counts as reached.
    const untilLast = progress.waiting > 0 ? 1 : fraction(ctx, progress.lastMs);
    for (let j = 0; j < share.length; j++) {
      if (barrier.done[edge.targetVertex][j] === 1) continue;
      const host = consumerHost[j];
      const near = host >= 0 ? hostAhead[host] * share[j] : 0;
      const nearFlow = host >= 0 ? hostFlow[host] * share[j] : 0;
      for (const [c, part, flowed] of [[localStart + j, near, nearFlow], [remoteStart + j, ahead * share[j] - near, total * share[j] - nearFlow]] as const) {
        if (channels.weight[c] === 0) continue;
        if (Number.isNaN(barrier.markPosition[c])) {
          barrier.markPosition[c] = channels.enqueued[c];
          barrier.firstPosition[c] = channels.enqueued[c] + flowed * untilFirst;
          barrier.firstMs[c] = progress.firstMs;
          barrier.markMs[c] = Infinity;
          target.openMarks[j]++;
        }
        if (barrier.markMs[c] === Infinity) barrier.markPosition[c] += barrier.exactlyOnce ? part : flowed * untilLast;
        if (progress.waiting <= 0 && barrier.markMs[c] === Infinity) barrier.markMs[c] = progress.lastMs;
      }
    }
  }
}

function fraction(ctx: TickContext, atMs: number): number {
  return Math.max(0, Math.min(1, (atMs - ctx.fromMs) / (ctx.toMs - ctx.fromMs)));
}

/** At the end of a tick: what left the producers' side left all producers in proportion to what they had. */
export function balanceAggregated(network: JobNetworkState, edge: EdgeState): void {
  const { channels } = network;
  const { localStart, producerRecords, share } = edge.aggregate!;
  let waiting = 0;
  let open = 0;
  for (let c = localStart; c < localStart + 2 * share.length; c++) {
    waiting += channels.producerRecords[c];
    open += Math.min(channels.open[c], channels.producerRecords[c]);
  }
  edge.aggregate!.openRecords = open / producerRecords.length;
  let before = 0;
  for (let p = 0; p < producerRecords.length; p++) before += producerRecords[p];
  const factor = before > 0 ? waiting / before : 0;
  for (let p = 0; p < producerRecords.length; p++) producerRecords[p] *= factor;
}

/** A producer's attempt is over: what waited at it is lost to all consumers. */
export function dropProducer(network: JobNetworkState, edge: EdgeState, p: number): void {
  const { channels } = network;
  const { localStart, producerRecords, share } = edge.aggregate!;
  let all = 0;
  for (let i = 0; i < producerRecords.length; i++) all += producerRecords[i];
  const kept = all > 0 ? 1 - producerRecords[p] / all : 1;
  for (let c = localStart; c < localStart + 2 * share.length; c++) {
    const lost = channels.producerRecords[c] * (1 - kept);
    channels.producerRecords[c] -= lost;
    channels.dequeued[c] += lost;
  }
  producerRecords[p] = 0;
  edge.aggregate!.rate[p] = 0;
}
