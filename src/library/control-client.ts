import type { ConditionInput } from '../control/conditions.js';
import type { AppliedEvent, PendingEvent } from '../control/event-control.js';
import type { FaultView } from '../control/fault-control.js';
import { FEED_EVENT_TYPES, type FeedEvent } from '../control/event-feed.js';
import type { Mark } from '../control/history-control.js';
import type { JobInput, SubmitInput } from '../control/job-control.js';
import type { JournalEntry, RequestPattern, Verification } from '../control/journal.js';
import type { EventInput } from '../control/live-action.js';
import { ControlError } from '../control/problem.js';
import type { StoredSnapshot } from '../control/snapshot-store.js';
import type { JobSummary, StateSummary } from '../control/state-summary.js';
import type { ClockView } from '../control/time-control.js';
import type { HttpFaultInput } from '../scenario/schema/http-fault-schema.js';

export interface ControlClientOptions {
  readonly token?: string;
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch;
}

interface Body {
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

/** The control API of a server in another process (or container). What it refuses is thrown as a ControlError with the server's words. */
export class ControlClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;

  /** `url` is the server's, or the one of the control port: with or without `/_mock`. */
  constructor(url: string, options: ControlClientOptions = {}) {
    this.#base = `${url.replace(/\/+$/, '').replace(/\/_mock$/, '')}/_mock`;
    this.#headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
    this.#fetch = options.fetch ?? fetch;
  }

  health(): Promise<{ status: 'ok'; scenario: string; flinkVersion: string; uptimeMs: number }> {
    return this.#json('GET', '/health');
  }

  state(): Promise<StateSummary> {
    return this.#json('GET', '/state');
  }

  readonly clock = {
    get: (): Promise<ClockView> => this.#json('GET', '/clock'),
    advanceBy: (advanceMs: number): Promise<ClockView> => this.#json('POST', '/clock', { json: { advanceMs } }),
    /** Epoch ms, or ISO 8601 with an offset. */
    advanceTo: (to: number | string): Promise<ClockView> => this.#json('POST', '/clock', { json: { to } }),
    /** `met` says whether it was met within the limit, virtual ms. */
    advanceUntil: (until: ConditionInput, limitMs?: number): Promise<ClockView & { readonly met: boolean }> => this.#json('POST', '/clock', { json: { until, ...(limitMs === undefined ? {} : { limitMs }) } }),
    setSpeed: (speed: number): Promise<ClockView> => this.#json('POST', '/clock', { json: { speed } }),
    pause: (): Promise<ClockView> => this.#json('POST', '/clock', { json: { paused: true } }),
    resume: (): Promise<ClockView> => this.#json('POST', '/clock', { json: { paused: false } }),
    /** Waits in wall time. */
    waitUntil: (until: ConditionInput, timeoutMs?: number): Promise<{ readonly met: boolean; readonly nowMs: number }> => this.#json('POST', '/wait', { json: { until, ...(timeoutMs === undefined ? {} : { timeoutMs }) } }),
  };

  readonly events = {
    apply: (event: EventInput): Promise<AppliedEvent> => this.#json('POST', '/events', { json: event }),
    pending: async (): Promise<PendingEvent[]> => (await this.#json<{ events: PendingEvent[] }>('GET', '/events')).events,
    cancel: (id: number): Promise<void> => this.#json('DELETE', `/events/${id}`),
  };

  readonly jobs = {
    list: async (): Promise<JobSummary[]> => (await this.#json<{ jobs: JobSummary[] }>('GET', '/jobs')).jobs,
    get: (job: string): Promise<JobSummary> => this.#json('GET', `/jobs/${encodeURIComponent(job)}`),
    submit: async (job: JobInput, options: SubmitInput = {}): Promise<string> => (await this.#json<{ id: string }>('POST', '/jobs', { json: { ...job, ...options } })).id,
    cancel: (job: string): Promise<void> => this.#json('DELETE', `/jobs/${encodeURIComponent(job)}`),
    setRate: (job: string, operator: string, rate: number | string, ramp?: number | string): Promise<JobSummary> => this.#json('PATCH', `/jobs/${encodeURIComponent(job)}`, { json: { operator, rate, ...(ramp === undefined ? {} : { ramp }) } }),
  };

  readonly cluster = {
    get: (): Promise<{ readonly taskManagers: number }> => this.#json('GET', '/cluster'),
    setTaskManagers: (taskManagers: number): Promise<{ readonly taskManagers: number }> => this.#json('PUT', '/cluster', { json: { taskManagers } }),
  };

  readonly faults = {
    add: async (fault: HttpFaultInput): Promise<string> => (await this.#json<{ id: string }>('POST', '/faults', { json: fault })).id,
    list: async (): Promise<FaultView[]> => (await this.#json<{ faults: FaultView[] }>('GET', '/faults')).faults,
    get: (id: string): Promise<FaultView> => this.#json('GET', `/faults/${encodeURIComponent(id)}`),
    remove: (id: string): Promise<void> => this.#json('DELETE', `/faults/${encodeURIComponent(id)}`),
    clear: (): Promise<void> => this.#json('DELETE', '/faults'),
    refuseConnections: (forMs: number): Promise<void> => this.#json('POST', '/connections/refuse', { json: { forMs } }),
  };

  readonly journal = {
    entries: async (pattern: RequestPattern & { readonly limit?: number } = {}): Promise<JournalEntry[]> => (await this.#json<{ requests: JournalEntry[] }>('GET', `/journal${queryOf(pattern)}`)).requests,
    count: async (pattern: RequestPattern = {}): Promise<number> => (await this.#json<{ count: number }>('GET', `/journal${queryOf(pattern)}`)).count,
    verify: (match: RequestPattern, expected: { readonly exactly?: number; readonly atLeast?: number; readonly atMost?: number } = {}): Promise<Verification> => this.#json('POST', '/journal/verify', { json: { match, ...expected } }),
    clear: (): Promise<void> => this.#json('DELETE', '/journal'),
  };

  readonly history = {
    reset: (to?: string): Promise<ClockView> => this.#json('POST', '/reset', { json: to === undefined ? {} : { to } }),
    setSeed: (seed: number): Promise<{ readonly seed: number }> => this.#json('PUT', '/seed', { json: { seed } }),
    mark: (name: string): Promise<Mark> => this.#json('POST', '/marks', { json: { name } }),
    marks: async (): Promise<Mark[]> => (await this.#json<{ marks: Mark[] }>('GET', '/marks')).marks,
    removeMark: (name: string): Promise<void> => this.#json('DELETE', `/marks/${encodeURIComponent(name)}`),
    snapshot: async (): Promise<Uint8Array> => new Uint8Array(await (await this.#ask('GET', '/snapshot')).arrayBuffer()),
    restore: (bytes: Uint8Array): Promise<ClockView> => this.#json('PUT', '/snapshot', { bytes }),
    save: (name: string): Promise<StoredSnapshot> => this.#json('POST', '/snapshots', { json: { name } }),
    saved: async (): Promise<StoredSnapshot[]> => (await this.#json<{ snapshots: StoredSnapshot[] }>('GET', '/snapshots')).snapshots,
    restoreSaved: (name: string): Promise<ClockView> => this.#json('POST', `/snapshots/${encodeURIComponent(name)}/restore`),
    removeSaved: (name: string): Promise<void> => this.#json('DELETE', `/snapshots/${encodeURIComponent(name)}`),
  };

  /** What happens, until the signal or the loop ends it. */
  async *stream(types: readonly FeedEvent['type'][] = FEED_EVENT_TYPES, signal?: AbortSignal): AsyncGenerator<FeedEvent, void, undefined> {
    const response = await this.#ask('GET', `/stream?types=${types.join(',')}`, {}, signal);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data !== undefined) yield JSON.parse(data) as FeedEvent;
      }
    }
  }

  async #json<T>(method: string, path: string, body?: Body): Promise<T> {
    const response = await this.#ask(method, path, body);
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async #ask(method: string, path: string, { json, bytes }: Body = {}, signal?: AbortSignal): Promise<Response> {
    const type = json !== undefined ? 'application/json' : bytes ? 'application/octet-stream' : undefined;
    const response = await this.#fetch(`${this.#base}${path}`, {
      method,
      headers: { ...this.#headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(json !== undefined ? { body: JSON.stringify(json) } : bytes ? { body: bytes as Uint8Array<ArrayBuffer> } : {}),
      ...(signal ? { signal } : {}),
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as { detail?: string } | null;
    throw new ControlError(response.status, problem?.detail ?? `${method} ${path} was answered ${response.status}`);
  }
}

function queryOf(pattern: object): string {
  const given = Object.entries(pattern).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}
