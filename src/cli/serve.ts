import { existsSync, readFileSync } from 'node:fs';
import { ControlError } from '../control/problem.js';
import { loadScenario } from '../scenario/load-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import { CliError } from './cli-error.js';
import type { ServeOptions } from './serve-options.js';
import type { RunningServer } from '../server/start-server.js';

/** The model moved in time, so that the scenario opens at the instant asked for, and told where it listens. */
export function modelToServe(scenario: Scenario, options: ServeOptions, wallNowMs: number): SimulationModel {
  const { model, openAtMs } = scenario;
  const startTime = options.startTime ?? (options.clock === 'manual' ? 'scenario' : 'now');
  const startMs = startTime === 'scenario' ? model.startMs : (startTime === 'now' ? wallNowMs : startTime) - openAtMs;
  // A configured port is the one that is really used (0 is not known before).
  const restPort = options.port === 0 ? model.cluster.jobManager.restPort : options.port;
  const ports = Object.fromEntries(['rest.port', 'rest.bind-port'].filter((key) => model.options[key] !== undefined && options.config[key] === undefined).map((key) => [key, String(restPort)]));
  return { ...model, startMs, options: { ...model.options, ...ports }, cluster: { ...model.cluster, jobManager: { ...model.cluster.jobManager, restPort } } };
}

function explain(error: unknown, options: ServeOptions): unknown {
  if (error instanceof ControlError) return new CliError(`option --restore: ${options.restore}: ${error.message}`);
  const { code, port = options.port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const flag = port === options.controlPort && port !== options.port ? '--control-port' : '--port';
  if (code === 'EADDRINUSE') return new CliError(`port ${port} on ${options.host} is in use; stop what uses it, or choose another with ${flag} (0 takes a free one)`, 1);
  if (code === 'EACCES') return new CliError(`${options.host}:${port} may not be listened on (permission denied); choose a port above 1023 with ${flag}`, 1);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new CliError(`${options.host} is no address of this machine; choose another with --host`, 1);
  return error;
}

function readSnapshot(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`option --restore: ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${message})`}; allowed: a snapshot that the control API gave or saved`);
  }
}

function banner(scenario: Scenario, options: ServeOptions, server: RunningServer, simulatedMs: number): string {
  const at = `${server.url}${options.basePath}`;
  const { model } = server.simulation.state;
  const instant = new Date(server.simulation.nowMs + model.timeZoneOffsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const past = scenario.openAtMs > 0 ? `, ${Math.round(scenario.openAtMs / 60_000)} min of history simulated in ${simulatedMs} ms` : '';
  return [
    `mock-flink plays Flink ${model.flinkVersion}: ${scenario.name} — ${scenario.title}`,
    `It is ${instant} in the cluster${past}.`,
    '',
    `  ${options.dashboard === null ? 'Status page' : 'Dashboard  '}  ${at}/`,
    ...(server.controlUrl === null ? [] : [`  API docs     ${server.controlUrl}/docs`]),
    `  Try          curl ${at}/jobs/overview`,
    '',
    'Ctrl-C stops it. Other scenarios: mock-flink scenarios',
    '',
  ].join('\n');
}

/** Starts the server, prints where to look, and resolves when it was told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const scenario = loadScenario(options.scenario, {
    ...(options.flinkVersion === null ? {} : { flinkVersion: options.flinkVersion }),
    ...(options.seed === null ? {} : { seed: options.seed }),
    options: options.config,
  });
  if (options.dashboard !== null && !existsSync(options.dashboard)) throw new CliError(`option --dashboard: ${options.dashboard} does not exist; allowed: a folder with Flink's web files, or a flink-dist jar`);
  // Loaded here, so that the other commands start without a web server.
  const [{ startServer }, { DashboardError }, { pino }, { createJobTemplates }] = await Promise.all([
    import('../server/start-server.js'),
    import('../server/static/file-source.js'),
    import('pino'),
    import('../scenario/job-templates.js'),
  ]);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  const startedAt = performance.now();
  const serverOptions = {
    model: modelToServe(scenario, options, Date.now()),
    openAtMs: scenario.openAtMs,
    version: scenario.model.flinkVersion,
    host: options.host,
    port: options.port,
    basePath: options.basePath,
    ...(options.dashboard === null ? {} : { dashboard: options.dashboard }),
    clock: { mode: options.clock, speed: options.speed },
    jobTemplates: createJobTemplates(scenario.jarTemplates),
    httpFaults: scenario.httpFaults,
    control: options.control === 'off' ? (false as const) : { ...(options.controlToken === null ? {} : { token: options.controlToken }), ...(options.controlPort === null ? {} : { port: options.controlPort }) },
    ...(options.snapshots === null ? {} : { snapshotDirectory: options.snapshots }),
    ...(options.restore === null ? {} : { snapshot: readSnapshot(options.restore) }),
    logger: pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: true })),
    signal: stopping.signal,
    onShutdown: stop,
  };
  const server = await startServer(serverOptions).catch((error: unknown) => {
    if (stopping.signal.aborted) return null;
    throw error instanceof DashboardError ? new CliError(`option --dashboard: ${error.message}; allowed: a folder with Flink's web files, or a flink-dist jar`) : explain(error, options);
  });
  if (server === null) return;
  process.stdout.write(banner(scenario, options, server, Math.round(performance.now() - startedAt)));
  await stopped;
  // A client that keeps its connection open must not keep the process.
  await Promise.race([server.close(), new Promise((resolve) => setTimeout(resolve, 500).unref())]);
}
