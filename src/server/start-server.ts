import type { FastifyInstance } from 'fastify';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { ClusterControl } from '../control/cluster-control.js';
import type { KnownPrograms } from '../control/job-control.js';
import { ConsoleRecorder } from '../control/console/recorder.js';
import { startControlPort, type ControlPort } from '../control/control-port.js';
import { CONTROL_PREFIX } from '../control/control-prefix.js';
import { LazyControlApp } from '../control/lazy-control-app.js';
import { SnapshotStore } from '../control/snapshot-store.js';
import type { HttpFault } from '../http-faults/http-fault.js';
import { HttpFaults } from '../http-faults/http-faults.js';
import { AnswerCache } from '../rest/answer-cache.js';
import { createApp, type StaticFiles } from '../rest/create-app.js';
import { JarStore } from '../rest/jars/jar-store.js';
import { NO_JOB_TEMPLATES } from '../rest/jars/job-templates.js';
import { completeMetricFetch } from '../rest/metrics/metric-store.js';
import { isBelow } from '../rest/request-target.js';
import { RESOURCES, type Resource } from '../rest/resources/index.js';
import { headerNames } from '../rest/send.js';
import type { RestServices } from '../rest/services.js';
import { ReporterRegistry } from '../reporters/reporter-registry.js';
import { CommitHistory } from '../reporters/kafka/commit-history.js';
import { reportingKeeper } from '../reporters/reporting-state.js';
import { reporterRoutes } from '../reporters/routes.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import { Simulation } from '../simulation/simulation.js';
import { parseFlinkVersion, type FlinkVersion } from '../versions/flink-versions.js';
import { restFeatures, type RestFeatures } from '../versions/rest-features.js';
import { VirtualClock, type ClockMode } from './clock.js';
import { ClockDriver } from './clock-driver.js';
import { requireBasicAuth, type BasicAuth } from './basic-auth.js';
import { ServerStartError } from './errors.js';
import { keepTickShape } from './keep-tick-shape.js';
import { LastAnswers } from './last-answers.js';
import { openOnce } from './opened/open-once.js';
import type { OpenedCluster } from './opened/opened-scenario.js';
import { refuseConnections } from './refuse-connections.js';
import { dashboardSource } from './static/dashboard-source.js';
import { statusPage } from './status-page.js';
import { createStaticFiles } from './static/static-files.js';
import { tlsOptionsOf, type PemFiles } from './tls.js';

export interface ServerOptions {
  readonly model: SimulationModel;
  /** How much of the simulation is history when the server starts, ms. */
  readonly openAtMs?: number;
  /** The cluster at openAtMs, where it is known without simulating it. */
  readonly opened?: OpenedCluster;
  /** Long steps of the simulation let known answers out; nobody may look at its state but over HTTP. Default: false. */
  readonly splitsSteps?: boolean;
  /** Default: the model's. */
  readonly version?: string;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 = any free one. Default: 8081. */
  readonly port?: number;
  /** Answers below this path too, as behind YARN's proxy. */
  readonly basePath?: string;
  readonly clock?: { readonly mode?: ClockMode; readonly speed?: number };
  /** When metrics come home that somebody asks for while the clock is held: with the answer, or when time goes on, as Flink's come behind the answer. Default: the latter. */
  readonly heldMetrics?: 'at-once' | 'when-time-goes-on';
  /** Flink's own dashboard: a folder, a jar or a distribution archive that holds it. Default: our status page. */
  readonly dashboard?: string;
  /** What jar runs start. */
  readonly jobTemplates?: KnownPrograms;
  readonly logger?: Logger;
  /** Ends the start while the history is simulated; startServer then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Called on DELETE /cluster. Default: the server closes. */
  readonly onShutdown?: () => void;
  /** Default: all of Flink's. */
  readonly resources?: readonly Resource[];
  /** The control API below /_mock; false = off. Default: on, on the same port, without a token. */
  readonly control?: false | ControlServerOptions;
  /** PEM files to speak TLS with; left out, the model's options `security.ssl.rest.*` say whether and with what. */
  readonly tls?: PemFiles;
  /** `user:password` that every request has to bring, as behind a proxy; the control API, where it has a token, asks for that instead. */
  readonly basicAuth?: BasicAuth;
  /** Faults of the HTTP server from the start on. */
  readonly httpFaults?: readonly HttpFault[];
  /** Folder of saved snapshots. Default: one that is removed when the server closes. */
  readonly snapshotDirectory?: string;
  /** A snapshot to go on from, of the same Flink version. */
  readonly snapshot?: Buffer;
  /** How many requests the journal remembers, 0 = none. Default: 1000. */
  readonly journalEntries?: number;
  /** Bytes of files that all uploads under way may have on the disk. Default: 4 GiB. */
  readonly uploadBudgetBytes?: number;
  /** false: listens to no port; requests are injected. Default: true. */
  readonly listen?: boolean;
}

export interface ControlServerOptions {
  /** Asked for as `Authorization: Bearer …`. */
  readonly token?: string;
  /** A port of its own, 0 = any free one. */
  readonly port?: number;
}

export interface RunningServer {
  /** Without a slash at the end, such as http://127.0.0.1:8081; http://flink:8081 when it does not listen. */
  readonly url: string;
  /** Where the control API is; null when it is off. */
  readonly controlUrl: string | null;
  readonly control: ClusterControl;
  /** The HTTP server, for requests that are injected. */
  readonly app: FastifyInstance;
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  /** Holds uploaded jars; removed when the server closes. */
  readonly temporaryDirectory: string;
  /** Moves the clock to an instant, and the simulation after it. */
  advanceTo(epochMs: number): Promise<void>;
  advanceBy(ms: number): Promise<void>;
  /** Stops within a second: answers in flight are finished, idle connections closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a server is called that listens to no port. */
const UNHEARD_URL = 'http://flink:8081';

/** How long answers in flight may take when the server closes, ms. */
const CLOSE_GRACE_MS = 700;

/** Starts a simulated cluster behind Flink's REST API. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  keepTickShape();
  const { model, host = '127.0.0.1', port = 8081 } = options;
  const version = parseFlinkVersion(options.version ?? model.flinkVersion);
  if (!version) throw new RangeError(`there is no Flink version ${options.version ?? model.flinkVersion}`);
  const features = restFeatures(version);
  const tls = tlsOptionsOf(model.options, options.tls ?? null);

  const simulation = new Simulation(model);
  const recorder = new ConsoleRecorder(simulation.state);
  if (options.opened) {
    simulation.replaceState(options.opened.state);
    recorder.remember(options.opened.recorded);
  } else if (options.openAtMs && !options.snapshot) await openOnce(simulation, recorder, model, model.startMs + options.openAtMs, options.signal);
  const staticFiles = await findStaticFiles(options.dashboard, features, options.control !== false && options.control?.port === undefined);
  const temporaryDirectory = mkdtempSync(path.join(tmpdir(), 'flink-web-'));
  const uploadDirectory = path.join(temporaryDirectory, 'flink-web-upload');
  mkdirSync(uploadDirectory);

  const clock = new VirtualClock(options.clock?.mode ?? 'real', simulation.nowMs, options.clock?.speed ?? 1);
  const driver = new ClockDriver(simulation, clock);
  const reporters = await ReporterRegistry.create({ state: simulation.state, version, host, warn: (message) => options.logger?.warn(message) });
  const commits = new CommitHistory();
  driver.beforeAdvance = () => completeMetricFetch(simulation);
  // Reporters look at the state at times of their own.
  driver.splitsSteps = options.splitsSteps === true && reporters.status.length === 0;
  driver.onStep = () => {
    reporters.advanced();
    recorder.observe(clock.speed);
    commits.observe(simulation.state);
  };
  let url = '';
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll());
  const services: RestServices = {
    shutdown: options.onShutdown ?? (() => void close()),
    jars: new JarStore(uploadDirectory),
    jobTemplates: options.jobTemplates ?? NO_JOB_TEMPLATES,
    uploadDirectory,
    address: () => url,
    metricFetch: () => (clock.paused || clock.speed === 0 ? (options.heldMetrics ?? 'when-time-goes-on') : 'behind-the-answer'),
  };
  const answers = new AnswerCache(simulation.state, () => driver.justBeforeSpanMs, () => driver.changes());
  const httpFaults = new HttpFaults({ features, names: headerNames(features), seed: () => simulation.state.model.seed, sinceStartMs: () => clock.now() - simulation.state.model.startMs });
  const control = new ClusterControl({
    simulation,
    clock,
    driver,
    version,
    httpFaults,
    initialFaults: options.httpFaults ?? [],
    openAtMs: options.openAtMs ?? 0,
    jobTemplates: options.jobTemplates ?? NO_JOB_TEMPLATES,
    snapshots: new SnapshotStore(options.snapshotDirectory ?? path.join(temporaryDirectory, 'snapshots')),
    ...(options.journalEntries === undefined ? {} : { journalEntries: options.journalEntries }),
    reporting: reportingKeeper(reporters, commits),
    recorder,
    forgetAnswers: () => answers.clear(),
    refuse: (forMs) => refusal.begin(forMs),
    onChanged: () => followJobManager(),
  });
  const lastAnswers = new LastAnswers();
  const onRequest = (response: ServerResponse): void => {
    driver.hold(response);
    lastAnswers.follow(response);
  };
  const controlOptions = options.control === false ? null : (options.control ?? {});
  const controlIsHere = controlOptions !== null && controlOptions.port === undefined;
  const token = controlOptions?.token ?? null;
  const controlPlugin = async (scope: FastifyInstance): Promise<void> => {
    // Loaded only here: its schemas take longer to make than the rest of a start.
    const { controlApi } = await import('../control/control-api.js');
    await controlApi(scope, { control, token });
    const asked = { state: simulation.state, reporters, commits, advance: () => void driver.catchUp() };
    await scope.register((inner) => reporterRoutes(inner, () => asked));
  };
  const app = createApp({
    context: { simulation, state: simulation.state, version, features, services },
    gate: control,
    answers,
    resources: options.resources ?? RESOURCES,
    advance: () => driver.beforeAnswer(),
    justBefore: () => driver.justBefore(),
    isReady: (later) => driver.isReady(later),
    onRequest,
    temporaryDirectory,
    ...(options.uploadBudgetBytes === undefined ? {} : { uploadBudgetBytes: options.uploadBudgetBytes }),
    ...(controlIsHere ? { beside: new LazyControlApp({ plugin: controlPlugin, ...(options.logger ? { logger: options.logger } : {}) }) } : {}),
    ...(options.basePath ? { basePath: options.basePath } : {}),
    ...urlPrefixOf(model, version),
    ...(staticFiles ? { staticFiles } : {}),
    ...(options.logger ? { logger: options.logger } : {}),
    ...(tls ? { tls } : {}),
  });
  if (options.basicAuth) requireBasicAuth(app.server, options.basicAuth, ({ url = '' }) => controlIsHere && token !== null && isBelow(url, CONTROL_PREFIX));
  const refusal = refuseConnections(app, () => ({ host, port: Number(new URL(url).port || 80) }));
  // A process that is down listens to nothing; whom the control API needs stays reachable.
  const followJobManager = (): void => {
    if (url !== '' && url !== UNHEARD_URL && !controlIsHere) refusal.setDown(simulation.state.jobManager.availability === 'DOWN');
  };
  let controlPort: ControlPort | null = null;

  async function closeAll(): Promise<void> {
    driver.stop();
    lastAnswers.begin();
    control.close();
    refusal.end();
    const force = setTimeout(() => {
      app.server.closeAllConnections();
      controlPort?.closeAllConnections();
    }, CLOSE_GRACE_MS);
    await Promise.all([app.close(), controlPort?.close(), reporters.close()]);
    clearTimeout(force);
    control.closed();
    await rm(temporaryDirectory, { recursive: true, force: true });
  }

  try {
    if (options.snapshot) {
      // Reporters that open an endpoint say so in the log: in that of the state that goes away.
      await reporters.ready;
      await control.history.restore(options.snapshot);
    }
    await Promise.all([options.listen === false ? app.ready() : app.listen({ host, port }), reporters.ready]);
    url = options.listen === false ? UNHEARD_URL : urlOf(host, app, tls !== null);
    followJobManager();
  } catch (error) {
    await close();
    throw ServerStartError.of(error, host, port);
  }
  if (controlOptions?.port !== undefined) {
    try {
      controlPort = await startControlPort({ host, port: controlOptions.port, plugin: controlPlugin, onRequest, ...(tls ? { tls } : {}), ...(options.basicAuth !== undefined && token === null ? { basicAuth: options.basicAuth } : {}), ...(options.logger ? { logger: options.logger } : {}) });
    } catch (error) {
      await close();
      throw ServerStartError.of(error, host, controlOptions.port);
    }
  }
  const controlUrl = controlOptions === null ? null : `${controlPort?.url ?? url}${CONTROL_PREFIX}`;
  options.logger?.info({ url, flinkVersion: version.full }, 'listening');
  driver.start();
  return {
    url,
    controlUrl,
    control,
    app,
    simulation,
    clock,
    temporaryDirectory,
    advanceTo: (epochMs) => control.clock.advanceTo(epochMs),
    advanceBy: (ms) => control.clock.advanceBy(ms),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function urlOf(host: string, app: FastifyInstance, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${(app.server.address() as AddressInfo).port}`;
}

/** rest.url-prefix of the model's options, in the versions that know it. */
function urlPrefixOf(model: SimulationModel, version: FlinkVersion): { urlPrefix?: string } {
  const prefix = model.options['rest.url-prefix'];
  return prefix && restFeatures(version).hasUrlPrefix ? { urlPrefix: prefix } : {};
}

async function findStaticFiles(dashboard: string | undefined, features: RestFeatures, hasConsole: boolean): Promise<StaticFiles | undefined> {
  const source = dashboard === undefined ? await statusPage(hasConsole) : await dashboardSource(dashboard);
  return source && createStaticFiles({ source, names: headerNames(features), notModifiedClosesLoudly: features.notModifiedClosesLoudly });
}
