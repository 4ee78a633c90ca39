import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compileRoute, pathOfTarget } from '../http-faults/route-pattern.js';

/** A request to Flink's API and what became of it. */
export interface JournalEntry {
  /** Counts from 1 over the life of the server. */
  readonly id: number;
  /** Virtual and wall instant of the question, epoch ms. */
  readonly atMs: number;
  readonly wallMs: number;
  readonly method: string;
  /** As asked, with query. */
  readonly target: string;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
  /** Text of a body up to 64 KiB; null = none, too long, or a form. */
  readonly requestBody: string | null;
  readonly outcome: 'answered' | 'pending' | 'aborted';
  /** null unless answered. */
  readonly status: number | null;
  readonly durationMs: number | null;
  /** Text of an answer up to 64 KiB, as long as the journal has room; null = not kept. */
  readonly responseBody: string | null;
}

/** Which requests are meant; all of what is given must fit. */
export interface RequestPattern {
  readonly method?: string | undefined;
  /** As in HTTP faults: `/jobs/:jobid/**`. */
  readonly path?: string | undefined;
  /** Parts of the target's query. */
  readonly query?: string | undefined;
  readonly status?: number | undefined;
  /** Part of the request's body. */
  readonly bodyContains?: string | undefined;
  readonly userAgentContains?: string | undefined;
  /** Entries after this id. */
  readonly after?: number | undefined;
}

export interface Verification {
  readonly passed: boolean;
  readonly count: number;
  readonly expected: string;
  /** Requests that nearly fit, the nearest first, and what did not. */
  readonly nearMisses: readonly { readonly entry: JournalEntry; readonly differences: readonly string[] }[];
}

export const JOURNAL_LIMITS = { entries: 1_000, bodyBytes: 64 * 1024, bytes: 16 * 1024 * 1024 };

interface Record {
  readonly id: number;
  readonly atMs: number;
  readonly wallMs: number;
  readonly startedMs: number;
  readonly method: string;
  readonly target: string;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
  requestBody: string | null;
  /** null once answered. */
  response: Pending | null;
  status: number;
  durationMs: number;
  responseBody: string | Buffer | null;
}

type Pending = Pick<ServerResponse, 'destroyed' | 'socket'>;
const PENDING: Pending = { destroyed: false, socket: null };

/** The last requests, in a ring. */
export class RequestJournal {
  private readonly ring: Record[] = [];
  private next = 0;
  private lastId = 0;
  private keptBytes = 0;
  private readonly listeners = new Map<(entry: JournalEntry) => void, () => boolean>();

  constructor(
    private readonly nowMs: () => number,
    readonly capacity: number = JOURNAL_LIMITS.entries,
  ) {}

  /** Requests since the server began, those that have left the ring included. */
  get total(): number {
    return this.lastId;
  }

  observe(request: FastifyRequest, reply: FastifyReply, target: string): void {
    if (this.capacity === 0) return;
    const response = reply.raw;
    const record = this.begin(request.raw, target, response, performance.now());
    const { end } = response;
    response.end = ((...args: unknown[]) => {
      const [chunk] = args;
      this.answered(record, request.body, response.statusCode, typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk : null, performance.now() - record.startedMs);
      return (end as (...rest: unknown[]) => ServerResponse).apply(response, args);
    }) as typeof end;
  }

  /** A request without a body that was answered as soon as it came. */
  noteAnswered(request: IncomingMessage, target: string, status: number, body: string | Buffer): void {
    if (this.capacity === 0) return;
    this.answered(this.begin(request, target, PENDING, 0), undefined, status, body, 0);
  }

  entries(pattern: RequestPattern = {}, limit: number = this.capacity): JournalEntry[] {
    const fits = compilePattern(pattern);
    const found = this.records().map(toEntry).filter((entry) => fits(entry).length === 0);
    return limit >= found.length ? found : found.slice(found.length - limit);
  }

  /** The last requests after a number, the latest last. */
  latest(after: number, limit: number): JournalEntry[] {
    return this.records().filter(({ id }) => id > after).slice(-limit).map(toEntry);
  }

  count(pattern: RequestPattern = {}): number {
    return this.entries(pattern).length;
  }

  verify(pattern: RequestPattern, expected: { readonly exactly?: number | undefined; readonly atLeast?: number | undefined; readonly atMost?: number | undefined }): Verification {
    const { exactly, atLeast = exactly === undefined && expected.atMost === undefined ? 1 : undefined, atMost } = expected;
    const fits = compilePattern(pattern);
    const judged = this.records().map(toEntry).map((entry) => ({ entry, differences: fits(entry) }));
    const count = judged.filter(({ differences }) => differences.length === 0).length;
    const passed = (exactly === undefined || count === exactly) && (atLeast === undefined || count >= atLeast) && (atMost === undefined || count <= atMost);
    const wanted = [exactly === undefined ? '' : `exactly ${exactly}`, atLeast === undefined ? '' : `at least ${atLeast}`, atMost === undefined ? '' : `at most ${atMost}`].filter((text) => text !== '').join(', ');
    const nearMisses = passed
      ? []
      : judged
          .filter(({ differences }) => differences.length > 0)
          .toSorted((a, b) => a.differences.length - b.differences.length || sharedPrefix(b.entry, pattern) - sharedPrefix(a.entry, pattern) || b.entry.id - a.entry.id)
          .slice(0, 5);
    return { passed, count, expected: wanted, nearMisses };
  }

  clear(): void {
    this.ring.length = 0;
    this.next = 0;
    this.keptBytes = 0;
  }

  /** Calls the listener with every request that was answered while it wants them; gives the way to end that. */
  subscribe(listener: (entry: JournalEntry) => void, wants: () => boolean = () => true): () => void {
    this.listeners.set(listener, wants);
    return () => void this.listeners.delete(listener);
  }

  private begin(request: IncomingMessage, target: string, response: Pending, startedMs: number): Record {
    const record: Record = {
      id: ++this.lastId,
      atMs: this.nowMs(),
      wallMs: Date.now(),
      startedMs,
      method: request.method!,
      target,
      remoteAddress: request.socket?.remoteAddress ?? null,
      userAgent: request.headers['user-agent'] ?? null,
      requestBody: null,
      response,
      status: 0,
      durationMs: 0,
      responseBody: null,
    };
    this.put(record);
    return record;
  }

  private put(record: Record): void {
    const gone = this.ring[this.next];
    if (gone) this.forgetBodies(gone);
    this.ring[this.next] = record;
    this.next = (this.next + 1) % this.capacity;
  }

  /** Oldest first. */
  private records(): Record[] {
    return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)];
  }

  private answered(record: Record, requestBody: unknown, status: number, body: string | Buffer | null, durationMs: number): void {
    if (record.response === null) return;
    record.response = null;
    record.status = status;
    record.durationMs = durationMs;
    if (Buffer.isBuffer(requestBody) && requestBody.length > 0 && requestBody.length <= JOURNAL_LIMITS.bodyBytes) record.requestBody = requestBody.toString('utf8');
    if (body !== null && body.length <= JOURNAL_LIMITS.bodyBytes) record.responseBody = body;
    this.keptBytes += kept(record);
    // The oldest bodies go first; what was asked stays.
    if (this.keptBytes > JOURNAL_LIMITS.bytes) for (const old of this.records().slice(0, Math.ceil(this.ring.length / 4))) this.forgetBodies(old);
    for (const [listener, wants] of this.listeners) if (wants()) listener(toEntry(record));
  }

  private forgetBodies(record: Record): void {
    this.keptBytes -= kept(record);
    record.requestBody = null;
    record.responseBody = null;
  }
}

function kept({ requestBody, responseBody }: Record): number {
  return (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
}

function toEntry(record: Record): JournalEntry {
  const { response, id, atMs, wallMs, method, target, remoteAddress, userAgent, requestBody, responseBody } = record;
  const answered = response === null;
  return {
    id,
    atMs,
    wallMs,
    method,
    target,
    remoteAddress,
    userAgent,
    requestBody,
    outcome: answered ? 'answered' : response.destroyed || response.socket?.destroyed ? 'aborted' : 'pending',
    status: answered ? record.status : null,
    durationMs: answered ? Math.round(record.durationMs * 1_000) / 1_000 : null,
    responseBody: responseBody === null ? null : responseBody.toString(),
  };
}

/** Says what of an entry does not fit; nothing = it fits. */
function compilePattern(pattern: RequestPattern): (entry: JournalEntry) => string[] {
  const route = pattern.path === undefined ? null : compileRoute(pattern.path);
  const query = pattern.query === undefined ? null : [...new URLSearchParams(pattern.query)];
  return (entry) => {
    const differences: string[] = [];
    if (pattern.after !== undefined && entry.id <= pattern.after) differences.push(`id is ${entry.id}, not after ${pattern.after}`);
    if (pattern.method !== undefined && entry.method !== pattern.method.toUpperCase()) differences.push(`method is ${entry.method}, not ${pattern.method.toUpperCase()}`);
    if (route && !route(pathOfTarget(entry.target))) differences.push(`path is ${pathOfTarget(entry.target)}, not ${pattern.path}`);
    if (query) {
      const given = new URLSearchParams(entry.target.split('?')[1] ?? '');
      for (const [key, value] of query) if (!given.getAll(key).includes(value)) differences.push(`query ${key} is ${given.get(key) ?? 'absent'}, not ${value}`);
    }
    if (pattern.status !== undefined && entry.status !== pattern.status) differences.push(`status is ${entry.status ?? entry.outcome}, not ${pattern.status}`);
    if (pattern.bodyContains !== undefined && !entry.requestBody?.includes(pattern.bodyContains)) differences.push(`body does not contain ${JSON.stringify(pattern.bodyContains)}`);
    if (pattern.userAgentContains !== undefined && !entry.userAgent?.includes(pattern.userAgentContains)) differences.push(`user agent is ${entry.userAgent ?? 'absent'}`);
    return differences;
  };
}

function sharedPrefix(entry: JournalEntry, { path = '' }: RequestPattern): number {
  const [a, b] = [pathOfTarget(entry.target).split('/'), path.split('/')];
  let parts = 0;
  while (parts < a.length && parts < b.length && (a[parts] === b[parts] || b[parts]!.startsWith(':') || b[parts] === '*')) parts++;
  return parts;
}
