import type { RateSpan } from './measure-vertex.js';

/** From an instant on, so many records a second. */
export interface OfferedStep {
  readonly fromMs: number;
  readonly recordsPerSecond: number;
}

/** Rates that differ by less are one. */
const ALIKE = 0.1;
/** What is offered to a source that is held up cannot be seen; that much more than it emits keeps it so, and leaves little to catch up. */
export const OVERLOAD = 1.1;
const HELD_UP_SPAN = 0.8;

export function offeredSteps(spans: readonly RateSpan[]): { steps: OfferedStep[]; heldUp: boolean } {
  const offered = spans.map(({ fromMs, toMs, recordsPerSecond, backPressured }) => ({
    fromMs,
    toMs,
    recordsPerSecond: backPressured >= HELD_UP_SPAN ? recordsPerSecond * OVERLOAD : recordsPerSecond,
  }));
  return { steps: joinSteps(offered), heldUp: spans.some(({ backPressured }) => backPressured >= HELD_UP_SPAN) };
}

/** Makes one of neighbours that are alike: the mean over their time. */
export function joinSteps(spans: readonly { readonly fromMs: number; readonly toMs: number; readonly recordsPerSecond: number }[]): OfferedStep[] {
  const groups: { fromMs: number; toMs: number; records: number }[] = [];
  const rateOf = ({ fromMs, toMs, records }: { fromMs: number; toMs: number; records: number }): number => records / (toMs - fromMs);
  const total = spans.reduce((all, { fromMs, toMs, recordsPerSecond }) => ({ records: all.records + recordsPerSecond * (toMs - fromMs), ms: all.ms + toMs - fromMs }), { records: 0, ms: 0 });
  const overall = total.ms > 0 ? total.records / total.ms : 0;
  if (spans.length > 0 && spans.every(({ recordsPerSecond }) => Math.abs(recordsPerSecond - overall) <= ALIKE * overall)) return [{ fromMs: spans[0]!.fromMs, recordsPerSecond: overall }];
  for (const { fromMs, toMs, recordsPerSecond } of spans) {
    const last = groups.at(-1);
    const span = { fromMs, toMs, records: recordsPerSecond * (toMs - fromMs) };
    if (last && Math.abs(rateOf(last) - recordsPerSecond) <= ALIKE * Math.max(rateOf(last), recordsPerSecond)) {
      last.toMs = toMs;
      last.records += span.records;
    } else groups.push(span);
  }
  return groups.map((group) => ({ fromMs: group.fromMs, recordsPerSecond: rateOf(group) }));
}
