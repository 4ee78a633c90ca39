import { FLINK_MINORS } from '../../versions/flink-versions.js';
import { TRANSIENT_TASK_METRICS } from '../../versions/metrics/task-metrics.js';
import { coordinatorMetrics, fileMergingMetrics, fileMergingView, isDeployed, jobManagerMetrics, jobMetrics, registeredTaskManagers, taskManagerMetrics, taskManagerViews, vertexView } from '../../simulation/metrics/index.js';
import { durationOption } from '../../simulation/options.js';
import type { Simulation } from '../../simulation/simulation.js';
import type { ExecutionAttemptState, JobState } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { versionOf } from '../../simulation/version.js';
import type { EndpointContext } from '../endpoint.js';
import type { MetricFetch } from '../services.js';
import { inOneGo, type Parts } from '../../simulation/parts.js';
import { inParts, nextTurn } from '../turns.js';
import { isTerminal } from '../views/task-states.js';
import { ReadMetrics, type ComponentMetrics } from './component-metrics.js';
import { KeptAnswers, KeptLists } from './kept-answers.js';
import { TaskMetricStore, type Found, type SubtaskMetrics, type TaskMetricStoreState } from './task-metric-store.js';

export type { ComponentMetrics } from './component-metrics.js';
export type { SubtaskMetrics } from './task-metric-store.js';

const DEFAULT_UPDATE_INTERVAL_MS = 10_000;

/** Of a fetch: what a task manager costs beside a subtask, and after how much of it others have their turn. */
const WORK = { taskManager: 50, part: 1_000 };

interface JobMetricStore {
  metrics: ReadMetrics;
  readonly tasks: Map<string, TaskMetricStore>;
  readonly coordinators: Map<string, ReadMetrics>;
}

type Printed = ReadonlyMap<string, string>;

/** Plain data to go on from. */
export interface MetricStoreState {
  /** Start of the job manager's process that has fetched this, epoch ms. */
  readonly processStartMs: number;
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
  /** Names of the metrics of wide vertices. */
  readonly nameLists = new KeptLists();
  #jobManager = new ReadMetrics();
  #fetchIsDue = false;
  /** What is left of a fetch that comes home in parts. */
  #underWay: Parts<void> | null = null;
  #processStartMs: number;
  readonly #taskManagers = new Map<string, ReadMetrics>();
  readonly #jobs = new Map<string, JobMetricStore>();
  readonly #state: SimulationState;
  readonly #transientNames: ReadonlySet<string>;

  constructor(private readonly simulation: Pick<Simulation, 'state' | 'isUnderway'>) {
    const { state } = simulation;
    this.#state = state;
    this.#processStartMs = state.jobManager.startMs;
    const dropsTransient = FLINK_MINORS.indexOf(TRANSIENT_TASK_METRICS.since) <= versionOf(state).index;
    this.#transientNames = new Set(dropsTransient ? TRANSIENT_TASK_METRICS.names : []);
  }

  static fromPlain(plain: MetricStoreState, simulation: Simulation): MetricStore {
    const store = new MetricStore(simulation);
    store.#processStartMs = plain.processStartMs;
    store.lastUpdateMs = plain.lastUpdateMs;
    store.#fetchIsDue = plain.fetchIsDue;
    store.#jobManager = ReadMetrics.fromPlain(plain.jobManager);
    for (const [id, values] of plain.taskManagers) store.#taskManagers.set(id, ReadMetrics.fromPlain(values));
    for (const [id, { metrics, tasks, coordinators }] of plain.jobs) {
      store.#jobs.set(id, {
        metrics: ReadMetrics.fromPlain(metrics),
        tasks: mapValues(tasks, (task) => TaskMetricStore.fromPlain(task, store.#transientNames)),
        coordinators: mapValues(coordinators, (values) => ReadMetrics.fromPlain(values)),
      });
    }
    return store;
  }

  toPlain(): MetricStoreState {
    this.#finish();
    return {
      processStartMs: this.#processStartMs,
      lastUpdateMs: this.lastUpdateMs,
      fetchIsDue: this.#fetchIsDue,
      jobManager: this.#jobManager.toPlain(),
      taskManagers: mapValues(this.#taskManagers, (metrics) => metrics.toPlain()),
      jobs: mapValues(this.#jobs, ({ metrics, tasks, coordinators }) => ({ metrics: metrics.toPlain(), tasks: mapValues(tasks, (task) => task.toPlain()), coordinators: mapValues(coordinators, (values) => values.toPlain()) })),
    };
  }

  /** Says that metrics are of interest: fetches them unless that was done within the interval. */
  update(when: MetricFetch): void {
    // While a clock is held, answers do not change: what was under way comes home before the first of them.
    if (when !== 'behind-the-answer') this.#finish();
    const { nowMs, options, jobManager } = this.#state;
    if (jobManager.startMs !== this.#processStartMs) this.#forget();
    if (nowMs - this.lastUpdateMs <= durationOption(options, 'metrics.fetcher.update-interval', DEFAULT_UPDATE_INTERVAL_MS) || this.#underWay !== null) return;
    this.lastUpdateMs = nowMs;
    this.#fetchIsDue = true;
    if (when === 'at-once') this.complete();
    // Asynchronous in Flink: whoever asked is answered from what there was.
    else if (when === 'behind-the-answer') queueMicrotask(() => this.#fetchInParts());
  }

  /** A fetch that somebody's interest has begun comes home. */
  complete(): void {
    if (!this.#fetchIsDue) return;
    this.#fetchIsDue = false;
    this.#underWay = this.#fetch();
    this.#finish();
  }

  /** Another store takes its place: a fetch that is under way leads nowhere. */
  abandon(): void {
    this.#fetchIsDue = false;
    this.#underWay?.return();
    this.#underWay = null;
  }

  /** What a job manager has fetched is gone with its process; the next one begins with nothing. */
  #forget(): void {
    this.abandon();
    this.#processStartMs = this.#state.jobManager.startMs;
    this.lastUpdateMs = 0;
    this.#jobManager = new ReadMetrics();
    this.#taskManagers.clear();
    this.#jobs.clear();
    this.answers.clear();
    this.nameLists.clear();
  }

  #fetchInParts(): void {
    if (!this.#fetchIsDue) return;
    this.#fetchIsDue = false;
    const fetch = (this.#underWay = this.#fetch());
    // The state is of no instant while a step is under way.
    const pause = async (): Promise<void> => {
      do await nextTurn();
      while (this.simulation.isUnderway);
    };
    void inParts(fetch, pause).then(() => {
      if (this.#underWay === fetch) this.#underWay = null;
    });
  }

  #finish(): void {
    if (this.#underWay !== null) inOneGo(this.#underWay);
    this.#underWay = null;
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

  coordinators(jobId: string, vertexId: string): ComponentMetrics | undefined {
    return this.#jobs.get(jobId)?.coordinators.get(vertexId);
  }

  /**
   * Where it yields, what has come so far can be seen and the simulation may go on, as one task manager's answer comes before another's;
   * of a vertex all subtasks are of one instant. Yields by the work done, so that little of it is never interrupted.
   */
  *#fetch(): Parts<void> {
    let work = 0;
    const comesHome = (): void => {
      this.answers.clear();
      this.#state.revision++;
      work = 0;
    };
    const state = this.#state;
    const version = versionOf(state);
    this.#jobManager = ReadMetrics.of(jobManagerMetrics(state), state);
    for (const id of this.#jobs.keys()) if (!state.jobs.has(id)) this.#jobs.delete(id);
    const views = taskManagerViews(state);
    const registered = new Set(views.map(({ taskManager }) => taskManager.id));
    for (const id of this.#taskManagers.keys()) if (!registered.has(id)) this.#taskManagers.delete(id);
    for (const view of views) {
      // A dead one does not answer.
      if (view.taskManager.status !== 'REGISTERED') continue;
      this.#taskManagers.set(view.taskManager.id, ReadMetrics.of(taskManagerMetrics(version, view), view));
      work += WORK.taskManager;
      if (work < WORK.part) continue;
      comesHome();
      yield;
    }
    for (const job of state.jobs.values()) {
      const reachable = new Set(registeredTaskManagers(state).filter(({ status }) => status === 'REGISTERED').map(({ id }) => id));
      const store = this.#fetchJob(job, reachable);
      // Nothing was ever fetched of a job that ended too soon.
      if (!store) continue;
      for (let v = 0; v < job.vertices.length; v++) {
        this.#fetchVertex(job, v, store, reachable);
        work += job.vertices[v].parallelism;
        if (work < WORK.part) continue;
        comesHome();
        yield;
      }
    }
    comesHome();
  }

  #fetchJob(job: JobState, reachable: ReadonlySet<string>): JobMetricStore | undefined {
    const version = versionOf(this.#state);
    let store = this.#jobs.get(job.id);
    if (job.endMs >= 0) return store;
    const metrics = ReadMetrics.of(jobMetrics(version), { job, atMs: this.#state.nowMs, version });
    // What task managers tell of the job comes into the same place, the last one's word counts.
    for (const id of reachable) {
      const files = fileMergingView(this.#state, job, id);
      if (files) metrics.read(fileMergingMetrics(this.#state), files);
    }
    if (store) store.metrics = metrics;
    else this.#jobs.set(job.id, (store = { metrics, tasks: new Map(), coordinators: new Map() }));
    return store;
  }

  #fetchVertex(job: JobState, index: number, store: JobMetricStore, reachable: ReadonlySet<string>): void {
    const vertex = job.vertices[index];
    const found = vertex.subtasks.map(({ current }) => whatIsFound(current, reachable));
    const previous = store.tasks.get(vertex.id);
    if (!previous && !found.includes('live')) return;
    const known = previous?.parallelism === vertex.parallelism ? previous : null;
    store.tasks.set(vertex.id, TaskMetricStore.capture(vertexView(this.#state, job, index), found, Float64Array.from(vertex.subtasks, ({ current }) => current.attemptNumber), known, this.#transientNames));
    if (job.endMs < 0) store.coordinators.set(vertex.id, ReadMetrics.of(coordinatorMetrics(versionOf(this.#state), vertex), vertex));
  }
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

function whatIsFound(attempt: ExecutionAttemptState, reachable: ReadonlySet<string>): Found {
  if (isTerminal(attempt.state)) return 'terminal';
  return isDeployed(attempt.state) && attempt.taskManagerId !== null && reachable.has(attempt.taskManagerId) ? 'live' : 'nothing';
}

const STORES = new WeakMap<Simulation, MetricStore>();

/** The cluster's metric store. Whoever asks for it shows interest in its metrics. */
export function metricStoreOf(context: EndpointContext): MetricStore {
  let store = STORES.get(context.simulation);
  if (!store) STORES.set(context.simulation, (store = new MetricStore(context.simulation)));
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
  STORES.get(simulation)?.abandon();
  if (plain === null) STORES.delete(simulation);
  else STORES.set(simulation, MetricStore.fromPlain(plain, simulation));
}
