import { FLINK_MINORS } from '../../versions/flink-versions.js';
import { TRANSIENT_TASK_METRICS } from '../../versions/metrics/task-metrics.js';
import { coordinatorMetrics, fileMergingMetrics, fileMergingView, isDeployed, jobManagerMetrics, jobMetrics, registeredTaskManagers, restNames, restValue, taskManagerMetrics, taskManagerViews, vertexView, type Metric } from '../../simulation/metrics/index.js';
import { durationOption } from '../../simulation/options.js';
import type { Simulation } from '../../simulation/simulation.js';
import type { ExecutionAttemptState, JobState } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { versionOf } from '../../simulation/version.js';
import type { EndpointContext } from '../endpoint.js';
import type { MetricFetch } from '../services.js';
import { isTerminal } from '../views/task-states.js';
import { PrintedMetrics, type ComponentMetrics } from './component-metrics.js';
import { KeptAnswers } from './kept-answers.js';
import { TaskMetricStore, type Found, type SubtaskMetrics, type TaskMetricStoreState } from './task-metric-store.js';

export type { ComponentMetrics } from './component-metrics.js';
export type { SubtaskMetrics } from './task-metric-store.js';

const DEFAULT_UPDATE_INTERVAL_MS = 10_000;

interface JobMetricStore {
  metrics: PrintedMetrics;
  readonly tasks: Map<string, TaskMetricStore>;
  readonly coordinators: Map<string, PrintedMetrics>;
}

type Printed = ReadonlyMap<string, string>;

/** Plain data to go on from. */
export interface MetricStoreState {
  readonly lastUpdateMs: number;
  /** Somebody asked, and time has stood still since. */
  readonly fetchIsDue: boolean;
  readonly jobManager: Printed;
  readonly taskManagers: ReadonlyMap<string, Printed>;
  readonly jobs: ReadonlyMap<string, { readonly metrics: Printed; readonly tasks: ReadonlyMap<string, TaskMetricStoreState>; readonly coordinators: ReadonlyMap<string, Printed> }>;
}

/**
 * What Flink's MetricFetcher keeps: metrics are fetched when somebody asks, at most once an update interval, and come home behind the
 * answer, so that the first one is empty and later ones are up to an interval old. Those of jobs and tasks that have ended stay until
 * the job is forgotten.
 */
export class MetricStore {
  /** Epoch ms at which the last fetch began, 0 = none. */
  lastUpdateMs = 0;
  /** Answers that hold until the next fetch. */
  readonly answers = new KeptAnswers();
  #jobManager = new PrintedMetrics();
  #fetchIsDue = false;
  readonly #taskManagers = new Map<string, PrintedMetrics>();
  readonly #jobs = new Map<string, JobMetricStore>();
  readonly #state: SimulationState;
  readonly #transientNames: ReadonlySet<string>;

  constructor(state: SimulationState) {
    this.#state = state;
    const dropsTransient = FLINK_MINORS.indexOf(TRANSIENT_TASK_METRICS.since) <= versionOf(state).index;
    this.#transientNames = new Set(dropsTransient ? TRANSIENT_TASK_METRICS.names : []);
  }

  static fromPlain(plain: MetricStoreState, state: SimulationState): MetricStore {
    const store = new MetricStore(state);
    store.lastUpdateMs = plain.lastUpdateMs;
    store.#fetchIsDue = plain.fetchIsDue;
    store.#jobManager = new PrintedMetrics(plain.jobManager);
    for (const [id, values] of plain.taskManagers) store.#taskManagers.set(id, new PrintedMetrics(values));
    for (const [id, { metrics, tasks, coordinators }] of plain.jobs) {
      store.#jobs.set(id, {
        metrics: new PrintedMetrics(metrics),
        tasks: mapValues(tasks, (task) => TaskMetricStore.fromPlain(task, store.#transientNames)),
        coordinators: mapValues(coordinators, (values) => new PrintedMetrics(values)),
      });
    }
    return store;
  }

  toPlain(): MetricStoreState {
    return {
      lastUpdateMs: this.lastUpdateMs,
      fetchIsDue: this.#fetchIsDue,
      jobManager: this.#jobManager.toPlain(),
      taskManagers: mapValues(this.#taskManagers, (metrics) => metrics.toPlain()),
      jobs: mapValues(this.#jobs, ({ metrics, tasks, coordinators }) => ({ metrics: metrics.toPlain(), tasks: mapValues(tasks, (task) => task.toPlain()), coordinators: mapValues(coordinators, (values) => values.toPlain()) })),
    };
  }

  /** Says that metrics are of interest: fetches them unless that was done within the interval. */
  update(when: MetricFetch): void {
    const { nowMs, options } = this.#state;
    if (nowMs - this.lastUpdateMs <= durationOption(options, 'metrics.fetcher.update-interval', DEFAULT_UPDATE_INTERVAL_MS)) return;
    this.lastUpdateMs = nowMs;
    this.#fetchIsDue = true;
    if (when === 'at-once') this.complete();
    // Asynchronous in Flink: whoever asked is answered from what there was.
    else if (when === 'behind-the-answer') queueMicrotask(() => this.complete());
  }

  /** A fetch that somebody's interest has begun comes home. */
  complete(): void {
    if (!this.#fetchIsDue) return;
    this.#fetchIsDue = false;
    this.#fetch();
  }

  jobManager(): ComponentMetrics {
    return this.#jobManager;
  }

  taskManager(id: string): ComponentMetrics | undefined {
    return this.#taskManagers.get(id);
  }

  /** By resource id. */
  taskManagers(): ReadonlyMap<string, ComponentMetrics> {
    return this.#taskManagers;
  }

  job(jobId: string): ComponentMetrics | undefined {
    return this.#jobs.get(jobId)?.metrics;
  }

  jobIds(): Iterable<string> {
    return this.#jobs.keys();
  }

  task(jobId: string, vertexId: string): TaskMetricStore | undefined {
    return this.#jobs.get(jobId)?.tasks.get(vertexId);
  }

  subtask(jobId: string, vertexId: string, subtask: number): SubtaskMetrics | undefined {
    return this.task(jobId, vertexId)?.subtask(subtask);
  }

  /** Those that a fetch has found, in order. */
  subtasks(jobId: string, vertexId: string): SubtaskMetrics[] {
    return this.task(jobId, vertexId)?.subtasks() ?? [];
  }

  coordinators(jobId: string, vertexId: string): ComponentMetrics | undefined {
    return this.#jobs.get(jobId)?.coordinators.get(vertexId);
  }

  #fetch(): void {
    this.answers.clear();
    this.#jobManager = printed(jobManagerMetrics(this.#state), this.#state);
    this.#fetchTaskManagers();
    for (const id of this.#jobs.keys()) if (!this.#state.jobs.has(id)) this.#jobs.delete(id);
    const reachable = new Set(registeredTaskManagers(this.#state).filter(({ status }) => status === 'REGISTERED').map(({ id }) => id));
    for (const job of this.#state.jobs.values()) this.#fetchJob(job, reachable);
    this.#state.revision++;
  }

  #fetchTaskManagers(): void {
    const version = versionOf(this.#state);
    const views = taskManagerViews(this.#state);
    const registered = new Set(views.map(({ taskManager }) => taskManager.id));
    for (const id of this.#taskManagers.keys()) if (!registered.has(id)) this.#taskManagers.delete(id);
    for (const view of views) {
      // A dead one does not answer.
      if (view.taskManager.status === 'REGISTERED') this.#taskManagers.set(view.taskManager.id, printed(taskManagerMetrics(version, view), view));
    }
  }

  #fetchJob(job: JobState, reachable: ReadonlySet<string>): void {
    const version = versionOf(this.#state);
    let store = this.#jobs.get(job.id);
    if (job.endMs < 0) {
      const metrics = printed(jobMetrics(version), { job, atMs: this.#state.nowMs, version });
      // What task managers tell of the job comes into the same place, the last one's word counts.
      for (const id of reachable) {
        const files = fileMergingView(this.#state, job, id);
        if (files) printInto(metrics, fileMergingMetrics(this.#state), files);
      }
      if (store) store.metrics = metrics;
      else this.#jobs.set(job.id, (store = { metrics, tasks: new Map(), coordinators: new Map() }));
    }
    // Nothing was ever fetched of a job that ended too soon.
    if (!store) return;
    for (let v = 0; v < job.vertices.length; v++) {
      const vertex = job.vertices[v];
      const found = vertex.subtasks.map(({ current }) => whatIsFound(current, reachable));
      let task = store.tasks.get(vertex.id);
      const isLive = found.includes('live');
      if (!isLive && !task) continue;
      const live = vertexView(this.#state, job, v);
      if (!task || task.parallelism !== vertex.parallelism) store.tasks.set(vertex.id, (task = new TaskMetricStore(live, this.#transientNames)));
      task.capture(live, (subtask) => found[subtask]);
      if (job.endMs < 0) store.coordinators.set(vertex.id, printed(coordinatorMetrics(version, vertex), vertex));
    }
  }
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

function whatIsFound(attempt: ExecutionAttemptState, reachable: ReadonlySet<string>): Found {
  if (isTerminal(attempt.state)) return 'terminal';
  return isDeployed(attempt.state) && attempt.taskManagerId !== null && reachable.has(attempt.taskManagerId) ? 'live' : 'nothing';
}

function printed<View>(metrics: readonly Metric<View>[], view: View): PrintedMetrics {
  return printInto(new PrintedMetrics(), metrics, view);
}

function printInto<View>(store: PrintedMetrics, metrics: readonly Metric<View>[], view: View): PrintedMetrics {
  for (const name of metrics.flatMap(restNames)) {
    const value = restValue(name, view);
    if (value !== null) store.set(name.name, value);
  }
  return store;
}

const STORES = new WeakMap<Simulation, MetricStore>();

/** The cluster's metric store. Whoever asks for it shows interest in its metrics. */
export function metricStoreOf(context: EndpointContext): MetricStore {
  let store = STORES.get(context.simulation);
  if (!store) STORES.set(context.simulation, (store = new MetricStore(context.state)));
  store.update(context.services.metricFetch?.() ?? 'behind-the-answer');
  return store;
}

/** What was asked for while time stood still is fetched, of the instant at which it was asked for. */
export function completeMetricFetch(simulation: Simulation): void {
  STORES.get(simulation)?.complete();
}

export function takeMetricStore(simulation: Simulation): MetricStoreState | null {
  return STORES.get(simulation)?.toPlain() ?? null;
}

export function putMetricStore(simulation: Simulation, plain: MetricStoreState | null): void {
  if (plain === null) STORES.delete(simulation);
  else STORES.set(simulation, MetricStore.fromPlain(plain, simulation.state));
}
