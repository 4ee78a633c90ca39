import { ReporterRegistry } from '../../src/reporters/reporter-registry.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';

export interface ReportingCluster {
  readonly simulation: Simulation;
  readonly registry: ReporterRegistry;
  readonly warnings: string[];
  advance(seconds: number): void;
  /** Waits until a reporter has sent (or failed to send) so many reports. */
  reports(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The recorded script's job on two task managers, with a reporter `r` that has these options. */
export async function reportingCluster(options: Readonly<Record<string, string>>, flinkVersion = '1.20.5', clusterOptions: Readonly<Record<string, string>> = {}): Promise<ReportingCluster> {
  const base = twoTaskManagers(flinkVersion);
  const own = Object.fromEntries(Object.entries(options).map(([key, value]) => [`metrics.reporter.r.${key}`, value]));
  const simulation = new Simulation({ ...base, options: { ...base.options, ...clusterOptions, ...own }, jobs: [{ atMs: 0, job: bpJob({ name: 'A exactly once', rate: 500 }) }] });
  simulation.advanceBy(20_000);
  const warnings: string[] = [];
  const registry = await ReporterRegistry.create({ state: simulation.state, version: parseFlinkVersion(flinkVersion)!, host: '127.0.0.1', warn: (message) => void warnings.push(message) });
  return {
    simulation,
    registry,
    warnings,
    advance: (seconds) => {
      for (let second = 0; second < seconds; second++) {
        simulation.advanceBy(1000);
        registry.advanced();
      }
    },
    reports: async (count) => {
      const ended = () => registry.status.reduce((sum, { sent, failed }) => sum + sent + failed, 0);
      while (ended() < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    [Symbol.asyncDispose]: () => registry.close(),
  };
}
