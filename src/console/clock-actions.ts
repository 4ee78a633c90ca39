import type { ConsoleClock } from '../control/console/console-types.js';
import { act, say } from './messages.js';
import { clockTime } from './format.js';
import { knowClock, store } from './store.js';

export const SPEEDS = [1, 10, 60, 600, 1_000, 10_000] as const;

const change = (body: object, done: string | null = null): Promise<boolean> => act({ method: 'POST', path: '/clock', body }, done, (clock) => knowClock(clock as ConsoleClock));

export function togglePause(): void {
  const clock = store.state?.clock;
  if (clock === undefined) return;
  if (clock.mode === 'manual') say('This clock stands by itself (--clock manual): step, or run until something happens.');
  else void change({ paused: !clock.paused });
}

/** Time passes at that speed from now on, also where it stood. */
export async function setSpeed(speed: number): Promise<void> {
  const clock = store.state?.clock;
  if (clock === undefined || !(await change({ speed }))) return;
  if (clock.mode === 'real' && clock.paused) await change({ paused: false });
}

export function shiftSpeed(by: 1 | -1): void {
  const clock = store.state?.clock;
  if (clock === undefined) return;
  const next = by > 0 ? SPEEDS.find((speed) => speed > clock.speed) : SPEEDS.findLast((speed) => speed < clock.speed);
  if (next !== undefined) void setSpeed(next);
}

export function step(ms: number): void {
  void change({ advanceMs: ms });
}

export function runUntil(condition: object, limitMs: number, text: string): Promise<boolean> {
  say(`Running until ${text} …`);
  return change({ until: condition, limitMs }, null);
}

export async function setMark(name: string): Promise<void> {
  await act({ method: 'POST', path: '/marks', body: { name } }, `Mark ${name} is set: you can come back to this instant.`);
}

export function removeMark(name: string): void {
  void act({ method: 'DELETE', path: `/marks/${encodeURIComponent(name)}` }, null);
}

export function resetTo(name: string): void {
  void act({ method: 'POST', path: '/reset', body: { to: name } }, `Back at mark ${name}.`);
}

/** The mark from which an instant in the past can be reached: the last one before it. */
export function markBefore(atMs: number): { readonly name: string; readonly atMs: number } | null {
  const marks = [...(store.state?.marks ?? [])].sort((a, b) => a.atMs - b.atMs);
  return marks.findLast((mark) => mark.atMs <= atMs) ?? marks[0] ?? null;
}

/** To an instant: forward by simulating, back by way of a mark; the clock stands there then, if it has to go back. */
export async function seek(atMs: number): Promise<void> {
  const { state } = store;
  if (state === null) return;
  const target = Math.round(atMs);
  if (target >= state.clock.nowMs) {
    await change({ to: target });
    return;
  }
  const mark = markBefore(target);
  if (mark === null) return;
  if (state.clock.mode === 'real' && !state.clock.paused) await change({ paused: true });
  if (!(await act({ method: 'POST', path: '/reset', body: { to: mark.name } }, null))) return;
  if (target > mark.atMs) await change({ to: target });
  say(`Restored mark ${mark.name} (${clockTime(mark.atMs)})${target > mark.atMs ? ` and simulated to ${clockTime(target)}` : ''}. The clock is paused.`);
}
