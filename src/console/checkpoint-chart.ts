import type { ConsoleCheckpoint } from '../control/console/console-types.js';
import { h, replace, s, setText } from './dom.js';
import { clockTime, duration } from './format.js';
import { store } from './store.js';

export const STAGES = [
  ['delay', 'start delay'],
  ['align', 'alignment'],
  ['sync', 'sync'],
  ['async', 'async'],
  ['rest', 'rest'],
] as const;

const SHOWN = 20;
/** Checkpoints that have left the server's history are remembered here as long as the page is open. */
const KEPT = 60;
const BOTTOM = 15;

/** How long each stage of a checkpoint took, by the subtask that acknowledged last; `rest` is what none of its own stages explains. */
export function stagesOf({ slowest, durationMs }: ConsoleCheckpoint): readonly number[] {
  if (slowest === null) return [0, 0, 0, 0, durationMs];
  const own = [slowest.startDelayMs, slowest.alignmentMs, slowest.syncMs, slowest.asyncMs];
  return [...own, Math.max(0, durationMs - own.reduce((sum, ms) => sum + ms, 0))];
}

export function describeCheckpoint(checkpoint: ConsoleCheckpoint): string {
  const { id, status, savepoint, triggerMs, durationMs, acknowledged, subtasks, slowest, failure } = checkpoint;
  const stages = slowest === null ? '' : `; ${slowest.vertex} (${slowest.subtask + 1}): ${STAGES.map(([, name], stage) => `${name} ${duration(stagesOf(checkpoint)[stage])}`).join(', ')}`;
  return `${savepoint ? 'Savepoint' : 'Checkpoint'} ${id}, ${clockTime(triggerMs)}: ${status.toLowerCase().replace('_', ' ')}, ${duration(durationMs)}, ${acknowledged} of ${subtasks} acknowledged${stages}${failure === null ? '' : `. ${failure}`}`;
}

/** Durations of the last checkpoints, each a bar of its stages. */
export function drawCheckpoints(): { readonly element: HTMLElement; update(): void; restyle(): void } {
  const place = h('div', { class: 'plot' });
  const last = h('b', { class: 'value' }, '–');
  const legend = h('span', { class: 'chart-legend' }, STAGES.map(([stage, name]) => h('span', {}, h('i', { class: `stage-${stage}` }), name)));
  const element = h('section', { class: 'card chart', id: 'chart-checkpoints', 'aria-label': 'Checkpoint durations' }, h('div', { class: 'chart-head' }, h('h3', {}, 'Checkpoints ', last), legend), place);
  let kept = new Map<string, ConsoleCheckpoint>();
  let epoch = 0;
  const update = (): void => {
    const job = store.state?.job;
    if (!job?.checkpoints) {
      kept.clear();
      setText(last, job ? 'off' : '–');
      replace(place, h('p', { class: 'note' }, job ? 'Checkpointing is off for this job.' : 'There is no job.'));
      return;
    }
    if (epoch !== store.state!.epoch) kept.clear();
    epoch = store.state!.epoch;
    for (const checkpoint of job.checkpoints.recent) kept.set(`${job.id}/${checkpoint.id}`, checkpoint);
    kept = new Map([...kept].filter(([key]) => key.startsWith(job.id)).sort(([, a], [, b]) => a.id - b.id).slice(-KEPT));
    const all = [...kept.values()];
    const ended = all.findLast(({ status }) => status !== 'IN_PROGRESS');
    setText(last, ended ? `${ended.id}: ${ended.status === 'FAILED' ? 'failed after ' : ''}${duration(ended.durationMs)}` : 'none yet');
    if (all.length === 0) replace(place, h('p', { class: 'note' }, 'None has been triggered yet.'));
    else replace(place, drawBars(all.slice(-SHOWN), place.clientWidth, place.clientHeight, job.checkpoints.timeoutMs));
  };
  new ResizeObserver(update).observe(place);
  return { element, update, restyle: () => undefined };
}

function drawBars(checkpoints: readonly ConsoleCheckpoint[], width: number, height: number, timeoutMs: number): SVGSVGElement {
  const left = 52;
  const room = Math.max(10, height - BOTTOM - 12);
  const longest = Math.max(1, ...checkpoints.map(({ durationMs }) => durationMs));
  const top = timeoutMs < longest * 2 ? Math.max(longest, timeoutMs) : longest;
  const pitch = Math.max(4, Math.min(34, (width - left - 10) / Math.max(6, checkpoints.length)));
  const every = Math.ceil((8 + 7 * String(checkpoints.at(-1)?.id ?? 0).length) / pitch);
  const y = (ms: number): number => 8 + room - (Math.min(ms, top) / top) * room;
  const line = (ms: number, name: string) => [s('line', { class: name, x1: left, x2: width - 8, y1: y(ms), y2: y(ms) }), s('text', { class: 'tick', x: left - 6, y: y(ms) + 4 }, duration(ms))];
  const bars = checkpoints.map((checkpoint, index) => {
    const x = left + index * pitch;
    let ms = 0;
    const parts = stagesOf(checkpoint).map((each, stage) => {
      const from = ms;
      ms += each;
      return s('rect', { class: `stage-${STAGES[stage]![0]}`, x, width: pitch * 0.7, y: y(ms), height: Math.max(0, y(from) - y(ms)) });
    });
    const mark = checkpoint.status === 'FAILED' ? s('text', { class: 'failed-mark', x: x + pitch * 0.35, y: y(checkpoint.durationMs) - 1 }, '✕') : null;
    const number = index % every !== 0 ? null : s('text', { class: 'bar-name', x: x + pitch * 0.35, y: height - 3 }, checkpoint.id);
    return s('g', { class: checkpoint.status === 'IN_PROGRESS' ? 'under-way' : '' }, s('title', {}, describeCheckpoint(checkpoint)), parts, mark, number);
  });
  return s('svg', { class: 'bars', width, height, role: 'img', 'aria-label': checkpoints.map(describeCheckpoint).at(-1) ?? 'No checkpoint yet' }, line(0, 'base'), line(top, 'grid-line'), timeoutMs <= top ? s('line', { class: 'timeout', x1: left, x2: width - 8, y1: y(timeoutMs), y2: y(timeoutMs) }, s('title', {}, `Time-out ${duration(timeoutMs)}`)) : null, bars);
}
