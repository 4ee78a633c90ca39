import { compileRoute, pathOfTarget, type RouteMatcher } from '../../src/http-faults/route-pattern.js';
import type { HttpFaultInput } from '../../src/scenario/schema/http-fault-schema.js';

/** What a fault may make of an answer. */
export interface Effect {
  readonly statuses: readonly number[];
  /** The connection may end without an answer, or in the middle of one. */
  readonly cuts: boolean;
  /** The body may be anything. */
  readonly changesBody: boolean;
}

interface FaultInForce {
  readonly id: string;
  readonly fits: RouteMatcher;
  readonly effect: Effect;
  fromMs: number;
  untilMs: number;
}

/** Longer ago than any request that is still under way. */
const FORGET_MS = 60_000;

export function effectOf(fault: HttpFaultInput): Effect {
  const effect = (statuses: readonly number[], cuts = false, changesBody = false): Effect => ({ statuses, cuts, changesBody });
  if ('error' in fault) return effect([fault.error.status]);
  if ('unavailable' in fault) return effect([503]);
  if ('rateLimit' in fault) return effect([429]);
  if ('connection' in fault) return effect([], true);
  if ('answers' in fault) return effect(fault.answers.map(({ status }) => status ?? 200), false, true);
  if ('latency' in fault || 'drip' in fault) return effect([]);
  return effect([], false, true);
}

/**
 * What the script has done to the server, and when: says whether an answer that is no ordinary one was asked for. Instants are those of the client,
 * before it asks for something and after it was told that it is over.
 */
export class Disturbances {
  #faults: FaultInForce[] = [];
  #outages: { fromMs: number; untilMs: number }[] = [];
  /** Grows before and after whatever takes the cluster to another time. */
  epoch = 0;

  add(id: string, fault: HttpFaultInput, fromMs: number): void {
    this.#faults.push({ id, fits: compileRoute(fault.path ?? '/**'), effect: effectOf(fault), fromMs, untilMs: Infinity });
  }

  /** Faults that are in force now. */
  get inForce(): string[] {
    return this.#faults.filter(({ untilMs }) => untilMs === Infinity).map(({ id }) => id);
  }

  /** From `fromMs` on those may be in force, from `sinceMs` on no others: a reset, a restored snapshot. */
  replace(ids: readonly string[], fromMs: number, sinceMs: number): void {
    const gone = this.#faults.filter((fault) => fault.untilMs === Infinity && !ids.includes(fault.id));
    for (const fault of gone) fault.untilMs = sinceMs;
    for (const id of ids) {
      if (this.#faults.some((fault) => fault.id === id && fault.untilMs === Infinity)) continue;
      const known = this.#faults.findLast((fault) => fault.id === id);
      if (known) this.#faults.push({ ...known, fromMs, untilMs: Infinity });
    }
  }

  remove(id: string, untilMs: number): void {
    for (const fault of this.#faults) if (fault.id === id) fault.untilMs = Math.min(fault.untilMs, untilMs);
  }

  /** A job manager that is down, without a leader, or just back; ends when `end` is called. */
  outage(fromMs: number): { end(untilMs: number): void } {
    const outage = { fromMs, untilMs: Infinity };
    this.#outages.push(outage);
    return { end: (untilMs) => void (outage.untilMs = untilMs) };
  }

  /** Whether the script let the job manager be down at some time between. */
  isOut(fromMs: number, untilMs: number): boolean {
    return this.#outages.some((outage) => outage.fromMs <= untilMs && outage.untilMs >= fromMs);
  }

  /** What a request to Flink's API may have met. */
  effectsOn(target: string, fromMs: number, untilMs: number): Effect {
    const path = pathOfTarget(target);
    const met = this.#faults.filter((fault) => fault.fromMs <= untilMs && fault.untilMs >= fromMs && fault.fits(path)).map(({ effect }) => effect);
    return { statuses: met.flatMap(({ statuses }) => statuses), cuts: met.some(({ cuts }) => cuts), changesBody: met.some(({ changesBody }) => changesBody) };
  }

  /** Lets go of what no request can meet any more; `keep` are faults that snapshots hold. */
  forget(nowMs: number, keep: ReadonlySet<string>): void {
    this.#faults = this.#faults.filter((fault) => fault.untilMs > nowMs - FORGET_MS || (keep.has(fault.id) && this.#faults.findLast(({ id }) => id === fault.id) === fault));
    this.#outages = this.#outages.filter(({ untilMs }) => untilMs > nowMs - FORGET_MS);
  }
}
