import { since, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** How the simulated cluster itself differs from release to release. Each line says why; a feature is read nowhere else by version. */
const TABLE = {
  /** Back pressure by stack or availability sampling on request (until FLINK-20852), not by busy/idle/back-pressured time. */
  samplesBackPressure: since('1.9', '1.13'),
  /** A task is INITIALIZING between DEPLOYING and RUNNING, a job before CREATED (FLINK-17012, FLINK-16866). */
  hasInitializingState: since('1.13'),
  /** TimerGauge averages over so many ms (FLINK-29397 … 60 s; 5 s before). */
  timeGaugeWindowMs: [
    ['1.9', 5_000],
    ['1.17', 60_000],
  ] as ByVersion<number>,
};

export type SimulationFeatures = { readonly [K in keyof typeof TABLE]: (typeof TABLE)[K] extends ByVersion<infer T> ? T : never };

/** What holds in a version. */
export function simulationFeatures(version: FlinkVersion): SimulationFeatures {
  return Object.freeze(Object.fromEntries(Object.entries(TABLE).map(([name, table]) => [name, valueIn(table as ByVersion<unknown>, version)]))) as SimulationFeatures;
}
