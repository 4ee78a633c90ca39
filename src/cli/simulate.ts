import { writeFileSync } from 'node:fs';
import { loadScenario } from '../scenario/load-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { Simulation } from '../simulation/simulation.js';
import { parseFlinkVersion } from '../versions/flink-versions.js';
import type { BackfillFormat } from './backfill.js';
import { CliError } from './cli-error.js';
import { toCsv } from './csv.js';
import { SERVE_OPTIONS } from './serve-options.js';
import { Sampler, type Sample } from './time-series.js';

export interface SimulateFlags {
  readonly for: number;
  readonly every: number;
  readonly format: string;
  readonly out?: string;
  readonly flinkVersion?: string;
  readonly seed?: string;
  /** Which metrics, as a regular expression over their names in Prometheus. */
  readonly metrics?: string;
  /** Ends now instead of when the scenario does. */
  readonly untilNow?: boolean;
}

/** Samples from the scenario's start on, `everyMs` apart, the last one at the end. */
export function runTimeSeries(scenario: Scenario, forMs: number, everyMs: number): Sample[] {
  const simulation = new Simulation(scenario.model);
  const sampler = new Sampler();
  const { startMs } = scenario.model;
  const samples = [sampler.sample(simulation.state)];
  for (let afterMs = everyMs; ; afterMs += everyMs) {
    simulation.advanceTo(startMs + Math.min(afterMs, forMs));
    samples.push(sampler.sample(simulation.state));
    if (afterMs >= forMs) return samples;
  }
}

function toJson(scenario: Scenario, everyMs: number, samples: readonly Sample[]): string {
  const { flinkVersion, seed } = scenario.model;
  const head = JSON.stringify({ scenario: scenario.name, flinkVersion, seed, everyMs }).slice(0, -1);
  return `${head},"samples":[\n${samples.map((sample) => JSON.stringify(sample)).join(',\n')}\n]}\n`;
}

/** Names that an expression matches from start to end, as Prometheus matches. */
function nameFilter(expression: string): (name: string) => boolean {
  try {
    const pattern = new RegExp(`^(?:${expression})$`);
    return (name) => pattern.test(name);
  } catch (error) {
    throw new CliError(`option --metrics: ${(error as Error).message}; allowed: a regular expression such as flink_jobmanager_job_.*`);
  }
}

/** As long as one advance of a clock may be, a leap year: instants stay readable, and a mistyped duration ends in no run of weeks. */
const LONGEST_MS = 366 * 86_400_000;
/** They are held in memory until they are written, a few kB each; only for influx they go out one by one. */
const MAX_SAMPLES = 100_000;

/** Refuses what would run, or grow, beyond all measure. */
function checkLength({ for: forMs, every: everyMs, format }: SimulateFlags): void {
  if (forMs > LONGEST_MS) throw new CliError(`option --for: found ${forMs / 86_400_000} d; allowed: up to 366 d`);
  if (format === 'influx' || forMs / everyMs < MAX_SAMPLES) return;
  throw new CliError(`option --every: found ${everyMs / 1_000} s, ${Math.ceil(forMs / everyMs) + 1} samples; allowed: at most ${MAX_SAMPLES} samples, here from ${Math.ceil(forMs / (MAX_SAMPLES - 1) / 1_000)} s on`);
}

const isBackfill = (format: string): format is BackfillFormat => format === 'openmetrics' || format === 'influx' || format === 'promtool';

/** `mock-flink simulate`. */
export async function simulate(nameOrFile: string, flags: SimulateFlags): Promise<void> {
  const flinkVersion = flags.flinkVersion === undefined ? undefined : parseFlinkVersion(flags.flinkVersion)?.full;
  if (flags.flinkVersion !== undefined && flinkVersion === undefined) {
    throw new CliError(`option --flink-version: found ${JSON.stringify(flags.flinkVersion)}; allowed: ${SERVE_OPTIONS.find(({ key }) => key === 'flinkVersion')!.allowed}`);
  }
  if (flags.seed !== undefined && !/^\d{1,10}$/.test(flags.seed)) throw new CliError(`option --seed: found ${JSON.stringify(flags.seed)}; allowed: 0 to 4294967295`);
  const scenario = loadScenario(nameOrFile, {
    ...(flinkVersion === undefined ? {} : { flinkVersion }),
    ...(flags.seed === undefined ? {} : { seed: Number(flags.seed) }),
  });
  checkLength(flags);
  const startedAt = performance.now();
  if (isBackfill(flags.format)) {
    const { backfill } = await import('./backfill.js');
    const model = flags.untilNow ? { ...scenario.model, startMs: Date.now() - flags.for } : scenario.model;
    await backfill({ model, forMs: flags.for, everyMs: flags.every, format: flags.format, isWanted: nameFilter(flags.metrics ?? '.*'), out: flags.out ?? null });
    process.stderr.write(`${Math.round(flags.for / 60_000)} min of virtual time in ${((performance.now() - startedAt) / 1_000).toFixed(2)} s${flags.out === undefined ? '' : ` → ${flags.out}`}\n`);
    return;
  }
  const samples = runTimeSeries(scenario, flags.for, flags.every);
  const text = flags.format === 'csv' ? toCsv(samples) : toJson(scenario, flags.every, samples);
  if (flags.out === undefined) {
    process.stdout.write(text);
  } else {
    try {
      writeFileSync(flags.out, text);
    } catch (error) {
      throw new CliError(`${flags.out} cannot be written: ${(error as Error).message}; give another file with --out`, 1);
    }
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stderr.write(`${samples.length} samples of ${Math.round(flags.for / 60_000)} min of virtual time in ${seconds.toFixed(2)} s${flags.out === undefined ? '' : ` → ${flags.out}`}\n`);
}
