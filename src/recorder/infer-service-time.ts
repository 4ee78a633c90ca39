import { highest, known, mean, sum, type VertexMeasure } from './measure-vertex.js';

/** Mean time of the thread for a record, with what it was taken from. */
export interface ServiceTime {
  readonly us: number;
  readonly basis: string;
}

/** What an operator that does next to nothing needs, where nothing could be measured. */
const ASSUMED_US = 10;
const LARGEST_ASSUMED_USE = 0.1;

/** From which part of the time on a vertex counts as held up, and up to which as free. */
export const HELD_UP = 0.5;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const shown = (rate: number): string => String(rate < 100 ? Number(rate.toPrecision(3)) : Math.round(rate));

function fromBusyTime(measure: VertexMeasure, busy: readonly number[], what: string): ServiceTime {
  const pairs = busy.map((share, s) => ({ share, rate: measure.handledPerSecond[s]! })).filter(({ share }) => !Number.isNaN(share));
  const rate = sum(pairs.map((pair) => pair.rate));
  const share = sum(pairs.map((pair) => pair.share));
  return { us: (share / rate) * 1e6, basis: `Measured: ${what} ${percent(share / pairs.length)} of the time (mean of ${pairs.length}) at ${shown(rate)} records/s.` };
}

/** At the limit, the busiest subtask shows how long a record takes. */
function fromThroughput(measure: VertexMeasure, why: string): ServiceTime {
  const rate = highest(measure.handledPerSecond);
  return { us: 1e6 / rate, basis: `From the throughput, ${shown(rate)} records/s in the busiest subtask: ${why}.` };
}

/** What is around a vertex, as far as it tells something about it. */
export interface Surroundings {
  readonly isSource: boolean;
  /** Part of the time in which the vertices before it are held up; 0 when there are none. */
  readonly inputsHeldUp: number;
  /** Its Kafka lag grows. */
  readonly lagGrows: boolean;
}

export function inferServiceTime(measure: VertexMeasure, { isSource, inputsHeldUp, lagGrows }: Surroundings): ServiceTime {
  const rate = sum(measure.handledPerSecond);
  if (rate === 0) return { us: ASSUMED_US, basis: 'Assumed: no record came through while it was watched.' };
  const heldUp = known(measure.backPressured).length > 0 ? mean(known(measure.backPressured)) : 0;
  if (known(measure.busy).length > 0) return fromBusyTime(measure, measure.busy, 'busy');
  if (isSource) {
    if (lagGrows && heldUp < HELD_UP) return fromThroughput(measure, 'its lag grows and nothing holds it up');
    return { us: 0, basis: "Assumed: such a source's busy time cannot be measured." };
  }
  if (inputsHeldUp >= HELD_UP && heldUp < HELD_UP) return fromThroughput(measure, 'what is in front of it is back-pressured, and it is not');
  // 1.11 and 1.12 count what is not busy as idle, back pressure too.
  if (known(measure.idle).length > 0) return fromBusyTime(measure, measure.idle.map((idle) => 1 - idle), 'not idle');
  const us = Math.min(ASSUMED_US, (LARGEST_ASSUMED_USE * 1e6) / highest(measure.handledPerSecond));
  return { us, basis: 'Assumed: this version tells no busy time, and the vertex is not at its limit.' };
}
