import type { CheckpointState } from '../simulation/state/checkpoint-state.js';
import type { JobState, JobVertexState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { SubtaskColumns } from '../simulation/state/subtask-columns.js';

export type Level = 'ok' | 'low' | 'high';

export interface VertexSample {
  readonly name: string;
  /** Totals over the subtasks since the job began, restarts included. */
  readonly recordsIn: number;
  readonly recordsOut: number;
  /** Over the time since the last sample. */
  readonly recordsInPerSecond: number;
  readonly recordsOutPerSecond: number;
  /** Shares of the subtasks' time since the last sample; the level is that of the worst subtask. */
  readonly busy: number;
  readonly idle: number;
  readonly backPressured: number;
  readonly worstBackPressured: number;
  readonly level: Level;
  /** Sum over the subtasks, buffers. */
  readonly inputQueueLength: number;
  readonly outputQueueLength: number;
  /** Mean over the subtasks. */
  readonly inPoolUsage: number;
  readonly outPoolUsage: number;
}

export interface CheckpointsSample {
  readonly total: number;
  readonly inProgress: number;
  readonly completed: number;
  readonly failed: number;
  /** Of the last one that completed or failed; null = none yet. */
  readonly lastStatus: 'COMPLETED' | 'FAILED' | null;
  readonly lastDurationMs: number | null;
}

export interface JobSample {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly restarts: number;
  readonly vertices: readonly VertexSample[];
  readonly checkpoints: CheckpointsSample | null;
}

export interface TopicSample {
  readonly name: string;
  readonly endOffset: number;
  readonly groups: readonly { readonly group: string; readonly committed: number; readonly consumed: number; readonly lag: number }[];
}

export interface Sample {
  readonly time: string;
  readonly taskManagers: number;
  readonly freeSlots: number;
  readonly jobs: readonly JobSample[];
  readonly topics: readonly TopicSample[];
}

const COUNTERS = ['numRecordsIn', 'numRecordsOut', 'sourceRecordsIn', 'busyMs', 'idleMs', 'softBackPressuredMs', 'hardBackPressuredMs'] as const;
type Counter = (typeof COUNTERS)[number];

/** Readings of a vertex's counters by subtask, and what they have grown by since. */
interface VertexMemory {
  readonly last: Record<Counter, Float64Array>;
  recordsIn: number;
  recordsOut: number;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const mean = (values: Float64Array): number => (values.length === 0 ? 0 : sum(values) / values.length);
const round = (value: number, digits = 3): number => Number(value.toFixed(digits));

export function levelOf(ratio: number): Level {
  return ratio <= 0.1 ? 'ok' : ratio <= 0.5 ? 'low' : 'high';
}

/** Epoch ms as ISO 8601 in a time zone that is so many minutes east of UTC. */
export function formatInstant(epochMs: number, offsetMinutes: number): string {
  const local = new Date(epochMs + offsetMinutes * 60_000).toISOString().slice(0, -1);
  if (offsetMinutes === 0) return `${local}Z`;
  const minutes = Math.abs(offsetMinutes);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function growth(memory: VertexMemory, columns: SubtaskColumns, counter: Counter): Float64Array {
  const now = columns[counter];
  const before = memory.last[counter];
  // A new attempt counts from 0 again.
  const grown = now.map((value, subtask) => (value >= (before[subtask] ?? 0) ? value - (before[subtask] ?? 0) : value));
  memory.last[counter] = now.slice();
  return grown;
}

function sampleVertex(vertex: JobVertexState, memory: VertexMemory, elapsedMs: number): VertexSample {
  const { columns } = vertex;
  const grown = Object.fromEntries(COUNTERS.map((counter) => [counter, growth(memory, columns, counter)])) as Record<Counter, Float64Array>;
  const recordsIn = sum(vertex.model.operators[0]!.kind === 'source' ? grown.sourceRecordsIn : grown.numRecordsIn);
  const recordsOut = sum(grown.numRecordsOut);
  memory.recordsIn += recordsIn;
  memory.recordsOut += recordsOut;
  const perSecond = (records: number): number => (elapsedMs > 0 ? round((records * 1_000) / elapsedMs) : 0);
  const backPressured = grown.softBackPressuredMs.map((ms, subtask) => ms + grown.hardBackPressuredMs[subtask]!);
  const share = (ms: number): number => (elapsedMs > 0 ? round(Math.min(1, ms / elapsedMs)) : 0);
  const worst = share(Math.max(0, ...backPressured));
  return {
    name: vertex.model.name,
    recordsIn: Math.floor(memory.recordsIn),
    recordsOut: Math.floor(memory.recordsOut),
    recordsInPerSecond: perSecond(recordsIn),
    recordsOutPerSecond: perSecond(recordsOut),
    busy: share(mean(grown.busyMs)),
    idle: share(mean(grown.idleMs)),
    backPressured: share(mean(backPressured)),
    worstBackPressured: worst,
    level: levelOf(worst),
    inputQueueLength: Math.round(sum(columns.inputQueueLength)),
    outputQueueLength: Math.round(sum(columns.outputQueueLength)),
    inPoolUsage: round(mean(columns.inPoolUsage)),
    outPoolUsage: round(mean(columns.outPoolUsage)),
  };
}

function sampleCheckpoints(job: JobState): CheckpointsSample | null {
  if (job.checkpoints === null) return null;
  const { counts, latestCompleted, latestFailed } = job.checkpoints;
  const ended = (checkpoint: CheckpointState | null): number => (checkpoint === null ? -1 : checkpoint.status === 'FAILED' ? checkpoint.failureMs : checkpoint.completedMs);
  const last = ended(latestFailed) > ended(latestCompleted) ? latestFailed : latestCompleted;
  return {
    total: counts.total,
    inProgress: counts.inProgress,
    completed: counts.completed,
    failed: counts.failed,
    lastStatus: last === null ? null : last.status === 'FAILED' ? 'FAILED' : 'COMPLETED',
    lastDurationMs: last === null ? null : Math.round(ended(last) - last.triggerMs),
  };
}

function sampleTopics(state: SimulationState): TopicSample[] {
  const total = (offsets: Float64Array | undefined, otherwise: Float64Array): number => otherwise.reduce((all, start, p) => all + Math.floor((offsets?.[p] ?? -1) < 0 ? start : offsets![p]!), 0);
  return [...state.kafka.topics.values()].map((topic): TopicSample => {
    const groups = new Map<string, { committed: number; consumed: number }>();
    const start = total(undefined, topic.startOffsets);
    for (const source of state.kafka.sources.values()) {
      if (source.topic !== topic.name) continue;
      const committed = total(state.kafka.groups.get(source.groupId)?.get(topic.name), topic.startOffsets);
      groups.set(source.groupId, { committed, consumed: Math.max(groups.get(source.groupId)?.consumed ?? 0, total(source.emitted, topic.startOffsets)) });
    }
    const endOffset = total(topic.endOffsets, topic.startOffsets);
    return {
      name: topic.name,
      endOffset,
      groups: [...groups].map(([group, { committed, consumed }]) => ({ group, committed: committed - start, consumed: consumed - start, lag: endOffset - consumed })),
    };
  });
}

/** Reads the state again and again; ratios and rates are over the time since the last reading. */
export class Sampler {
  private lastMs: number | null = null;
  private readonly vertices = new Map<string, VertexMemory>();

  sample(state: SimulationState): Sample {
    const elapsedMs = this.lastMs === null ? 0 : state.nowMs - this.lastMs;
    this.lastMs = state.nowMs;
    const slots = [...state.taskManagers.values()].flatMap((taskManager) => taskManager.slots);
    return {
      time: formatInstant(state.nowMs, state.model.timeZoneOffsetMinutes),
      taskManagers: state.taskManagers.size,
      freeSlots: slots.filter((slot) => slot.jobId === null).length,
      jobs: [...state.jobs.values()].map((job) => ({
        id: job.id,
        name: job.name,
        status: job.status,
        restarts: job.numRestarts,
        vertices: job.vertices.map((vertex) => sampleVertex(vertex, this.memoryOf(job, vertex), elapsedMs)),
        checkpoints: sampleCheckpoints(job),
      })),
      topics: sampleTopics(state),
    };
  }

  private memoryOf(job: JobState, vertex: JobVertexState): VertexMemory {
    const key = `${job.id}/${vertex.id}`;
    let memory = this.vertices.get(key);
    if (!memory) {
      memory = { last: Object.fromEntries(COUNTERS.map((counter) => [counter, new Float64Array(vertex.parallelism)])) as Record<Counter, Float64Array>, recordsIn: 0, recordsOut: 0 };
      this.vertices.set(key, memory);
    }
    return memory;
  }
}
