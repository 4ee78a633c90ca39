import { copyMeterWindows, hasUniformNames, subtaskNames, subtaskValue, type SplitReading, type VertexView } from '../../simulation/metrics/index.js';
import type { KafkaSourceReading } from '../../simulation/kafka/readings.js';
import type { ComponentMetrics } from './component-metrics.js';

export type SubtaskMetrics = ComponentMetrics;

/**
 * What a fetch finds out about a subtask: its task lives, and its metrics are new; nothing came, and what there was stays; or it has
 * ended for good, and what there was stays but for what would mislead.
 */
export type Found = 'live' | 'nothing' | 'terminal';

type Columns = VertexView['columns'];

/** Plain data to go on from. */
export interface TaskMetricStoreState {
  readonly view: Omit<VertexView, 'kafka' | 'splits'> & { readonly kafka: Omit<NonNullable<VertexView['kafka']>, 'reading'> | null };
  readonly atMs: Float64Array;
  readonly known: Uint8Array;
  readonly ended: Uint8Array;
  readonly kafka: readonly KafkaSourceReading[];
  /** Of a source that makes watermarks, by subtask; null for all else. */
  readonly splits: readonly (readonly SplitReading[])[] | null;
}

/**
 * Metrics of a vertex's subtasks as of the last fetch that found each: copies of the columns from which names and values are made when
 * they are asked for. Arrays are used again by the next fetch.
 */
export class TaskMetricStore implements ComponentMetrics {
  #view: VertexView;
  readonly #atMs: Float64Array;
  /** Whether a fetch ever found the subtask, and whether its transient metrics are gone. */
  readonly #known: Uint8Array;
  readonly #ended: Uint8Array;
  readonly #kafka: KafkaSourceReading[] = [];
  readonly #splits: (readonly SplitReading[])[] = [];
  /** Names that every subtask has, where they are all alike; they follow from what the vertex is. */
  #names: { readonly all: readonly string[]; readonly ended: readonly string[] } | null = null;

  constructor(
    live: VertexView,
    readonly transientNames: ReadonlySet<string>,
  ) {
    const { parallelism } = live;
    this.#atMs = new Float64Array(parallelism);
    this.#known = new Uint8Array(parallelism);
    this.#ended = new Uint8Array(parallelism);
    const columns = Object.fromEntries(columnNames(live.columns).map((name) => [name, new Float64Array(parallelism)])) as unknown as Columns;
    this.#view = { ...live, columns, initializationMs: new Float64Array(parallelism), windows: copyMeterWindows(live.windows, parallelism, null) };
  }

  static fromPlain(state: TaskMetricStoreState, transientNames: ReadonlySet<string>): TaskMetricStore {
    const { kafka } = state.view;
    const store = new TaskMetricStore({ ...state.view, kafka: null, splits: null }, transientNames);
    store.#atMs.set(state.atMs);
    store.#known.set(state.known);
    store.#ended.set(state.ended);
    store.#kafka.push(...state.kafka);
    store.#splits.push(...(state.splits ?? []));
    store.#view = { ...state.view, kafka: kafka && { ...kafka, reading: (subtask) => store.#kafka[subtask] }, splits: state.splits && ((subtask) => store.#splits[subtask] ?? []) };
    return store;
  }

  toPlain(): TaskMetricStoreState {
    const { kafka, splits, ...view } = this.#view;
    return {
      view: { ...view, kafka: kafka && { topic: kafka.topic, recordBytes: kafka.recordBytes, startOffsets: kafka.startOffsets } },
      atMs: this.#atMs,
      known: this.#known,
      ended: this.#ended,
      kafka: this.#kafka,
      splits: splits ? this.#splits : null,
    };
  }

  get parallelism(): number {
    return this.#known.length;
  }

  /** Takes over what a fetch found, subtask by subtask. */
  capture(live: VertexView, found: (subtask: number) => Found): void {
    const subtasks: number[] = [];
    for (let s = 0; s < live.parallelism; s++) {
      const what = found(s);
      if (what === 'live') subtasks.push(s);
      else if (what === 'terminal') this.#ended[s] = 1;
    }
    if (subtasks.length === 0) return;
    const previous = this.#view;
    if (previous.model !== live.model) this.#names = null;
    const all = subtasks.length === live.parallelism;
    for (const name of columnNames(live.columns)) copy(live.columns[name], previous.columns[name], all ? null : subtasks);
    copy(live.initializationMs, previous.initializationMs, all ? null : subtasks);
    for (const s of subtasks) {
      this.#atMs[s] = live.atMs;
      this.#known[s] = 1;
      this.#ended[s] = 0;
      if (live.splits) this.#splits[s] = live.splits(s);
      if (live.kafka !== null) this.#kafka[s] = live.kafka.reading(s);
    }
    this.#view = {
      ...live,
      columns: previous.columns,
      initializationMs: previous.initializationMs,
      windows: all ? copyMeterWindows(live.windows, live.parallelism, previous.windows.values) : mergedWindows(live, previous, subtasks),
      kafka: live.kafka && { ...live.kafka, reading: (subtask) => this.#kafka[subtask] },
      splits: live.splits ? (subtask) => this.#splits[subtask] ?? [] : null,
    };
  }

  /** Metrics of a subtask; undefined while no fetch has found it. */
  subtask(subtask: number): SubtaskMetrics | undefined {
    if (this.#known[subtask] !== 1) return undefined;
    const atMs = this.#atMs[subtask];
    const task = { vertex: atMs === this.#view.atMs ? this.#view : { ...this.#view, atMs }, subtask };
    const ended = this.#ended[subtask] === 1;
    return {
      get: (name) => (ended && this.transientNames.has(name) ? undefined : (subtaskValue(task, name) ?? undefined)),
      names: () => this.#namesOf(task)[ended ? 'ended' : 'all'],
    };
  }

  #namesOf(task: { readonly vertex: VertexView; readonly subtask: number }): { readonly all: readonly string[]; readonly ended: readonly string[] } {
    if (this.#names) return this.#names;
    const all = subtaskNames(task);
    const names = { all, ended: all.filter((name) => !this.transientNames.has(name)) };
    if (hasUniformNames(task.vertex)) this.#names = names;
    return names;
  }

  /** Those that were found, in order. */
  subtasks(): SubtaskMetrics[] {
    const found: SubtaskMetrics[] = [];
    for (let s = 0; s < this.parallelism; s++) {
      const metrics = this.subtask(s);
      if (metrics) found.push(metrics);
    }
    return found;
  }

  /** `<subtask>.<name>` */
  get(name: string): string | undefined {
    const point = name.indexOf('.');
    const index = name.slice(0, Math.max(0, point));
    return /^\d+$/.test(index) ? this.subtask(Number(index))?.get(name.slice(point + 1)) : undefined;
  }

  names(): readonly string[] {
    const names: string[] = [];
    for (let s = 0; s < this.parallelism; s++) {
      const prefix = `${s}.`;
      for (const name of this.subtask(s)?.names() ?? []) names.push(prefix + name);
    }
    return names;
  }
}

function columnNames(columns: Columns): (keyof Columns)[] {
  return (Object.keys(columns) as (keyof Columns | 'history')[]).filter((name) => name !== 'history');
}

/** The whole column at once, or some of its subtasks. */
function copy(from: Float64Array, to: Float64Array, subtasks: readonly number[] | null): void {
  if (subtasks === null) to.set(from);
  else for (const s of subtasks) to[s] = from[s];
}

/** New readings for some subtasks, the old ones for the rest. */
function mergedWindows(live: VertexView, previous: VertexView, subtasks: readonly number[]): VertexView['windows'] {
  const fresh = copyMeterWindows(live.windows, live.parallelism, null);
  const { values } = previous.windows;
  for (let offset = 0; offset < values.length; offset += live.parallelism) for (const s of subtasks) values[offset + s] = fresh.values[offset + s];
  return { ...fresh, values };
}
