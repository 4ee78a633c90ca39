import type { EntryKind } from '../control/console/console-types.js';
import { markBefore, seek } from './clock-actions.js';
import { byId, h, replace, s, setAttributes, setText } from './dom.js';
import { clockTime, duration } from './format.js';
import { onChange, store } from './store.js';

const LANES: readonly { readonly name: string; readonly kinds: readonly EntryKind[] }[] = [
  { name: 'Events and faults', kinds: ['scenario', 'live', 'http-fault'] },
  { name: 'Checkpoints', kinds: ['checkpoint'] },
  { name: 'Failures, restarts', kinds: ['failure', 'job'] },
  { name: 'Task managers', kinds: ['task-manager'] },
];
const LABEL_WIDTH = 126;
const LANE_HEIGHT = 15;
const AXIS_HEIGHT = 18;
/** Between the end of the time-line and the edge of the page, px. */
const EDGE = 10;
const HEIGHT = LANES.length * LANE_HEIGHT + AXIS_HEIGHT;
/** Entries that are so near to each other are one marker, px. */
const BUCKET_PX = 7;
const STEPS_MS = [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400].map((seconds) => seconds * 1_000);
const RANGES = [
  ['all', 'All'],
  [3_600_000, '1 h'],
  [600_000, '10 min'],
  [60_000, '1 min'],
] as const;

interface Mark {
  readonly atMs: number;
  readonly text: string;
  readonly tone: string;
}

/** Time from left to right: what has happened, what is to come, and a handle to go elsewhere. */
export function startTimeline(): void {
  const lanes = s('g', {});
  const axis = s('g', { class: 'axis' });
  const past = s('rect', { class: 'past', y: 0, height: HEIGHT - AXIS_HEIGHT, x: LABEL_WIDTH, width: 0 });
  const marks = s('g', { class: 'marks' });
  const now = s('line', { class: 'now-line', y1: 0, y2: HEIGHT - AXIS_HEIGHT });
  const ghost = s('g', { class: 'ghost', visibility: 'hidden' }, s('line', { y1: 0, y2: HEIGHT - AXIS_HEIGHT }), s('circle', { r: 5, cy: HEIGHT - AXIS_HEIGHT }));
  const handle = s('circle', { class: 'handle', r: 6, cy: HEIGHT - AXIS_HEIGHT });
  const picture = s('svg', { class: 'lanes', height: HEIGHT, 'aria-hidden': 'true' }, LANES.map(({ name }, lane) => s('text', { class: 'lane-name', x: 0, y: lane * LANE_HEIGHT + 11 }, name)), past, axis, lanes, marks, now, ghost, handle);
  const slider = h('div', { class: 'slider', role: 'slider', tabindex: 0, id: 'scrubber', 'aria-label': 'Cluster time', 'aria-describedby': 'seek-says' }, picture);
  const says = h('p', { class: 'seek-says', id: 'seek-says' });
  const ranges = RANGES.map(([value, text]) => h('button', { type: 'button', 'data-range': value, 'aria-pressed': String(value === 'all'), onclick: () => setRange(value) }, text));
  replace(byId('timeline'), h('div', { class: 'timeline-head' }, says, h('div', { id: 'marks', role: 'group', 'aria-label': 'Marks' }), h('div', { class: 'segments small', role: 'group', 'aria-label': 'Range of the time-line' }, ranges)), slider);

  let range: number | 'all' = 'all';
  let wished: number | null = null;
  let hovered: string | null = null;
  let drawn = '';
  const setRange = (value: number | 'all'): void => {
    range = value;
    for (const button of ranges) button.setAttribute('aria-pressed', String(button.dataset['range'] === String(value)));
    draw();
  };

  const domain = (): readonly [number, number] => {
    const { clock, pending } = store.state!;
    if (range !== 'all') return [clock.nowMs - range * 0.8, clock.nowMs + range * 0.2];
    const last = Math.max(clock.nowMs + Math.max(60_000, (clock.nowMs - clock.startMs) * 0.12), ...pending.map(({ atMs }) => Math.min(atMs, clock.nowMs + 43_200_000) + 30_000));
    // In steps, so that the picture does not creep.
    const stepMs = niceStep((last - clock.startMs) / 12);
    return [clock.startMs, Math.ceil((last - clock.startMs) / stepMs) * stepMs + clock.startMs];
  };
  const width = (): number => Math.max(200, slider.clientWidth - LABEL_WIDTH - EDGE);
  const xOf = (atMs: number, [from, to]: readonly [number, number]): number => LABEL_WIDTH + ((atMs - from) / (to - from)) * width();
  const instantAt = (clientX: number): number => {
    const [from, to] = domain();
    const at = from + ((clientX - slider.getBoundingClientRect().left - LABEL_WIDTH) / width()) * (to - from);
    return Math.max(store.state!.clock.startMs, Math.min(to, at));
  };

  const draw = (): void => {
    const { state } = store;
    if (state === null) return;
    const [from, to] = domain();
    const { clock } = state;
    const key = `${from} ${to} ${width()} ${store.entries.at(-1)?.sequence ?? 0} ${store.entries.length} ${state.epoch} ${state.pending.length} ${state.marks.map(({ name }) => name).join()}`;
    if (key !== drawn) {
      drawn = key;
      setAttributes(picture, { width: width() + LABEL_WIDTH + 10 });
      drawAxis(axis, from, to, (atMs) => xOf(atMs, [from, to]));
      replace(lanes, LANES.map(({ kinds }, lane) => drawLane(marksOf(kinds), lane, from, to, (atMs) => xOf(atMs, [from, to]), (text) => hover(text))));
      replace(marks, state.marks.filter(({ atMs }) => atMs >= from && atMs <= to).map(({ name, atMs }) => s('path', { class: 'mark', d: `M${xOf(atMs, [from, to])} ${HEIGHT - AXIS_HEIGHT}l-4 7h8z` }, s('title', {}, `Mark ${name}, ${clockTime(atMs)}`))));
    }
    const x = Math.max(LABEL_WIDTH, Math.min(LABEL_WIDTH + width(), xOf(clock.nowMs, [from, to])));
    setAttributes(past, { width: x - LABEL_WIDTH });
    setAttributes(now, { x1: x, x2: x });
    setAttributes(handle, { cx: x });
    setAttributes(ghost, wished === null ? { visibility: 'hidden' } : { visibility: 'visible', transform: `translate(${xOf(wished, [from, to])} 0)` });
    setAttributes(slider, { 'aria-valuemin': Math.round(clock.startMs / 1_000), 'aria-valuemax': Math.round(to / 1_000), 'aria-valuenow': Math.round((wished ?? clock.nowMs) / 1_000), 'aria-valuetext': clockTime(wished ?? clock.nowMs) });
    setText(says, sayings(clock.nowMs));
  };

  const sayings = (nowMs: number): string => {
    if (wished !== null && Math.abs(wished - nowMs) > 1) {
      if (wished > nowMs) return `Forward to ${clockTime(wished)}: simulates ${duration(wished - nowMs)}. Let go or press Enter; Escape cancels.`;
      const mark = markBefore(wished);
      const to = mark === null || mark.atMs >= wished ? '' : ` and simulates forward to ${clockTime(wished)}`;
      return `Back: restores mark “${mark?.name ?? 'start'}” (${clockTime(mark?.atMs ?? NaN)})${to}; what was done by hand since then is undone. Escape cancels.`;
    }
    if (hovered !== null) return hovered;
    const last = store.entries.filter(({ kind }) => kind !== 'checkpoint').at(-1) ?? store.entries.at(-1);
    return last ? `${clockTime(last.atMs)}  ${last.text}` : 'Nothing has happened yet. Drag the handle to go to another instant.';
  };

  const hover = (text: string | null): void => {
    hovered = text;
    draw();
  };
  const wish = (atMs: number | null): void => {
    wished = atMs;
    draw();
  };
  const go = async (): Promise<void> => {
    if (wished === null) return;
    await seek(wished);
    wish(null);
  };

  slider.addEventListener('pointerdown', (event) => {
    if (store.state === null || event.button !== 0 || event.clientX - slider.getBoundingClientRect().left < LABEL_WIDTH) return;
    slider.setPointerCapture(event.pointerId);
    wish(instantAt(event.clientX));
  });
  slider.addEventListener('pointermove', (event) => {
    if (slider.hasPointerCapture(event.pointerId)) wish(instantAt(event.clientX));
  });
  slider.addEventListener('pointerup', () => void go());
  slider.addEventListener('pointercancel', () => wish(null));
  slider.addEventListener('keydown', (event) => {
    if (store.state === null) return;
    const { startMs, nowMs } = store.state.clock;
    const stride = event.shiftKey ? 60_000 : 10_000;
    const moves: Readonly<Record<string, number>> = { ArrowLeft: -stride, ArrowDown: -stride, ArrowRight: stride, ArrowUp: stride, PageDown: -600_000, PageUp: 600_000 };
    if (event.key in moves) wish(Math.max(startMs, (wished ?? nowMs) + moves[event.key]!));
    else if (event.key === 'Home') wish(store.state.marks[0]?.atMs ?? startMs);
    else if (event.key === 'Enter') void go();
    else if (event.key === 'Escape') wish(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(draw).observe(slider);
  onChange(draw);
}

function niceStep(ms: number): number {
  return STEPS_MS.find((step) => step >= ms) ?? Math.ceil(ms / 86_400_000) * 86_400_000;
}

function drawAxis(axis: SVGGElement, from: number, to: number, x: (atMs: number) => number): void {
  // Labels must not touch each other, nor the edge.
  const room = x(to) - x(from);
  const stepMs = niceStep((to - from) / Math.max(2, Math.min(14, room / 72)));
  const ticks: SVGElement[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at <= to; at += stepMs) {
    const text = stepMs < 60_000 ? clockTime(at) : clockTime(at).slice(0, 5);
    ticks.push(s('line', { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT - AXIS_HEIGHT + 3 }));
    if (x(to) - x(at) > text.length * 3.4 - EDGE) ticks.push(s('text', { x: x(at), y: HEIGHT - 3 }, text));
  }
  replace(axis, ticks);
}

function marksOf(kinds: readonly EntryKind[]): Mark[] {
  const entries = store.entries.filter(({ kind }) => kinds.includes(kind)).map(({ atMs, text, kind, grave }): Mark => ({ atMs, text, tone: grave ? 'grave' : kind }));
  const pending = kinds.includes('scenario') ? store.state!.pending.map(({ atMs, text }): Mark => ({ atMs, text: `to come: ${text}`, tone: 'pending' })) : [];
  return [...entries, ...pending];
}

/** One marker for what lies close together; it has the gravest one's colour. */
function drawLane(marks: readonly Mark[], lane: number, from: number, to: number, x: (atMs: number) => number, hover: (text: string | null) => void): SVGElement[] {
  const buckets = new Map<number, Mark[]>();
  for (const mark of marks) {
    if (mark.atMs < from || mark.atMs > to) continue;
    const bucket = Math.floor(x(mark.atMs) / BUCKET_PX);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), mark]);
  }
  const y = lane * LANE_HEIGHT + LANE_HEIGHT / 2;
  return [...buckets.values()].map((group) => {
    const shown = group.find(({ tone }) => tone === 'grave') ?? group[0]!;
    const at = x(shown.atMs);
    const text = `${clockTime(shown.atMs)}  ${shown.text}${group.length > 1 ? `  (and ${group.length - 1} more here)` : ''}`;
    return s('circle', { class: `happening tone-${shown.tone}`, cx: at, cy: y, r: group.length > 1 ? 4.5 : 3.5, onpointerenter: () => hover(text), onpointerleave: () => hover(null) }, s('title', {}, text));
  });
}
