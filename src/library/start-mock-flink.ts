import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { durationOf, type Duration } from '../control/time-control.js';
import { createJobTemplates } from '../scenario/job-templates.js';
import { resolveScenarioFile } from '../scenario/load-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { readTextFile } from '../scenario/yaml-source.js';
import { startServer, type ControlServerOptions } from '../server/start-server.js';
import type { PemFiles } from '../server/tls.js';
import { FLINK_MINORS, parseFlinkVersion } from '../versions/flink-versions.js';
import { checkOptions } from './check-options.js';
import { MockFlink } from './mock-flink.js';
import { scenarioOnce } from './scenario-once.js';

export interface MockFlinkOptions {
  /** One that ships by its name, a YAML file, `{yaml}` with the text of one, or a loaded scenario. Default: `healthy`. */
  readonly scenario?: string | { readonly yaml: string } | Scenario;
  /** Such as 1.20 or 1.20.5. Default: the scenario's. */
  readonly flinkVersion?: string;
  readonly seed?: number;
  /** Flink options by Flink's names. */
  readonly config?: Readonly<Record<string, string>>;
  /** `manual` (default): time stands until the test moves it. `real`: it runs, `speed` times as fast as the wall's. */
  readonly clock?: 'manual' | 'real';
  readonly speed?: number;
  /** `scenario` (default): it opens at its own instant; `now`, or epoch ms. */
  readonly startTime?: 'scenario' | 'now' | number;
  /** How much of the scenario is history when it opens: milliseconds, or text such as `20 s`. Less is faster. Default: what the scenario says. */
  readonly openAt?: Duration;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** false: no port; use `fetch`, `interceptor` or `intercept`. */
  readonly listen?: boolean;
  readonly basePath?: string;
  /** The control API for other processes. Default: off. */
  readonly control?: boolean | ControlServerOptions;
  /** PEM files to speak TLS with. Default: `security.ssl.rest.*` of the options say whether and with what keystore. */
  readonly tls?: PemFiles;
  /** `user:password` that every request over the port has to bring. */
  readonly basicAuth?: string;
  /** Bytes, or a file, to go on from. */
  readonly snapshot?: Buffer | string;
  /** Folder of snapshots that are saved by name. */
  readonly snapshotDirectory?: string;
  /** How many requests the journal remembers. Default: 1000. */
  readonly journalEntries?: number;
  readonly logger?: Logger;
}

/** Starts a simulated cluster in this process. Any number of them may live at a time. */
export async function startMockFlink(options: MockFlinkOptions = {}): Promise<MockFlink> {
  checkOptions(options);
  const scenario = scenarioOf(options);
  const startTime = options.startTime ?? 'scenario';
  const { model } = scenario;
  const openAtMs = options.openAt === undefined ? scenario.openAtMs : durationOf(options.openAt);
  const startMs = startTime === 'scenario' ? model.startMs : (startTime === 'now' ? Date.now() : startTime) - openAtMs;
  const { control = false, snapshot } = options;
  const server = await startServer({
    model: startMs === model.startMs ? model : { ...model, startMs },
    openAtMs,
    port: options.port ?? 0,
    clock: { mode: options.clock ?? 'manual', speed: options.speed ?? 1 },
    heldMetrics: 'at-once',
    jobTemplates: createJobTemplates(scenario.jarTemplates),
    httpFaults: scenario.httpFaults,
    control: control === true ? {} : control,
    ...(snapshot === undefined ? {} : { snapshot: typeof snapshot === 'string' ? await readFile(snapshot) : snapshot }),
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.basicAuth === undefined ? {} : { basicAuth: options.basicAuth }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.listen === undefined ? {} : { listen: options.listen }),
    ...(options.basePath === undefined ? {} : { basePath: options.basePath }),
    ...(options.snapshotDirectory === undefined ? {} : { snapshotDirectory: options.snapshotDirectory }),
    ...(options.journalEntries === undefined ? {} : { journalEntries: options.journalEntries }),
    ...(options.logger === undefined ? {} : { logger: options.logger }),
  });
  return new MockFlink(server);
}

function scenarioOf({ scenario = 'healthy', flinkVersion, seed, config }: MockFlinkOptions): Scenario {
  if (typeof scenario === 'object' && 'model' in scenario) {
    if (flinkVersion !== undefined || seed !== undefined || config !== undefined) throw new TypeError('flinkVersion, seed and config are given to loadScenario when the scenario is loaded already');
    return scenario;
  }
  const full = flinkVersion === undefined ? undefined : parseFlinkVersion(flinkVersion)?.full;
  if (flinkVersion !== undefined && full === undefined) throw new RangeError(`there is no Flink version ${flinkVersion}; allowed: ${FLINK_MINORS.join(', ')}, or a full one such as 1.20.5`);
  const overrides = { ...(full === undefined ? {} : { flinkVersion: full }), ...(seed === undefined ? {} : { seed }), ...(config === undefined ? {} : { options: config }) };
  if (typeof scenario !== 'string') return scenarioOnce(scenario.yaml, 'scenario.yaml', overrides);
  const file = resolveScenarioFile(scenario);
  return scenarioOnce(readTextFile(file), file, overrides);
}
