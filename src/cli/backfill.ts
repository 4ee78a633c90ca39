import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importHeader, InfluxImport } from '../reporters/backfill/influx-import.js';
import { openMetricsText } from '../reporters/backfill/openmetrics.js';
import { promtoolTests } from '../reporters/backfill/promtool-series.js';
import { SeriesRecorder, type NameFilter } from '../reporters/backfill/series-recorder.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import { Simulation } from '../simulation/simulation.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { CliError } from './cli-error.js';

export type BackfillFormat = 'openmetrics' | 'influx' | 'promtool';

export interface BackfillOptions {
  readonly model: SimulationModel;
  readonly forMs: number;
  readonly everyMs: number;
  readonly format: BackfillFormat;
  readonly isWanted: NameFilter;
  /** null = stdout. */
  readonly out: string | null;
}

/** The state at the start, then every so often, and at the end. */
function* states({ model, forMs, everyMs }: BackfillOptions): Iterable<SimulationState> {
  const simulation = new Simulation(model);
  for (let afterMs = 0; ; afterMs += everyMs) {
    simulation.advanceTo(model.startMs + afterMs);
    yield simulation.state;
    if (afterMs + everyMs > forMs) return;
  }
}

/** Metrics of every sample; for formats that want them series by series. */
export function recordSeries(options: BackfillOptions): SeriesRecorder {
  const recorder = new SeriesRecorder(options.isWanted);
  for (const state of states(options)) recorder.sample(state);
  return recorder;
}

function* influxLines(options: BackfillOptions): Iterable<string> {
  yield importHeader('flink');
  const lines = new InfluxImport(options.isWanted);
  for (const state of states(options)) yield lines.lines(state);
}

export function backfillText(options: BackfillOptions): Iterable<string> {
  switch (options.format) {
    case 'openmetrics':
      return openMetricsText(recordSeries(options));
    case 'promtool':
      return promtoolTests(recordSeries(options), options.everyMs);
    case 'influx':
      return influxLines(options);
  }
}

/** `mock-flink simulate --format openmetrics|influx|promtool`. */
export async function backfill(options: BackfillOptions): Promise<void> {
  const pieces = Readable.from(backfillText(options), { objectMode: false });
  if (options.out === null) {
    await pipeline(pieces, process.stdout, { end: false });
    return;
  }
  await pipeline(pieces, createWriteStream(options.out)).catch((error: unknown) => {
    throw new CliError(`${options.out} cannot be written: ${(error as Error).message}; give another file with --out`, 1);
  });
}
