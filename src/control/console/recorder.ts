import { offeredByGenerator } from '../../simulation/network/offered-load.js';
import { isGloballyTerminal } from '../../simulation/lifecycle/job-status.js';
import type { SimulationModel } from '../../simulation/model/simulation-model.js';
import type { TimelineAction } from '../../simulation/model/timeline-event.js';
import type { JobState, JobVertexState } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { lagOf } from '../conditions.js';
import type { JobSample } from './console-types.js';
import { meterReadings, NO_GROWTH, readCounters, subtaskGrowth, vertexGrowth, type Reading, type VertexGrowth } from './growth.js';
import { Happenings, type HappeningsMemory } from './happenings.js';

/** While nobody looks, a sample a minute (virtual) keeps the past for whoever comes. */
const UNWATCHED_MS = 60_000;
/** While somebody looks: so many samples a second of the wall, but not finer than FINEST_MS and not coarser than COARSEST_MS of virtual time. */
const SAMPLES_PER_SECOND = 10;
const FINEST_MS = 1_000;
const COARSEST_MS = 30_000;
/** Wall time after which somebody who asked no more is gone. */
const WATCHED_FOR_MS = 10_000;
const KEPT_SAMPLES = 2_400;
const RECORDED_JOBS = 50;
/** Vertices are recorded one by one in so many jobs, and in jobs of so many: some 50 MB at the very most. */
const DETAILED_JOBS = 8;
const DETAILED_VERTICES = 32;

/** Rates and shares are over about that time: buffers come in bursts, which Flink's own meters even out too. */
const WINDOW_MS = 10_000;

/** What it remembers; plain data. */
export interface RecorderMemory {
  readonly nextMs: number;
  readonly samples: ReadonlyMap<string, readonly JobSample[]>;
  readonly vertices: ReadonlyMap<string, readonly Reading[]>;
  readonly happenings: HappeningsMemory;
}

/** Remembers what the console's charts and time-line show; reads the state, changes nothing. */
export class ConsoleRecorder {
  readonly happenings: Happenings;
  /** When it was made: the page must not take one server for another. */
  readonly run = Date.now();
  private currentEpoch = this.run;
  private world: string;
  private nextMs = -Infinity;
  private watchedUntil = -Infinity;
  private readonly samples = new Map<string, JobSample[]>();
  /** Readings of a vertex's counters, the oldest first: that of a window ago and those since. */
  private readonly vertices = new Map<string, Reading[]>();

  constructor(
    private readonly state: SimulationState,
    private readonly wallNow: () => number = () => performance.now(),
  ) {
    this.happenings = new Happenings(state);
    this.world = worldOf(state.model);
  }

  /** All that it has recorded. */
  memory(): RecorderMemory {
    const { nextMs, samples, vertices, happenings } = this;
    return { nextMs, samples, vertices, happenings: happenings.memory() };
  }

  /** Takes over what another one has recorded of the same simulation. */
  remember({ nextMs, samples, vertices, happenings }: RecorderMemory): void {
    this.nextMs = nextMs;
    for (const [jobId, of] of samples) this.samples.set(jobId, [...of]);
    for (const [key, readings] of vertices) this.vertices.set(key, [...readings]);
    this.happenings.remember(happenings);
  }

  /** Counts resets. */
  get epoch(): number {
    return this.currentEpoch;
  }

  /** To be called whenever the simulation has gone on; `speed` in virtual ms a wall ms; `anyway` = where it stands, even if it is not time for a sample yet. */
  observe(speed: number, anyway = false): void {
    const { nowMs } = this.state;
    if (nowMs < this.nextMs && !anyway) return;
    const watched = this.wallNow() < this.watchedUntil;
    this.nextMs = nowMs + (watched ? Math.min(COARSEST_MS, Math.max(FINEST_MS, (speed * 1_000) / SAMPLES_PER_SECOND)) : UNWATCHED_MS);
    this.sample();
  }

  /** Somebody looks. */
  watch(): void {
    const wasWatched = this.wallNow() < this.watchedUntil;
    this.watchedUntil = this.wallNow() + WATCHED_FOR_MS;
    if (!wasWatched) this.nextMs = -Infinity;
  }

  samplesAfter(jobId: string, atMs: number): readonly JobSample[] {
    return (this.samples.get(jobId) ?? []).filter((sample) => sample.atMs > atMs);
  }

  /** What a vertex did lately. */
  growth(job: JobState, vertex: JobVertexState): VertexGrowth {
    return this.over(job, vertex, (before, now) => vertexGrowth(vertex, before, now));
  }

  subtaskGrowth(job: JobState, vertex: JobVertexState, subtask: number): VertexGrowth {
    return this.over(job, vertex, (before, now) => subtaskGrowth(vertex, before, now, subtask));
  }

  applied(atMs: number, action: TimelineAction): void {
    this.happenings.applied(atMs, action);
  }

  /** The state went back, or became another one. */
  reset(): void {
    const { nowMs, model } = this.state;
    this.currentEpoch++;
    // Another scenario, or one of another seed, has a past that nobody has seen.
    const isAnother = worldOf(model) !== this.world;
    this.world = worldOf(model);
    if (isAnother) this.samples.clear();
    this.nextMs = -Infinity;
    this.vertices.clear();
    for (const [jobId, samples] of this.samples) this.samples.set(jobId, samples.filter(({ atMs }) => atMs <= nowMs));
    this.happenings.reset(isAnother);
  }

  private over(job: JobState, vertex: JobVertexState, measure: (before: Reading, now: Reading) => VertexGrowth): VertexGrowth {
    const memory = this.vertices.get(`${job.id}/${vertex.id}`) ?? [];
    if (memory.length > 1) return measure(memory[0]!, memory.at(-1)!);
    const readings = meterReadings(vertex);
    return readings ? measure(readings.before, readings.now) : NO_GROWTH;
  }

  private sample(): void {
    const { jobs } = this.state;
    this.happenings.look();
    for (const id of this.samples.keys()) if (!jobs.has(id)) this.samples.delete(id);
    for (const job of jobs.values()) {
      if (job.vertices.length === 0 || (isGloballyTerminal(job.status) && this.samples.has(job.id))) continue;
      if (this.samples.size >= RECORDED_JOBS && !this.samples.has(job.id)) continue;
      this.sampleJob(job);
    }
  }

  private sampleJob(job: JobState): void {
    // The flow has been worked out up to the last tick, not up to now.
    const atMs = job.network.lastTickMs;
    const samples = this.samples.get(job.id) ?? [];
    this.samples.set(job.id, samples);
    if ((samples.at(-1)?.atMs ?? -Infinity) >= atMs) return;
    let sinceMs = atMs;
    for (const vertex of job.vertices) {
      const key = `${job.id}/${vertex.id}`;
      const readings = this.vertices.get(key) ?? [];
      this.vertices.set(key, readings);
      if ((readings.at(-1)?.atMs ?? -Infinity) < atMs) readings.push(readCounters(vertex, atMs));
      while (readings.length > 2 && readings[1]!.atMs <= atMs - WINDOW_MS) readings.shift();
      sinceMs = readings[0]!.atMs;
    }
    if (sinceMs >= atMs) return;
    const growths = job.vertices.map((vertex) => this.growth(job, vertex));
    const sum = (which: (index: number) => number | null) => growths.reduce((total, _, index) => total + (which(index) ?? 0), 0);
    const { vertices } = job.network;
    samples.push({
      atMs,
      offered: sum((v) => (vertices[v]!.isSource ? offeredPerSecond(job, v, sinceMs, atMs) : null)),
      consumed: sum((v) => (vertices[v]!.isSource ? growths[v]!.recordsIn : null)),
      sunk: sum((v) => (vertices[v]!.outputs.length === 0 ? growths[v]!.recordsIn : null)),
      lag: jobLag(this.state, job),
      busy: Math.max(...growths.map(({ busy }) => busy)),
      backPressured: Math.max(...growths.map(({ worst }) => worst)),
      vertices: growths.length > DETAILED_VERTICES || this.samples.size > DETAILED_JOBS ? null : growths.map(({ busy, idle, backPressured }) => [busy, idle, backPressured] as const),
    });
    // The older half is thinned out: what is recent stays fine.
    if (samples.length > KEPT_SAMPLES) this.samples.set(job.id, samples.filter((_, index) => index >= KEPT_SAMPLES / 2 || index % 2 === 0));
  }
}

function worldOf({ name, seed, startMs }: SimulationModel): string {
  return JSON.stringify([name, seed, startMs]);
}

/** Records that wait: in Kafka, or owed by generators. */
export function jobLag(state: SimulationState, job: JobState): number {
  const owed = job.network.vertices.reduce((total, { owed: each }) => total + each.reduce((sum, records) => sum + records, 0), 0);
  return lagOf(state, job.id) + Math.floor(owed);
}

function offeredPerSecond(job: JobState, vertexIndex: number, sinceMs: number, atMs: number): number {
  const vertex = job.vertices[vertexIndex]!;
  if (vertex.kafkaSource) return vertex.kafkaSource.topicState.recordsPerSecond;
  const source = vertex.model.operators[0]!.source;
  const net = job.network.vertices[vertexIndex]!;
  if (source?.kind !== 'generator' || net.running[0] === 0) return 0;
  return (offeredByGenerator(net, source.rateSteps, net.startedMs[0]!, Math.max(sinceMs, net.startedMs[0]!), atMs) * 1_000) / (atMs - sinceMs);
}
