import { copyMeterWindows, hasUniformNames, subtaskNames, subtaskValue, type SplitReading, type VertexView } from '../../simulation/metrics/index.js';
import type { KafkaSourceReading } from '../../simulation/kafka/readings.js';
import type { ComponentMetrics } from './component-metrics.js';
import { metricColumn, type MetricColumn } from './metric-column.js';

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
  /** Number of the attempt that was found. */
  readonly attempts: Float64Array;
  readonly ended: Uint8Array;
  readonly kafka: readonly KafkaSourceReading[];
  /** Of a source that makes watermarks, by subtask; null for all else. */
  readonly splits: readonly (readonly SplitReading[])[] | null;
}

interface Names {
  readonly all: readonly string[];
  readonly ended: readonly string[];
}

/**
 * Metrics of a vertex's subtasks as of the last fetch that found each: copies of the columns from which names and values are made when
 * they are asked for. The next fetch makes another one, so that whoever has one goes on reading of the same instant, however long it takes.
 */
export class TaskMetricStore implements ComponentMetrics {
  readonly #view: VertexView;
  /** Names that every subtask has, where they are all alike; they follow from what the vertex is. */
  #names: Names | null = null;
  #shape: object = {};
  readonly #columns = new Map<string, MetricColumn>();

  private constructor(
    private readonly plain: TaskMetricStoreState,
    readonly transientNames: ReadonlySet<string>,
  ) {
    const { view, kafka, splits } = plain;
    this.#view = { ...view, kafka: view.kafka && { ...view.kafka, reading: (subtask) => kafka[subtask] }, splits: splits && ((subtask) => splits[subtask] ?? []) };
  }

  static fromPlain(plain: TaskMetricStoreState, transientNames: ReadonlySet<string>): TaskMetricStore {
    return new TaskMetricStore(plain, transientNames);
  }

  toPlain(): TaskMetricStoreState {
    return this.plain;
  }

  /** What a fetch finds, subtask by subtask, and of the others what there was. `attempts`: numbers of the current ones. */
  static capture(live: VertexView, found: readonly Found[], attempts: Float64Array, previous: TaskMetricStore | null, transientNames: ReadonlySet<string>): TaskMetricStore {
    const subtasks = found.flatMap((what, subtask) => (what === 'live' ? [subtask] : []));
    const before = previous?.plain ?? nothingKnown(live);
    const ended = before.ended.slice();
    found.forEach((what, subtask) => {
      if (what !== 'nothing') ended[subtask] = what === 'terminal' ? 1 : 0;
    });
    if (subtasks.length === 0) return new TaskMetricStore({ ...before, ended }, transientNames);
    const some = subtasks.length === live.parallelism ? null : subtasks;
    const store = new TaskMetricStore(
      {
        view: {
          ...plainView(live),
          columns: Object.fromEntries(columnNames(live.columns).map((name) => [name, merged(live.columns[name], before.view.columns[name], some)])) as unknown as Columns,
          initializationMs: merged(live.initializationMs, before.view.initializationMs, some),
          windows: mergedWindows(live, before.view.windows, some),
        },
        atMs: merged(new Float64Array(live.parallelism).fill(live.atMs), before.atMs, some),
        known: merged(new Uint8Array(live.parallelism).fill(1), before.known, some),
        attempts: merged(attempts, before.attempts, some),
        ended,
        kafka: live.kafka === null ? [] : readings(live.kafka.reading, before.kafka, subtasks),
        splits: live.splits ? readings(live.splits, before.splits ?? [], subtasks) : null,
      },
      transientNames,
    );
    if (previous?.plain.view.model === live.model && previous.#names !== null) {
      store.#names = previous.#names;
      if (isSame(previous.plain.known, store.plain.known) && isSame(previous.plain.ended, ended)) store.#shape = previous.#shape;
    }
    return store;
  }

  /** The same object from fetch to fetch while all names are the same. */
  get shape(): object {
    return this.#shape;
  }

  get parallelism(): number {
    return this.plain.known.length;
  }

  /** Metrics of a subtask; undefined while no fetch has found it. */
  subtask(subtask: number): SubtaskMetrics | undefined {
    const view = this.#viewOf(subtask);
    if (view === null) return undefined;
    const ended = this.plain.ended[subtask] === 1;
    return {
      get: (name) => (ended && this.transientNames.has(name) ? undefined : (subtaskValue({ vertex: view, subtask }, name) ?? undefined)),
      names: () => this.namesOf(subtask),
    };
  }

  /** Names of a subtask's metrics; none while no fetch has found it. */
  namesOf(subtask: number): readonly string[] {
    const view = this.#viewOf(subtask);
    if (view === null) return [];
    let names = this.#names;
    if (names === null) {
      const all = subtaskNames({ vertex: view, subtask });
      names = { all, ended: all.filter((name) => !this.transientNames.has(name)) };
      if (hasUniformNames(view)) this.#names = names;
    }
    return this.plain.ended[subtask] === 1 ? names.ended : names.all;
  }

  /** Whether what was found of a subtask is that attempt's. */
  isOf(subtask: number, attemptNumber: number): boolean {
    return this.plain.attempts[subtask] === attemptNumber;
  }

  /** Indices of those that were found, in order. */
  known(): number[] {
    const found: number[] = [];
    for (let s = 0; s < this.parallelism; s++) if (this.plain.known[s] === 1) found.push(s);
    return found;
  }

  /** A metric of all subtasks as numbers. Read once. */
  column(name: string): MetricColumn {
    let column = this.#columns.get(name);
    if (!column) {
      const { ended } = this.plain;
      const isTransient = this.transientNames.has(name);
      column = metricColumn(this.#view, name, (subtask) => (isTransient && ended[subtask] === 1 ? null : this.#viewOf(subtask)));
      this.#columns.set(name, column);
    }
    return column;
  }

  /** `<subtask>.<name>` */
  get(name: string): string | undefined {
    const point = name.indexOf('.');
    const index = name.slice(0, Math.max(0, point));
    return /^\d+$/.test(index) ? this.subtask(Number(index))?.get(name.slice(point + 1)) : undefined;
  }

  names(): readonly string[] {
    const names: string[] = [];
    for (let s = 0; s < this.parallelism; s++) for (const name of this.namesOf(s)) names.push(`${s}.${name}`);
    return names;
  }

  /** What a subtask's values are read from; null while no fetch has found it. */
  #viewOf(subtask: number): VertexView | null {
    const { known, atMs } = this.plain;
    if (known[subtask] !== 1) return null;
    return atMs[subtask] === this.#view.atMs ? this.#view : { ...this.#view, atMs: atMs[subtask] };
  }
}

function plainView({ kafka, splits: _splits, ...view }: VertexView): TaskMetricStoreState['view'] {
  return { ...view, kafka: kafka && { topic: kafka.topic, recordBytes: kafka.recordBytes, startOffsets: kafka.startOffsets.slice() } };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Before the first fetch. */
function nothingKnown(live: VertexView): TaskMetricStoreState {
  const { parallelism } = live;
  const zeros = (): Float64Array => new Float64Array(parallelism);
  const columns = Object.fromEntries(columnNames(live.columns).map((name) => [name, zeros()])) as unknown as Columns;
  const view = { ...plainView(live), columns, initializationMs: zeros(), windows: copyMeterWindows(live.windows, parallelism) };
  return { view, atMs: zeros(), known: new Uint8Array(parallelism), attempts: zeros(), ended: new Uint8Array(parallelism), kafka: [], splits: live.splits ? [] : null };
}

function columnNames(columns: Columns): (keyof Columns)[] {
  return (Object.keys(columns) as (keyof Columns | 'history')[]).filter((name) => name !== 'history');
}

/** A copy of the new column, or of the old one with some subtasks' new values. */
function merged<Column extends Float64Array | Uint8Array>(live: Column, before: Column, subtasks: readonly number[] | null): Column {
  if (subtasks === null) return live.slice() as Column;
  const column = before.slice() as Column;
  for (const s of subtasks) column[s] = live[s];
  return column;
}

/** New readings for some subtasks, the old ones for the rest. */
function mergedWindows(live: VertexView, before: VertexView['windows'], subtasks: readonly number[] | null): VertexView['windows'] {
  const fresh = copyMeterWindows(live.windows, live.parallelism);
  if (subtasks === null) return fresh;
  const values = before.values.slice();
  for (let offset = 0; offset < values.length; offset += live.parallelism) for (const s of subtasks) values[offset + s] = fresh.values[offset + s];
  return { ...fresh, values };
}

function readings<Reading>(read: (subtask: number) => Reading, before: readonly Reading[], subtasks: readonly number[]): Reading[] {
  const all = before.slice();
  for (const s of subtasks) all[s] = read(s);
  return all;
}
