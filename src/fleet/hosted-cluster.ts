import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { ClusterControl } from '../control/cluster-control.js';
import { ConsoleRecorder } from '../control/console/recorder.js';
import { SnapshotStore } from '../control/snapshot-store.js';
import { HttpFaults } from '../http-faults/http-faults.js';
import { AnswerCache } from '../rest/answer-cache.js';
import { JarStore } from '../rest/jars/jar-store.js';
import { completeMetricFetch } from '../rest/metrics/metric-store.js';
import { headerNames } from '../rest/send.js';
import type { ServedCluster } from '../rest/served-cluster.js';
import type { RestServices } from '../rest/services.js';
import { CommitHistory } from '../reporters/kafka/commit-history.js';
import { ReporterRegistry } from '../reporters/reporter-registry.js';
import { reportingKeeper } from '../reporters/reporting-state.js';
import { createJobTemplates } from '../scenario/job-templates.js';
import { VirtualClock, type ClockMode } from '../server/clock.js';
import { SAME_INSTANT_MS } from '../server/clock-driver.js';
import { Simulation } from '../simulation/simulation.js';
import { parseFlinkVersion, type FlinkVersion } from '../versions/flink-versions.js';
import { restFeatures } from '../versions/rest-features.js';
import type { ClusterDefinition } from './cluster-definition.js';
import { HostedDriver } from './hosted-driver.js';
import type { ClusterInput } from './scenario-shelf.js';

/** Requests that a cluster's journal remembers: less than where there is one cluster. */
const JOURNAL_ENTRIES = 50;
/** Whoever was asked so lately (wall) is looked after as if it were alone. */
const ATTENDED_FOR_MS = 10_000;
/** How long a request waits at most for a cluster that is behind, ms; then it is answered of where that has come. */
const PATIENCE_MS = 5_000;

export interface HostedClusterOptions extends ClusterInput {
  readonly definition: ClusterDefinition;
  readonly mode: ClockMode;
  /** What its clock shows, epoch ms. */
  readonly nowMs: number;
  /** Folder of its own. */
  readonly directory: string;
  readonly host: string;
  /** Path in front of its own ones; null = it has no such path. */
  readonly basePath: string | null;
  /** Address of the fleet. */
  readonly address: () => string;
  /** Somebody shut it down through Flink's API. */
  readonly onShutdown: () => void;
  readonly logger: Logger | null;
}

export type HostedStatus = 'opening' | 'running' | 'failed';

/** One cluster among many: its simulation, its clock and all that is its own. Nothing happens in it by itself: it is moved when asked, or in its turn. */
export class HostedCluster {
  readonly name: string;
  readonly definition: ClusterDefinition;
  readonly version: FlinkVersion;
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  readonly control: ClusterControl;
  readonly commits = new CommitHistory();
  /** As it is asked by path, and by host name. */
  readonly byPath: ServedCluster | null;
  readonly byHost: ServedCluster;
  /** Clusters with the same can be served by one app. */
  readonly urlPrefix: string;
  /** What went wrong in it; it stands still then. */
  failure: Error | null = null;
  /** Wall instant up to which connections are refused, ms of performance.now(). */
  refusedUntil = -Infinity;
  private readonly driver: HostedDriver;
  private readonly recorder: ConsoleRecorder;
  private isRecorded = false;
  /** It has caught up with its clock once. */
  private isOpen = false;
  private closed = false;
  private askedAt = -Infinity;
  private arrivedAt = -Infinity;

  private constructor(
    private readonly options: HostedClusterOptions,
    readonly reporters: ReporterRegistry,
    simulation: Simulation,
    version: FlinkVersion,
  ) {
    const { definition, scenario, model, openAtMs, directory, basePath } = options;
    this.name = definition.name;
    this.definition = definition;
    this.version = version;
    this.simulation = simulation;
    const features = restFeatures(version);
    this.urlPrefix = features.hasUrlPrefix ? (model.options['rest.url-prefix'] ?? '') : '';
    this.clock = new VirtualClock(options.mode, options.nowMs, definition.speed);
    this.driver = new HostedDriver(simulation, this.clock, (error) => this.fail(error));
    this.recorder = new ConsoleRecorder(simulation.state);
    this.driver.beforeAdvance = () => completeMetricFetch(simulation);
    this.driver.onStep = () => {
      reporters.advanced();
      if (this.isRecorded) this.recorder.observe(this.clock.speed);
      this.commits.observe(simulation.state);
    };
    const cache = new AnswerCache(simulation.state);
    const jobTemplates = createJobTemplates(scenario.jarTemplates);
    this.control = new ClusterControl({
      simulation,
      clock: this.clock,
      driver: this.driver,
      version,
      httpFaults: new HttpFaults({ features, names: headerNames(features), seed: () => simulation.state.model.seed, sinceStartMs: () => this.clock.now() - simulation.state.model.startMs }),
      initialFaults: scenario.httpFaults,
      openAtMs,
      jobTemplates,
      snapshots: new SnapshotStore(path.join(directory, 'snapshots')),
      journalEntries: JOURNAL_ENTRIES,
      reporting: reportingKeeper(reporters, this.commits),
      recorder: this.recorder,
      forgetAnswers: () => cache.clear(),
      refuse: async (forMs) => void (this.refusedUntil = performance.now() + forMs),
    });
    const uploadDirectory = path.join(directory, 'flink-web-upload');
    const jars = new JarStore(uploadDirectory);
    const served = (base: string): ServedCluster => {
      const services: RestServices = {
        shutdown: options.onShutdown,
        jars,
        jobTemplates,
        uploadDirectory,
        address: () => `${options.address()}${base}`,
        metricFetch: () => (this.clock.paused || this.clock.speed === 0 ? 'when-time-goes-on' : 'behind-the-answer'),
      };
      return { context: { simulation, state: simulation.state, version, features, services }, cache, gate: this.control, advance: () => this.beforeAnswer(), basePath: base };
    };
    this.byHost = served('');
    this.byPath = basePath === null ? null : served(basePath);
  }

  static async create(options: HostedClusterOptions): Promise<HostedCluster> {
    const { model, directory, host, logger } = options;
    const version = parseFlinkVersion(model.flinkVersion);
    if (!version) throw new RangeError(`there is no Flink version ${model.flinkVersion}`);
    await mkdir(path.join(directory, 'flink-web-upload'), { recursive: true });
    const simulation = new Simulation(model);
    const reporters = await ReporterRegistry.create({ state: simulation.state, version, host, warn: (message) => logger?.warn({ cluster: options.definition.name }, message) });
    return new HostedCluster(options, reporters, simulation, version);
  }

  /** It was taken away. */
  get isClosed(): boolean {
    return this.closed;
  }

  get status(): HostedStatus {
    if (this.failure) return 'failed';
    return this.isOpen ? 'running' : 'opening';
  }

  /** How far the simulation is behind the clock, virtual ms. */
  get behindMs(): number {
    return Math.max(0, this.clock.now() - this.simulation.nowMs);
  }

  /** Somebody was here lately, listens, or is reported to. */
  get isAttended(): boolean {
    return performance.now() - this.askedAt < ATTENDED_FOR_MS || this.control.feed.size > 0 || this.reporters.status.length > 0;
  }

  /** The process that clients would connect to is not there. */
  get isDown(): boolean {
    return performance.now() < this.refusedUntil || this.simulation.state.jobManager.availability === 'DOWN';
  }

  /** A held clock is moved on; the simulation comes after it. */
  advanceClock(ms: number): void {
    this.clock.moveTo(this.clock.now() + ms);
  }

  /** From now on the console may ask for the past. */
  record(): void {
    if (this.isRecorded) return;
    this.isRecorded = true;
    this.recorder.observe(this.clock.speed, true);
  }

  /** Brings the simulation to now, as far as one slice goes; true when there is nothing left to do. */
  advance(): boolean {
    if (this.failure) return true;
    try {
      const arrived = this.driver.catchUp();
      this.isOpen ||= arrived;
      if (arrived) this.arrivedAt = performance.now();
      return arrived;
    } catch {
      return true;
    }
  }

  /** In its turn, when nobody asks: answers that were kept are of another instant then. */
  advanceInTurn(): boolean {
    const { nowMs } = this.simulation;
    const arrived = this.advance();
    if (this.simulation.nowMs !== nowMs) this.byHost.cache.clear();
    return arrived;
  }

  /** Calls `then` once the simulation is of now, or of a few ms ago where the clock runs by itself: at once, where it is nearly. */
  whenOfNow(then: () => void): void {
    this.askedAt = performance.now();
    if (!this.clock.paused && this.askedAt - this.arrivedAt < SAME_INSTANT_MS) {
      then();
      return;
    }
    const endAt = this.askedAt + PATIENCE_MS;
    const go = (): void => {
      if (this.closed || this.advance() || (this.status === 'running' && performance.now() > endAt)) then();
      else setImmediate(go);
    };
    go();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.control.close();
    this.driver.stop();
    await this.reporters.close();
    await rm(this.options.directory, { recursive: true, force: true });
  }

  /** What goes wrong was told already; the answer is of where it stands. */
  private beforeAnswer(): void {
    if (this.failure) return;
    try {
      this.driver.beforeAnswer();
    } catch {
      return;
    }
  }

  private fail(error: unknown): void {
    if (this.failure) return;
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.options.logger?.error({ err: error, cluster: this.name }, 'a cluster failed and stands still; the others go on');
  }
}
