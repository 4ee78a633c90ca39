import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { expectedErrorAnswer, internalServerError } from '../rest/error-answer.js';
import { RestHandlerException } from '../rest/errors.js';
import { JSON_TYPE, send, type HeaderNames } from '../rest/send.js';
import { errorsJson } from '../rest/serializer/json-string.js';
import { logNormal, uniform } from '../simulation/random.js';
import type { RestFeatures } from '../versions/rest-features.js';
import { captureAnswer, type AnswerWriter, type WholeAnswer } from './answer-capture.js';
import { changeAnswer } from './body-effects.js';
import { dropConnection } from './drop-connection.js';
import type { CannedAnswer, FaultEffect, HttpFault, HttpFaultState, LatencyDistribution, RateWindow } from './http-fault.js';
import { RateLimiter } from './rate-limiter.js';
import { compileRoute, pathOfTarget, type RouteMatcher } from './route-pattern.js';

export const MAX_HTTP_FAULTS = 1_000;
/** Requests that are never answered, at a time; beyond that they are reset. */
const MAX_HANGING = 1_000;
/** Flink's text while no JobManager leads (LeaderRetrievalHandler). */
const NO_LEADER = 'Service temporarily unavailable due to an ongoing leader election. Please refresh.';

interface LiveFault {
  readonly state: HttpFaultState;
  readonly fits: RouteMatcher;
  readonly limiter: RateLimiter | null;
  readonly hanging: Set<ServerResponse>;
}

export interface HttpFaultsOptions {
  readonly features: RestFeatures;
  readonly names: HeaderNames;
  readonly seed: () => number;
  /** Virtual ms since the simulation's start. */
  readonly sinceStartMs: () => number;
}

/** The faults in front of Flink's routes. While there are none, a request costs one look. */
export class HttpFaults {
  private readonly faults = new Map<string, LiveFault>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private hangingCount = 0;

  constructor(private readonly options: HttpFaultsOptions) {}

  get size(): number {
    return this.faults.size;
  }

  /** In the order in which they are applied. */
  list(): HttpFaultState[] {
    return [...this.faults.values()].map(({ state, limiter }) => {
      const limit = limiter?.take(performance.now());
      return limit ? { ...state, limit } : state;
    });
  }

  get(id: string): HttpFaultState | undefined {
    return this.faults.get(id)?.state;
  }

  /** Adds a fault behind those there are; the id must be free. */
  add(fault: HttpFault): void {
    this.put({ fault, matched: 0, struck: 0, kept: new Map(), keptBytes: 0 });
  }

  /** Goes on with faults as they were, in place of those there are. */
  restore(states: readonly HttpFaultState[]): void {
    this.clear();
    for (const { limit, ...state } of states) this.put({ ...state, kept: new Map(state.kept) }, limit);
  }

  /** Takes a fault away; requests that it lets hang are cut off. */
  remove(id: string): boolean {
    const live = this.faults.get(id);
    if (!live) return false;
    this.faults.delete(id);
    for (const response of live.hanging) dropConnection(response, 'close');
    return true;
  }

  clear(): void {
    for (const id of [...this.faults.keys()]) this.remove(id);
  }

  /** The server closes: nothing hangs any more, and what is late or slow is under way and comes to its end. */
  close(): void {
    this.clear();
  }

  /** The server is closed: nobody waits any more. */
  forgetDelays(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  /** Sees a request before Flink's routes do: lets it go on by `proceed`, now or later, or answers (or never does) itself. */
  admit(request: FastifyRequest, reply: FastifyReply, target: string, proceed: () => void): void {
    if (this.faults.size === 0) {
      proceed();
      return;
    }
    const striking = this.striking(request.method, pathOfTarget(target));
    if (striking.length === 0) {
      proceed();
      return;
    }
    let delayMs = 0;
    let last: (() => void) | null = null;
    const changing: LiveFault[] = [];
    for (const live of striking) {
      const { effect } = live.state.fault;
      if (effect.kind === 'latency') delayMs += this.latency(effect.distribution, live.state);
      else if (!isChange(effect)) {
        last = this.ending(effect, live, reply);
        if (last) break;
      } else changing.push(live);
    }
    this.later(delayMs, reply.raw, () => {
      if (changing.length > 0) this.change(reply.raw, changing, target);
      (last ?? proceed)();
    });
  }

  private put(state: HttpFaultState, limit?: RateWindow): void {
    const { fault } = state;
    const limiter = fault.effect.kind === 'rate-limit' ? new RateLimiter(fault.effect) : null;
    if (limit) limiter?.put(limit, performance.now());
    this.faults.set(fault.id, { state, fits: compileRoute(fault.path), limiter, hanging: new Set() });
  }

  /** Counts the request for every fault that it fits, and gives those that strike. */
  private striking(method: string, path: string): LiveFault[] {
    const nowMs = this.options.sinceStartMs();
    const seed = this.options.seed();
    const found: LiveFault[] = [];
    for (const live of this.faults.values()) {
      const { state } = live;
      const { fault } = state;
      if (fault.methods !== null && !fault.methods.includes(method)) continue;
      if ((fault.fromMs !== null && nowMs < fault.fromMs) || (fault.untilMs !== null && nowMs >= fault.untilMs)) continue;
      if (fault.times !== null && state.struck >= fault.times) continue;
      if (fault.effect.kind === 'answers' && state.struck >= fault.effect.answers.length) continue;
      if (!live.fits(path)) continue;
      const number = state.matched++;
      if (number < fault.skip) continue;
      if (fault.probability < 1 && uniform(seed, 'http-fault', fault.id, number) >= fault.probability) continue;
      // A limit strikes when it is exceeded only.
      if (live.limiter?.admits(performance.now())) continue;
      state.struck++;
      found.push(live);
    }
    return found;
  }

  private latency(distribution: LatencyDistribution, state: HttpFaultState): number {
    const { fault, struck } = state;
    const seed = this.options.seed();
    if (distribution.kind === 'lognormal') return Math.min(distribution.maxMs, logNormal(distribution.medianMs, distribution.spread, seed, 'http-latency', fault.id, struck));
    return Math.max(0, distribution.meanMs + distribution.jitterMs * (2 * uniform(seed, 'http-latency', fault.id, struck) - 1));
  }

  /** What ends a request without Flink's routes; null when the effect leaves it to them. */
  private ending(effect: FaultEffect, live: LiveFault, reply: FastifyReply): (() => void) | null {
    switch (effect.kind) {
      case 'error':
        return () => this.sendError(reply, effect.status, effect.message, effect.javaClass);
      case 'unavailable':
        return () => send(reply, this.options.names, { status: 503, contentType: JSON_TYPE, body: errorsJson([NO_LEADER]), allowOrigin: true });
      case 'rate-limit': {
        const seconds = Math.ceil((effect.retryAfterMs ?? live.limiter!.waitMs(performance.now())) / 1_000);
        return () => send(reply, this.options.names, { status: 429, contentType: JSON_TYPE, body: errorsJson(['Too many requests.']), allowOrigin: true, headers: ['retry-after', String(seconds)] });
      }
      case 'answers': {
        const answer = effect.answers[live.state.struck - 1]!;
        return () => this.sendCanned(reply, answer);
      }
      case 'connection':
        return () => this.endConnection(effect.what, live, reply);
      default:
        return null;
    }
  }

  private endConnection(what: 'reset' | 'close' | 'hang' | 'close-mid-body', live: LiveFault, reply: FastifyReply): void {
    reply.hijack();
    const { raw } = reply;
    if (what !== 'hang') {
      dropConnection(raw, what === 'reset' ? 'reset' : 'close');
      return;
    }
    if (this.hangingCount >= MAX_HANGING) {
      dropConnection(raw, 'reset');
      return;
    }
    this.hangingCount++;
    live.hanging.add(raw);
    raw.once('close', () => {
      this.hangingCount--;
      live.hanging.delete(raw);
    });
  }

  private sendError(reply: FastifyReply, status: number, message: string, javaClass: string): void {
    const { features, names } = this.options;
    const { errors } = status === 500 ? internalServerError(javaClass, message) : expectedErrorAnswer(new RestHandlerException(status, message, javaClass), features)!;
    send(reply, names, { status, contentType: JSON_TYPE, body: errorsJson(errors), allowOrigin: true });
  }

  private sendCanned(reply: FastifyReply, { status, contentType, body, headers }: CannedAnswer): void {
    send(reply, this.options.names, { status, contentType: contentType === '' ? null : contentType, body, allowOrigin: true, headers: Object.entries(headers).flat() });
  }

  private change(response: ServerResponse, changing: readonly LiveFault[], target: string): void {
    captureAnswer(response, (answer, writer) => {
      const changed = changing.reduce((current, { state }) => changeAnswer(current, state.fault.effect, state, target), answer);
      const effects = changing.map(({ state }) => state.fault.effect);
      const drip = effects.find((effect) => effect.kind === 'drip');
      if (effects.some((effect) => effect.kind === 'connection')) this.closeMidBody(response, changed, writer);
      else if (drip?.kind === 'drip') this.dripBody(response, changed, writer, drip);
      else {
        writer.head(changed);
        writer.end(changed.body);
      }
    });
  }

  private closeMidBody(response: ServerResponse, answer: WholeAnswer, writer: AnswerWriter): void {
    writer.head(answer);
    writer.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)));
    // Given to the kernel first, so that the half arrives.
    setImmediate(() => dropConnection(response, 'close'));
  }

  private dripBody(response: ServerResponse, answer: WholeAnswer, writer: AnswerWriter, { overMs, chunks }: { readonly overMs: number; readonly chunks: number }): void {
    writer.head(answer);
    const size = Math.max(1, Math.ceil(answer.body.length / chunks));
    const next = (from: number): void => {
      const chunk = answer.body.subarray(from, from + size);
      if (from + size >= answer.body.length) {
        writer.end(chunk);
        return;
      }
      writer.write(chunk);
      this.later(overMs / Math.max(1, chunks - 1), response, () => next(from + size));
    };
    next(0);
  }

  /** After a delay, unless the client has gone away. */
  private later(delayMs: number, response: ServerResponse, action: () => void): void {
    if (delayMs <= 0) {
      action();
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      this.timers.delete(timer);
    };
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      response.off('close', stop);
      action();
    }, delayMs);
    this.timers.add(timer);
    response.once('close', stop);
  }
}

/** Effects on the answer that Flink's routes give. */
function isChange(effect: FaultEffect): boolean {
  return effect.kind === 'body' || effect.kind === 'content-type' || effect.kind === 'override' || effect.kind === 'stale' || effect.kind === 'drip' || (effect.kind === 'connection' && effect.what === 'close-mid-body');
}
