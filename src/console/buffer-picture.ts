import type { ChannelView, EdgeView, PoolView } from '../simulation/network/edge-view.js';
import { s, type Child } from './dom.js';
import { amount, count, percent, rate, shorten } from './format.js';

interface Ends {
  readonly producer: { readonly name: string; readonly parallelism: number };
  readonly consumer: { readonly name: string; readonly parallelism: number };
  readonly busy: number;
  readonly idle: number;
  readonly backPressured: number;
}

const ROW = 44;
const TOP = 30;
const SIZE = 12;
const PITCH = 15;
/** Rows and squares that are drawn; more are counted. */
const ROWS = 40;
const SQUARES = 10;

/** Columns, by their left edges, in a picture of the least width; wider ones are spread. */
function columnsOf(width: number) {
  const spread = Math.max(0, width - 1_080) / 4;
  return { task: 8, pool: 150 + spread * 0.4, subpartition: 300 + spread * 0.8, wire: 480 + spread * 1.5, channel: 620 + spread * 2.4, gate: 800 + spread * 3.1, consumer: 920 + spread * 3.6, width: Math.max(1_080, width) };
}

/** Producers on the left, one row a channel, the gate and its consumer on the right. */
export function drawBuffers(view: EdgeView, ends: Ends, width: number): SVGSVGElement {
  const columns = columnsOf(width - 20);
  const rows = view.channels.slice(0, ROWS);
  const left = view.channels.length - rows.length;
  const height = TOP + Math.max(rows.length, 3) * ROW + (left > 0 ? 24 : 0);
  const pools = new Map(view.pools.map((pool) => [pool.producer, pool]));
  const heads: readonly (readonly [number, string])[] = [[columns.task, 'producer'], [columns.pool, 'buffer pool'], [columns.subpartition, 'subpartition: backlog'], [columns.wire, 'credit'], [columns.channel, 'input channel'], [columns.gate, 'gate: floating'], [columns.consumer, 'consumer']];
  return s(
    'svg',
    { class: 'buffer-picture', width: columns.width, height, role: 'img', 'aria-label': `Buffers from ${ends.producer.name} to ${ends.consumer.name} (${view.consumer + 1}/${ends.consumer.parallelism})` },
    s('defs', {}, s('marker', { id: 'wire-end', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, s('path', { class: 'arrow', d: 'M0 0.5 8 4 0 7.5z' }))),
    heads.map(([x, text]) => s('text', { class: 'column-head', x, y: 16 }, text)),
    rows.map((channel, row) => drawChannel(channel, pools, ends, columns, TOP + row * ROW)),
    left > 0 ? s('text', { class: 'sub', x: columns.task, y: height - 8 }, `and ${count(left)} more channels with less in them; they are in the sums above`) : null,
    drawGate(view, ends, columns, TOP, Math.max(rows.length, 3) * ROW),
  );
}

type Columns = ReturnType<typeof columnsOf>;

function drawChannel(channel: ChannelView, pools: ReadonlyMap<number, PoolView>, { producer }: Ends, columns: Columns, y: number): SVGGElement {
  const middle = y + ROW / 2;
  const pool = pools.get(channel.producer);
  const many = channel.channels > 1 ? `${count(channel.channels)} producers` : `(${channel.producer + 1}/${producer.parallelism})`;
  const name = channel.producer < 0 ? `${channel.local ? 'same task manager' : 'other task managers'}` : shorten(producer.name, 18);
  const right = columns.gate - 26;
  const wireText = channel.local ? 'read in place' : `credit ${count(channel.credit)}`;
  return s(
    'g',
    { class: `channel${channel.local ? ' local' : ''}`, 'data-producer': channel.producer },
    s('title', {}, `${name} ${many}: ${amount(channel.backlogBuffers)} buffers wait, ${amount(channel.usedExclusive + channel.usedFloating)} at the gate, credit ${amount(channel.credit)}, ${rate(channel.recordsPerSecond)}`),
    s('rect', { class: 'task-box', x: columns.task, y: y + 4, width: columns.pool - columns.task - 14, height: ROW - 8, rx: 6 }),
    s('text', { class: 'label', x: columns.task + 8, y: middle - 2 }, name),
    s('text', { class: 'sub', x: columns.task + 8, y: middle + 12 }, `${many}  ${rate(channel.recordsPerSecond)}`),
    pool ? drawPool(pool, columns.pool, middle) : s('text', { class: 'sub', x: columns.pool, y: middle + 4 }, 'each its own'),
    squares(columns.subpartition, middle - SIZE / 2, channel.backlogBuffers / channel.channels, 'full', null),
    s('rect', { class: 'buffer-free', x: columns.subpartition + shownSquares(channel.backlogBuffers / channel.channels) * PITCH, y: middle - SIZE / 2, width: SIZE, height: SIZE, rx: 2 }),
    s('rect', { class: 'buffer-open', x: columns.subpartition + shownSquares(channel.backlogBuffers / channel.channels) * PITCH, y: middle + SIZE / 2 - SIZE * channel.openShare, width: SIZE, height: SIZE * channel.openShare, rx: 2 }),
    channel.barriers > 0 ? s('rect', { class: 'buffer-barrier', x: columns.wire - 18, y: middle - 11, width: 3, height: 22 }, s('title', {}, `${channel.barriers} checkpoint ${channel.barriers === 1 ? 'barrier is' : 'barriers are'} on the way`)) : null,
    s('line', { class: `wire${!channel.local && channel.credit < 0.5 ? ' stopped' : ''}`, x1: columns.wire - 8, x2: channel.local ? right : columns.channel - 8, y1: middle, y2: middle, 'marker-end': 'url(#wire-end)' }),
    s('text', { class: `credit${!channel.local && channel.credit < 0.5 ? ' none' : ''}`, x: (columns.wire + columns.channel) / 2 - 8, y: middle - 6 }, wireText),
    channel.local ? null : [squares(columns.channel, middle - SIZE / 2, channel.usedExclusive / channel.channels, 'full', channel.exclusiveBuffers / channel.channels), squares(columns.channel + (channel.exclusiveBuffers / channel.channels) * PITCH + 6, middle - SIZE / 2, channel.usedFloating / channel.channels, 'floating', null), s('line', { class: 'wire thin', x1: right - 6, x2: right, y1: middle, y2: middle })],
  );
}

function drawPool({ usedBuffers, poolBuffers }: PoolView, x: number, middle: number): Child[] {
  const width = 110;
  const used = poolBuffers > 0 ? Math.min(1, usedBuffers / poolBuffers) : 0;
  return [s('rect', { class: 'bar-ground', x, y: middle - 5, width, height: 7, rx: 3.5 }), s('rect', { class: used > 0.98 ? 'bar-blocked' : 'bar-usage', x, y: middle - 5, width: width * used, height: 7, rx: 3.5 }), s('text', { class: 'sub', x, y: middle + 15 }, `${amount(usedBuffers)} of ${count(poolBuffers)} in use`)];
}

function shownSquares(buffers: number): number {
  return Math.min(SQUARES, Math.ceil(buffers - 0.02));
}

/** Buffers as squares, the last one as full as it is; beyond what can be drawn, a number. */
function squares(x: number, y: number, used: number, tone: 'full' | 'floating', all: number | null): Child[] {
  const count = Math.min(SQUARES, Math.max(Math.ceil(used - 0.02), Math.ceil(all ?? 0)));
  const drawn = Array.from({ length: Math.max(0, count) }, (_, index) => {
    const share = Math.max(0, Math.min(1, used - index));
    return [s('rect', { class: 'buffer-free', x: x + index * PITCH, y, width: SIZE, height: SIZE, rx: 2 }), share > 0.02 ? s('rect', { class: `buffer-${tone}`, x: x + index * PITCH, y: y + SIZE * (1 - share), width: SIZE, height: SIZE * share, rx: 2 }) : null];
  });
  return [drawn, used > SQUARES ? s('text', { class: 'more', x: x + (SQUARES + 1) * PITCH + 2, y: y + SIZE - 2 }, `+${amount(used - SQUARES)}`) : null];
}

function drawGate({ gate, consumer }: EdgeView, ends: Ends, columns: Columns, y: number, height: number): SVGGElement {
  const [x, end] = [columns.gate - 26, columns.consumer - 26];
  const free = Math.max(0, gate.floatingBuffers - gate.usedFloating);
  const perRow = 4;
  const pool = Array.from({ length: Math.min(32, gate.floatingBuffers) }, (_, index) => {
    const share = Math.max(0, Math.min(1, gate.usedFloating - index));
    const [left, top] = [x + 26 + (index % perRow) * PITCH, y + 26 + Math.floor(index / perRow) * PITCH];
    return [s('rect', { class: 'buffer-free', x: left, y: top, width: SIZE, height: SIZE, rx: 2 }), share > 0.02 ? s('rect', { class: 'buffer-floating', x: left, y: top + SIZE * (1 - share), width: SIZE, height: SIZE * share, rx: 2 }) : null];
  });
  const under = y + 26 + Math.ceil(Math.min(32, gate.floatingBuffers) / perRow) * PITCH + 12;
  const box = columns.width - columns.consumer - 8;
  const bar = (name: string, share: number, row: number): Child[] => [s('text', { class: 'sub', x: columns.consumer + 10, y: y + 52 + row * 17 }, `${name} ${percent(share)}`), s('rect', { class: 'bar-ground', x: columns.consumer + 10, y: y + 56 + row * 17, width: box - 22, height: 4, rx: 2 }), s('rect', { class: `bar-${name === 'back-pressured' ? 'blocked' : name}`, x: columns.consumer + 10, y: y + 56 + row * 17, width: (box - 22) * Math.max(0, Math.min(1, share)), height: 4, rx: 2 })];
  return s(
    'g',
    { class: 'gate' },
    s('rect', { class: 'gate-box', x, y: y + 2, width: end - x, height: height - 4, rx: 8 }),
    s('text', { class: 'label', x: x + 26, y: y + 18 }, `${count(gate.floatingBuffers)} floating`),
    pool,
    s('text', { class: 'sub', x: x + 26, y: under }, `${amount(free)} free`),
    s('line', { class: 'wire', x1: end, x2: columns.consumer - 4, y1: y + Math.min(height / 2, 60), y2: y + Math.min(height / 2, 60), 'marker-end': 'url(#wire-end)' }),
    s('rect', { class: 'task-box', x: columns.consumer, y: y + 2, width: box, height: Math.min(height - 4, 116), rx: 8 }),
    s('text', { class: 'label', x: columns.consumer + 10, y: y + 20 }, shorten(ends.consumer.name, Math.floor(box / 8))),
    s('text', { class: 'sub', x: columns.consumer + 10, y: y + 34 }, `(${consumer + 1}/${ends.consumer.parallelism})`),
    bar('busy', ends.busy, 0),
    bar('back-pressured', ends.backPressured, 1),
    bar('idle', ends.idle, 2),
  );
}
