/** A fault of the HTTP server in front of Flink's routes. Plain data; instants are virtual, ms since the simulation's start. */
export interface HttpFault {
  readonly id: string;
  /** Pattern: `:name` and `*` stand for one part, `**` at the end for any rest. */
  readonly path: string;
  /** null = any. */
  readonly methods: readonly string[] | null;
  readonly probability: number;
  /** null = again and again. */
  readonly times: number | null;
  readonly skip: number;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  readonly effect: FaultEffect;
}

export type FaultEffect =
  | { readonly kind: 'latency'; readonly distribution: LatencyDistribution }
  | { readonly kind: 'error'; readonly status: number; readonly message: string; readonly javaClass: string }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'rate-limit'; readonly requests: number; readonly perMs: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'connection'; readonly what: 'reset' | 'close' | 'hang' | 'close-mid-body' }
  | { readonly kind: 'body'; readonly what: 'truncated' | 'malformed' | 'empty' | 'html' }
  | { readonly kind: 'content-type'; readonly contentType: string }
  | { readonly kind: 'stale' }
  | { readonly kind: 'drip'; readonly overMs: number; readonly chunks: number }
  | { readonly kind: 'answers'; readonly answers: readonly CannedAnswer[] }
  | { readonly kind: 'override'; readonly fields: readonly { readonly pointer: string; readonly json: string }[] };

/** Wall time, ms. */
export type LatencyDistribution =
  | { readonly kind: 'uniform'; readonly meanMs: number; readonly jitterMs: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly spread: number; readonly maxMs: number };

export interface CannedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A fault and what it has done so far. */
export interface HttpFaultState {
  readonly fault: HttpFault;
  /** Requests that its path, method and time fitted. */
  matched: number;
  /** How often it struck. */
  struck: number;
  /** First answers by target, for `stale`. */
  readonly kept: Map<string, KeptAnswer>;
  keptBytes: number;
  /** Of a rate limit, when the state was taken: how long its window has been open (wall ms), and what it has counted. */
  readonly limit?: RateWindow;
}

export interface RateWindow {
  readonly openForMs: number;
  readonly count: number;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}
