import type { ConsoleClock, ConsoleGraph, ConsoleState, JobSample, TimelineEntry } from '../control/console/console-types.js';
import { get, type Query } from './api.js';
import { setZone } from './format.js';

/** Samples and entries that the page keeps. */
const KEPT_SAMPLES = 4_000;
const KEPT_ENTRIES = 3_000;

export interface Store {
  state: ConsoleState | null;
  graph: ConsoleGraph | null;
  samples: JobSample[];
  entries: TimelineEntry[];
  jobId: string | null;
  /** Positions in the graph. */
  vertex: number | null;
  edge: number | null;
}

export const store: Store = { state: null, graph: null, samples: [], entries: [], jobId: null, vertex: null, edge: null };

const listeners: (() => void)[] = [];
const jobListeners: (() => void)[] = [];

/** Called after every answer, and when something else was chosen. */
export function onChange(listener: () => void): void {
  listeners.push(listener);
}

export function notify(): void {
  for (const listener of listeners) listener();
}

/** Called when another job was chosen. */
export function onJob(listener: () => void): void {
  jobListeners.push(listener);
}

export function selectVertex(vertex: number | null): void {
  store.vertex = vertex;
  notify();
}

export function selectEdge(edge: number | null): void {
  store.edge = edge;
  notify();
}

export function selectJob(jobId: string): void {
  if (jobId === store.jobId) return;
  store.jobId = jobId;
  forgetJob();
  for (const listener of jobListeners) listener();
}

function forgetJob(): void {
  store.graph = null;
  store.samples = [];
  store.vertex = null;
  store.edge = null;
}

/** The clock as a change of it was answered. */
export function knowClock({ mode, nowMs, startMs, speed, paused }: ConsoleClock): void {
  if (store.state === null) return;
  store.state = { ...store.state, clock: { mode, nowMs, startMs, speed, paused } };
  notify();
}

/** What the page has had already: only what is new has to come. */
export function known(): Query {
  return { ...(store.jobId === null ? {} : { job: store.jobId }), epoch: store.state?.epoch ?? 0, sample: store.samples.at(-1)?.atMs ?? 0, entry: store.entries.at(-1)?.sequence ?? 0 };
}

/** Takes over a state that was asked for while `asked` was the job. */
export async function take(state: ConsoleState, asked: string | null): Promise<void> {
  if (asked !== store.jobId) return;
  if (store.state !== null && state.epoch !== store.state.epoch) {
    store.samples = [];
    store.entries = [];
  }
  setZone(state.scenario.timeZoneOffsetMinutes);
  const jobId = state.job?.id ?? null;
  if (jobId !== store.jobId) {
    store.jobId = jobId;
    forgetJob();
  }
  store.state = state;
  store.samples = [...store.samples, ...state.samples].slice(-KEPT_SAMPLES);
  store.entries = [...store.entries, ...state.entries].slice(-KEPT_ENTRIES);
  if (state.job !== null && store.graph?.graph !== state.job.graph) {
    store.graph = await get<ConsoleGraph>('/console/graph', { job: state.job.id });
    if (store.vertex !== null && store.vertex >= store.graph.vertices.length) store.vertex = null;
    choose();
  }
  notify();
}

/** Looks at where the trouble is: the busiest vertex, and the edge into it. */
function choose(): void {
  const { graph, state } = store;
  const busy = state?.job?.vertices.busy ?? [];
  if (graph === null || graph.vertices.length === 0) return;
  store.vertex ??= busy.reduce((most, share, vertex) => (share > (busy[most] ?? 0) ? vertex : most), 0);
  if (store.edge === null || graph.edges[store.edge] === undefined) {
    const into = graph.edges.findIndex(({ target }) => target === store.vertex);
    store.edge = into >= 0 ? into : graph.edges.length > 0 ? 0 : null;
  }
}
