import { appendLog } from '../simulation/logs/index.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { FlinkVersion } from '../versions/flink-versions.js';
import { createReporter } from './create-reporter.js';
import { JOB_MANAGER, reportingProcesses } from './reported-metrics.js';
import { reporterConfigs, type ReporterConfig } from './reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from './reporter.js';
import { createReporterMemory, recall, type ReporterMemory } from './reporter-memory.js';
import { PrometheusReporter } from './prometheus/prometheus-reporter.js';

/** Reports that may be under way at once: with a fast clock or a slow receiver further ones are left out. */
const REPORTS_UNDER_WAY = 4;
const CLOSE_LIMIT_MS = 500;

interface ScheduledReporter {
  readonly config: ReporterConfig;
  readonly reporter: Reporter;
  readonly memory: ReporterMemory;
  nextMs: number;
  underWay: number;
  deliveries: Promise<void>;
  sent: number;
  leftOut: number;
  failed: number;
  lastProblem: string | null;
}

export interface RegistryOptions {
  readonly state: SimulationState;
  readonly version: FlinkVersion;
  readonly host: string;
  readonly warn: (message: string) => void;
}

/** How far each reporter is, by its name. Plain data. */
export type ReportersState = ReadonlyMap<string, { readonly nextMs: number; readonly memory: ReporterMemory }>;

/** How a reporter is getting on. */
export interface ReporterStatus {
  readonly name: string;
  readonly kind: string;
  readonly intervalMs: number;
  readonly sent: number;
  readonly failed: number;
  readonly leftOut: number;
}

/** The reporters of a cluster. They follow virtual time: `advanced` is to be called as it passes. */
export class ReporterRegistry {
  readonly #state: SimulationState;
  readonly #warn: (message: string) => void;
  readonly #reporters: ScheduledReporter[] = [];
  #processes = '';
  #ready: Promise<unknown> = Promise.resolve();

  private constructor({ state, warn }: RegistryOptions) {
    this.#state = state;
    this.#warn = warn;
  }

  /** The reporters that the cluster's options name, with their endpoints opening. */
  static async create(options: RegistryOptions): Promise<ReporterRegistry> {
    const { state, version, host, warn } = options;
    const registry = new ReporterRegistry(options);
    const surroundings: Omit<ReporterSurroundings, 'memory'> = {
      state,
      version,
      host,
      warn,
      logLine: (process, level, logger, message) => {
        const log = process === JOB_MANAGER ? state.jobManager.log : state.taskManagers.get(process)?.log;
        if (log) appendLog(log, state.nowMs, level, logger, message);
      },
    };
    for (const config of reporterConfigs(state.options, version, warn)) {
      const memory = createReporterMemory();
      const reporter = await createReporter(config, { ...surroundings, memory });
      if (reporter) registry.#reporters.push({ config, reporter, memory, nextMs: state.nowMs + config.intervalMs, underWay: 0, deliveries: Promise.resolve(), sent: 0, leftOut: 0, failed: 0, lastProblem: null });
    }
    registry.advanced();
    return registry;
  }

  /** Resolves when the endpoints that were to be opened are. */
  get ready(): Promise<unknown> {
    return this.#ready;
  }

  /** The first Prometheus reporter, if there is one. */
  get prometheus(): PrometheusReporter | null {
    for (const { reporter } of this.#reporters) if (reporter instanceof PrometheusReporter) return reporter;
    return null;
  }

  get status(): ReporterStatus[] {
    return this.#reporters.map(({ config: { name, kind, intervalMs }, sent, failed, leftOut }) => ({ name, kind, intervalMs, sent, failed, leftOut }));
  }

  /** Time has passed: reports whatever is due. */
  advanced(): void {
    if (this.#reporters.length === 0) return;
    const processes = reportingProcesses(this.#state).join();
    if (processes !== this.#processes) {
      this.#processes = processes;
      this.#ready = Promise.all([this.#ready, ...this.#reporters.map(({ reporter }) => reporter.processesChanged?.())]);
    }
    const { nowMs } = this.#state;
    for (const scheduled of this.#reporters) {
      if (!scheduled.reporter.report || nowMs < scheduled.nextMs) continue;
      scheduled.nextMs = Math.max(scheduled.nextMs + scheduled.config.intervalMs, nowMs + 1);
      this.#report(scheduled);
    }
  }

  /** How far the reporters are; shares objects with them. */
  take(): ReportersState {
    return new Map(this.#reporters.map(({ config, nextMs, memory }) => [config.name, { nextMs, memory }]));
  }

  /** Goes on as far as they were; a reporter that is not named there, or any where there is nothing, begins anew. */
  put(known: ReportersState | null): void {
    for (const scheduled of this.#reporters) {
      const its = known?.get(scheduled.config.name);
      recall(scheduled.memory, its?.memory ?? createReporterMemory());
      scheduled.nextMs = its?.nextMs ?? this.#state.nowMs + scheduled.config.intervalMs;
    }
    this.advanced();
  }

  /** Ends within half a second: a receiver that does not answer keeps nobody. */
  async close(): Promise<void> {
    const closed = this.#ready.then(() => Promise.allSettled(this.#reporters.map(({ reporter, deliveries }) => deliveries.then(() => reporter.close()))));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([closed, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_LIMIT_MS)))]);
    clearTimeout(timer);
  }

  #report(scheduled: ScheduledReporter): void {
    if (scheduled.underWay >= REPORTS_UNDER_WAY) {
      scheduled.leftOut++;
      return;
    }
    const delivery = scheduled.reporter.report!();
    if (delivery === null) {
      scheduled.sent++;
      return;
    }
    scheduled.underWay++;
    scheduled.deliveries = scheduled.deliveries.then(() => this.#deliver(scheduled, delivery));
  }

  async #deliver(scheduled: ScheduledReporter, delivery: Delivery): Promise<void> {
    try {
      await delivery();
      scheduled.sent++;
      scheduled.lastProblem = null;
    } catch (error) {
      scheduled.failed++;
      const { message } = error as Error;
      // A receiver that is away is told of once, not at every report.
      if (message !== scheduled.lastProblem) this.#warn(`metrics.reporter.${scheduled.config.name}: ${message}`);
      scheduled.lastProblem = message;
    } finally {
      scheduled.underWay--;
    }
  }
}
