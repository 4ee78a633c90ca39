import type { SoakResult } from './soak.js';
import type { Percentiles, Sample } from './soaked-server.js';

const MEBIBYTE = 1024 * 1024;
const DELAY_LIMIT_MS = 20;
/** Runs long enough for what is bounded to have filled up: journal, logs, histories, marks, compiled code. In shorter ones it still fills, and all of it has a bound. */
const LONG_MINUTES = 10;
const GROWTH_LIMIT_PERCENT = 10;
const SHORT_LIMIT_MIB = 160;

export interface Verdict {
  /** Median heap of the last third over that of the middle third, %. */
  readonly heapGrowthPercent: number;
  readonly delayP99Ms: number;
  readonly failures: readonly string[];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/** What of a run's figures is no good. Event loop delay counts only when asked to, as a machine that others use delays everything. */
export function judgeRun({ samples, wrong, seconds }: SoakResult, isStrict: boolean): Verdict {
  const third = Math.floor(samples.length / 3);
  const heap = (part: readonly Sample[]): number => median(part.map(({ heapBytes }) => heapBytes));
  const heapGrowthPercent = (heap(samples.slice(-third)) / heap(samples.slice(third, 2 * third)) - 1) * 100;
  const endMiB = heap(samples.slice(-third)) / MEBIBYTE;
  const isLong = seconds >= LONG_MINUTES * 60;
  const delayP99Ms = samples.at(-1)?.delay.p99Ms ?? NaN;
  return {
    heapGrowthPercent,
    delayP99Ms,
    failures: [
      ...(wrong > 0 ? [`${wrong} times something went wrong`] : []),
      ...(isLong && !(heapGrowthPercent <= GROWTH_LIMIT_PERCENT) ? [`the heap grew by ${heapGrowthPercent.toFixed(1)} %, more than ${GROWTH_LIMIT_PERCENT} %`] : []),
      ...(!isLong && !(endMiB <= SHORT_LIMIT_MIB) ? [`the heap was ${endMiB.toFixed(0)} MiB at the end, more than ${SHORT_LIMIT_MIB} MiB`] : []),
      ...(isStrict && !(delayP99Ms < DELAY_LIMIT_MS) ? [`event loop delay p99 ${delayP99Ms.toFixed(1)} ms, not below ${DELAY_LIMIT_MS} ms`] : []),
    ],
  };
}

function percentiles(of: Percentiles | undefined): string {
  return of ? `p50 ${of.p50Ms.toFixed(1)} ms, p99 ${of.p99Ms.toFixed(1)} ms, p99.9 ${of.p999Ms.toFixed(1)} ms, max ${of.maxMs.toFixed(0)} ms` : '?';
}

/** The figures for people. */
export function table(result: SoakResult, verdict: Verdict): string {
  const { requests, samples, done } = result;
  const total = Object.values(requests).reduce((sum, each) => sum + each, 0);
  const last = samples.at(-1);
  const heaps = samples.map(({ heapBytes }) => heapBytes / MEBIBYTE);
  const list = (counts: Readonly<Record<string, number>>): string => Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', ');
  const rows: readonly (readonly [string, string])[] = [
    ['wall time', `${result.seconds.toFixed(0)} s`],
    ['virtual time that passed', `${result.virtualHours.toFixed(1)} h`],
    ['requests', `${total} (${(total / result.seconds).toFixed(0)}/s): ${list(requests)}; due but not sent ${result.notSent}`],
    ['answers', list(result.statuses)],
    ['disturbances', list(done)],
    ['looks compared', String(result.comparisons)],
    ['events of the stream', String(result.streamEvents)],
    ['latency', `p50 ${result.latency.p50Ms.toFixed(1)} ms, p99 ${result.latency.p99Ms.toFixed(1)} ms (faults included)`],
    ['heap, collected', `${Math.min(...heaps).toFixed(1)} to ${Math.max(...heaps).toFixed(1)} MiB, at the end ${heaps.at(-1)?.toFixed(1)} MiB; last third over middle third ${verdict.heapGrowthPercent.toFixed(1)} %`],
    ['resident at the end', `${((last?.rssBytes ?? NaN) / MEBIBYTE).toFixed(0)} MiB`],
    ['event loop delay', percentiles(last?.delay)],
    ['its own part', `${percentiles(last?.work)} of processor between two turns`],
    ['processor of the server', last ? `${(last.processorMs / 1000).toFixed(1)} s, ${((last.processorMs / 1000 / result.seconds) * 100).toFixed(0)} % of a core` : '?'],
    ['SIGTERM under load', `${result.shutdown.inFlight} answers under way, exit code ${result.shutdown.code} after ${result.shutdown.exitMs.toFixed(0)} ms${result.shutdown.isJudged ? '' : `; too busy a machine to judge it (answers took up to ${result.shutdown.slowestMs.toFixed(0)} ms before)`}`],
    ['went wrong', String(result.wrong)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
