import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { ControlError } from '../control/problem.js';
import { atStart } from '../scenario/at-start.js';
import { openedFile, readOpenedScenario, type OpenedCluster } from '../server/opened/opened-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { CliError } from './cli-error.js';
import { closeInTime } from './close-in-time.js';
import { explainStart } from './explain-start.js';
import { DASHBOARD_PLACES, type ServeOptions } from './serve-options.js';
import { keepHeapSmall, relaxUnderLoad } from './small-heap.js';
import type { RunningServer } from '../server/start-server.js';
import type { PemFiles } from '../server/tls.js';

/** Epoch ms at which the scenario is to open; null = at its own instant. */
function openMs(options: ServeOptions): number | null {
  const startTime = options.startTime ?? (options.clock === 'manual' ? 'scenario' : 'now');
  return startTime === 'scenario' ? null : startTime === 'now' ? Date.now() : startTime;
}

/** What is to be served: as it was opened when the package was built, if nothing about it was changed, or to be simulated up to its opening. */
async function toServe(options: ServeOptions): Promise<{ readonly scenario: Scenario; readonly opened?: OpenedCluster }> {
  const openAt = openMs(options);
  // A configured port is the one that is really used (0 is not known before).
  const port = options.port === 0 ? null : options.port;
  const asShipped = options.flinkVersion === null && options.seed === null && options.restore === null && Object.keys(options.config).length === 0;
  const opened = asShipped ? readOpenedScenario(openedFile(options.scenario), options.scenario, openAt, port) : null;
  if (opened) return { scenario: opened.scenario, opened: opened.cluster };
  // Loaded only here: reading and checking YAML takes a while.
  const { loadScenario } = await import('../scenario/load-scenario.js');
  const scenario = loadScenario(options.scenario, {
    ...(options.flinkVersion === null ? {} : { flinkVersion: options.flinkVersion }),
    ...(options.seed === null ? {} : { seed: options.seed }),
    options: options.config,
  });
  const { model, openAtMs } = scenario;
  return { scenario: { ...scenario, model: atStart(model, openAt === null ? model.startMs : openAt - openAtMs, port ?? model.cluster.jobManager.restPort, options.config) } };
}

function explain(error: unknown, options: ServeOptions): unknown {
  if (error instanceof ControlError) return new CliError(`option --restore: ${options.restore}: ${error.message}`);
  return explainStart(error, options);
}

function pemFilesOf({ tlsCert, tlsKey, tlsClientCa }: ServeOptions): { tls?: PemFiles } {
  if (tlsCert === null && tlsKey === null && tlsClientCa === null) return {};
  if (tlsCert === null || tlsKey === null) throw new CliError(`option ${tlsCert === null ? '--tls-cert' : '--tls-key'} is missing; TLS needs certificate and key`);
  return { tls: { certificate: tlsCert, key: tlsKey, ...(tlsClientCa === null ? {} : { clientCertificates: tlsClientCa }) } };
}

function readSnapshot(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`option --restore: ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${message})`}; allowed: a snapshot that the control API gave or saved`);
  }
}

function banner(scenario: Scenario, options: ServeOptions, server: RunningServer, simulated: string): string {
  const at = `${server.url}${options.basePath}`;
  const { model } = server.simulation.state;
  const instant = new Date(server.simulation.nowMs + model.timeZoneOffsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const past = scenario.openAtMs > 0 ? `, ${Math.round(scenario.openAtMs / 60_000)} min of history simulated ${simulated}` : '';
  return [
    `mock-flink plays Flink ${model.flinkVersion}: ${scenario.name} — ${scenario.title}`,
    `It is ${instant} in the cluster${past}.`,
    '',
    `  ${options.dashboard === null ? 'Status page' : 'Dashboard  '}  ${at}/`,
    ...(server.controlUrl === null ? [] : [`  Console      ${server.controlUrl}/`, `  API docs     ${server.controlUrl}/docs`]),
    `  Try          curl ${at}/jobs/overview`,
    '',
    'Ctrl-C stops it. Other scenarios: mock-flink scenarios',
    '',
  ].join('\n');
}

/** Starts the server, prints where to look, and resolves when it was told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  keepHeapSmall();
  const { scenario, opened } = await toServe(options);
  if (options.dashboard !== null && !existsSync(options.dashboard)) throw new CliError(`option --dashboard: ${options.dashboard} does not exist; allowed: ${DASHBOARD_PLACES}`);
  // Loaded here, so that the other commands start without a web server.
  const [{ startServer }, { DashboardError }, { TlsConfigError }, { pino }, { createJobTemplates }] = await Promise.all([
    import('../server/start-server.js'),
    import('../server/static/file-source.js'),
    import('../server/tls.js'),
    import('pino'),
    import('../scenario/job-templates.js'),
  ]);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  process.once('SIGTERM', stop).once('SIGINT', stop).once('SIGHUP', stop);
  const startedAt = performance.now();
  if (options.snapshots !== null && statSync(options.snapshots, { throwIfNoEntry: false })?.isFile()) throw new CliError(`option --snapshots: ${options.snapshots} is a file; allowed: a folder, which is made if it is not there`);
  const serverOptions = {
    model: scenario.model,
    openAtMs: scenario.openAtMs,
    ...(opened ? { opened } : {}),
    version: scenario.model.flinkVersion,
    host: options.host,
    port: options.port,
    basePath: options.basePath,
    ...(options.dashboard === null ? {} : { dashboard: options.dashboard }),
    clock: { mode: options.clock, speed: options.speed },
    splitsSteps: true,
    jobTemplates: createJobTemplates(scenario.jarTemplates),
    httpFaults: scenario.httpFaults,
    control: options.control === 'off' ? (false as const) : { ...(options.controlToken === null ? {} : { token: options.controlToken }), ...(options.controlPort === null ? {} : { port: options.controlPort }) },
    ...(options.basicAuth === null ? {} : { basicAuth: options.basicAuth }),
    ...pemFilesOf(options),
    ...(options.snapshots === null ? {} : { snapshotDirectory: options.snapshots }),
    ...(options.restore === null ? {} : { snapshot: readSnapshot(options.restore) }),
    logger: pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: true })),
    signal: stopping.signal,
    onShutdown: stop,
  };
  const server = await startServer(serverOptions).catch((error: unknown) => {
    if (stopping.signal.aborted) return null;
    if (error instanceof TlsConfigError) throw new CliError(error.message);
    throw error instanceof DashboardError ? new CliError(`option --dashboard: ${error.message}; allowed: ${DASHBOARD_PLACES}`) : explain(error, options);
  });
  if (server === null) return;
  relaxUnderLoad(server.app.server);
  // Whatever ends the process, its uploads go with it.
  process.once('exit', () => rmSync(server.temporaryDirectory, { recursive: true, force: true }));
  process.stdout.write(banner(scenario, options, server, opened ? 'when this package was built' : `in ${Math.round(performance.now() - startedAt)} ms`));
  await stopped;
  await closeInTime(server.close());
}
