import type { Program } from '../../scenario/job-templates.js';

/** What the console's routes answer: shared by the server and the page. Instants are virtual epoch ms, durations ms, rates per second, shares 0 … 1. */

export type Level = 'ok' | 'low' | 'high';

/** Everything that the page shows at a glance. */
export interface ConsoleState {
  /** The server's: what was received from another one is void. */
  readonly run: number;
  /** Counts resets, from `run` on: what was received under another one is void. */
  readonly epoch: number;
  readonly clock: ConsoleClock;
  readonly scenario: { readonly name: string; readonly flinkVersion: string; readonly seed: number; readonly timeZoneOffsetMinutes: number };
  /** The latest first. */
  readonly jobs: readonly { readonly id: string; readonly name: string; readonly status: string }[];
  /** The one that was asked for, else the latest that runs. */
  readonly job: ConsoleJob | null;
  readonly taskManagers: readonly { readonly id: string; readonly host: string; readonly status: string; readonly slots: number; readonly freeSlots: number }[];
  readonly topics: readonly string[];
  readonly jobManager: string;
  /** What has happened since the entry of the last answer, oldest first. */
  readonly entries: readonly TimelineEntry[];
  readonly pending: readonly PendingEntry[];
  readonly marks: readonly { readonly name: string; readonly atMs: number }[];
  readonly faults: readonly ActiveFault[];
  /** Of the job, those after `sample`. */
  readonly samples: readonly JobSample[];
  /** Requests that Flink's API has had. */
  readonly requests: number;
}

export interface ConsoleClock {
  readonly mode: 'real' | 'manual';
  readonly nowMs: number;
  readonly startMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

export interface ConsoleJob {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly startMs: number;
  /** -1 while it has not ended. */
  readonly endMs: number;
  readonly restarts: number;
  readonly failureCause: string | null;
  readonly lag: number;
  /** Changes with the graph (parallelism, attempts do not count). */
  readonly graph: string;
  /** One element a vertex, in the order of the graph. */
  readonly vertices: VertexFigures;
  readonly checkpoints: ConsoleCheckpoints | null;
}

export interface VertexFigures {
  /** `o`, `l`, `h` by the worst subtask; `-` while it does not run. */
  readonly levels: string;
  readonly running: readonly number[];
  readonly recordsIn: readonly number[];
  readonly recordsOut: readonly number[];
  readonly busy: readonly number[];
  readonly idle: readonly number[];
  readonly backPressured: readonly number[];
  readonly worst: readonly number[];
  /** Greatest of the subtasks. */
  readonly inPool: readonly number[];
  readonly outPool: readonly number[];
}

export interface ConsoleCheckpoints {
  readonly completed: number;
  readonly failed: number;
  readonly inProgress: number;
  readonly intervalMs: number | null;
  readonly timeoutMs: number;
  readonly mode: string;
  /** Newest first. */
  readonly recent: readonly ConsoleCheckpoint[];
}

export interface ConsoleCheckpoint {
  readonly id: number;
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  readonly savepoint: boolean;
  readonly unaligned: boolean;
  readonly triggerMs: number;
  /** Up to now while it is in progress. */
  readonly durationMs: number;
  readonly acknowledged: number;
  readonly subtasks: number;
  readonly stateBytes: number;
  readonly failure: string | null;
  /** Of the subtask that acknowledged last; null while none has. */
  readonly slowest: { readonly vertex: string; readonly subtask: number; readonly startDelayMs: number; readonly alignmentMs: number; readonly syncMs: number; readonly asyncMs: number } | null;
}

/** Rates and shares of the last seconds (of the time since the sample before, where samples are rare). */
export interface JobSample {
  readonly atMs: number;
  readonly offered: number;
  readonly consumed: number;
  readonly sunk: number;
  readonly lag: number;
  /** Greatest of the vertices. */
  readonly busy: number;
  readonly backPressured: number;
  /** By vertex, of jobs with few. */
  readonly vertices: readonly (readonly [busy: number, idle: number, backPressured: number])[] | null;
}

export type EntryKind = 'scenario' | 'live' | 'http-fault' | 'checkpoint' | 'failure' | 'job' | 'task-manager';

export interface TimelineEntry {
  readonly sequence: number;
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly text: string;
  readonly grave: boolean;
}

export interface PendingEntry {
  readonly id: number;
  readonly atMs: number;
  readonly origin: 'scenario' | 'live';
  readonly text: string;
}

/** Something that is not as the scenario's model has it. */
export interface ActiveFault {
  readonly id: string;
  readonly kind: 'cluster' | 'http';
  readonly text: string;
  /** Ends by itself; null = it does not. */
  readonly untilMs: number | null;
  /** The request that ends it; null = it cannot be ended. */
  readonly stop: ControlRequest | null;
}

/** A request to the control API, below its prefix. */
export interface ControlRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export interface ConsoleGraph {
  readonly graph: string;
  readonly vertices: readonly { readonly id: string; readonly name: string; readonly parallelism: number; readonly maxParallelism: number; readonly source: boolean; readonly operators: readonly { readonly id: string; readonly name: string; readonly kind: string; readonly serviceTimeUs: number }[] }[];
  /** Positions of the vertices. */
  readonly edges: readonly { readonly source: number; readonly target: number; readonly ship: string; readonly blocking: boolean }[];
}

export interface ConsoleVertex {
  readonly id: string;
  readonly parallelism: number;
  /** First subtask of the page. */
  readonly from: number;
  readonly subtasks: readonly ConsoleSubtask[];
}

export interface ConsoleSubtask {
  readonly subtask: number;
  readonly state: string;
  readonly attempt: number;
  readonly host: string | null;
  readonly recordsIn: number;
  readonly recordsOut: number;
  readonly busy: number;
  readonly idle: number;
  readonly backPressured: number;
  readonly inputBuffers: number;
  readonly outputBuffers: number;
  readonly inPool: number;
  readonly outPool: number;
  readonly stateBytes: number;
}

/** Looks at the threads of a task within the last step of the simulation. */
export interface ConsoleThreads {
  readonly atMs: number;
  readonly running: boolean;
  readonly threads: readonly ConsoleThread[];
}

export interface ConsoleThread {
  readonly name: string;
  readonly looks: number;
  /** What the looks found, the most frequent first. */
  readonly found: readonly { readonly activity: string; readonly state: string; readonly lock: string | null; readonly looks: number; readonly frames: readonly string[] }[];
}

export interface ConsoleLog {
  /** Number behind the last line: what `after` takes. */
  readonly next: number;
  readonly lines: readonly { readonly timeMs: number; readonly level: string; readonly logger: string; readonly message: string }[];
}

export interface ConsoleRequests {
  readonly total: number;
  readonly requests: readonly { readonly id: number; readonly atMs: number; readonly method: string; readonly target: string; readonly outcome: string; readonly status: number | null; readonly durationMs: number | null; readonly userAgent: string | null; readonly requestBody: string | null }[];
}

/** What can be clicked, as JSON Schema. */
export interface ConsoleForms {
  readonly events: Readonly<Record<string, unknown>>;
  readonly httpFaults: Readonly<Record<string, unknown>>;
  /** Which requests an HTTP fault is for. */
  readonly httpRequests: Readonly<Record<string, unknown>>;
  readonly conditions: Readonly<Record<string, unknown>>;
  /** What `submitJob` can start by name. */
  readonly programs: readonly Program[];
}
