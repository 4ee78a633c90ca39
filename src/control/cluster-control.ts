import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { HttpFault } from '../http-faults/http-fault.js';
import type { HttpFaults } from '../http-faults/http-faults.js';
import type { KeptAnswer } from '../rest/answer-cache.js';
import type { RequestGate } from '../rest/create-app.js';
import type { ReportingKeeper } from '../reporters/reporting-state.js';
import type { ClockDriver } from '../server/clock-driver.js';
import type { VirtualClock } from '../server/clock.js';
import type { Simulation } from '../simulation/simulation.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { FlinkVersion } from '../versions/flink-versions.js';
import { ClusterSize } from './cluster-size.js';
import type { ConsoleRecorder } from './console/recorder.js';
import { EventControl } from './event-control.js';
import { EventFeed } from './event-feed.js';
import { FaultControl } from './fault-control.js';
import { HistoryControl } from './history-control.js';
import { JobControl, type KnownPrograms } from './job-control.js';
import { RequestJournal } from './journal.js';
import type { SnapshotStore } from './snapshot-store.js';
import { summarize, type StateSummary } from './state-summary.js';
import { TimeControl } from './time-control.js';
import { Turns } from './turns.js';

export interface ClusterControlOptions {
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  readonly driver: ClockDriver;
  readonly version: FlinkVersion;
  readonly httpFaults: HttpFaults;
  readonly initialFaults: readonly HttpFault[];
  readonly openAtMs: number;
  readonly jobTemplates: KnownPrograms;
  readonly snapshots: SnapshotStore;
  readonly journalEntries?: number;
  readonly reporting: ReportingKeeper;
  /** What the console shows of the past. */
  readonly recorder: ConsoleRecorder;
  readonly forgetAnswers: () => void;
  /** Time has passed, or something has happened. */
  readonly onChanged?: () => void;
  /** Lets nobody connect for a span of wall time. */
  readonly refuse: (forMs: number) => Promise<void>;
}

/** All that can be done to a simulated cluster from outside Flink's API: what the control API and the library offer. */
export class ClusterControl implements RequestGate {
  readonly clock: TimeControl;
  readonly events: EventControl;
  readonly jobs: JobControl;
  readonly cluster: ClusterSize;
  readonly faults: FaultControl;
  readonly journal: RequestJournal;
  readonly history: HistoryControl;
  readonly feed: EventFeed;
  readonly recorder: ConsoleRecorder;
  readonly version: FlinkVersion;
  readonly #simulation: Simulation;
  readonly #driver: ClockDriver;
  readonly #httpFaults: HttpFaults;

  constructor(options: ClusterControlOptions) {
    const { simulation, clock, driver, httpFaults, jobTemplates } = options;
    const { state } = simulation;
    this.#simulation = simulation;
    this.#driver = driver;
    this.#httpFaults = httpFaults;
    this.version = options.version;
    this.recorder = options.recorder;
    const turns = new Turns();
    this.clock = new TimeControl(simulation, clock, driver, turns);
    this.events = new EventControl(simulation, driver, jobTemplates);
    this.jobs = new JobControl(simulation, driver, jobTemplates, this.events);
    this.cluster = new ClusterSize(simulation, driver);
    this.faults = new FaultControl(httpFaults, state, options.refuse);
    this.journal = new RequestJournal(() => clock.now(), options.journalEntries);
    this.feed = new EventFeed(state);
    this.history = new HistoryControl({ ...options, turns });

    for (const fault of options.initialFaults) httpFaults.add(fault);
    const changed = options.onChanged ?? (() => undefined);
    driver.onAdvance = () => {
      changed();
      this.feed.look();
    };
    this.clock.onChange = () => this.feed.emit({ type: 'clock', atMs: clock.now(), speed: clock.speed, paused: clock.paused });
    this.events.onApplied = ({ atMs, action }) => {
      this.recorder.applied(atMs, action);
      changed();
      this.feed.emit({ type: 'event', atMs, action });
      this.feed.look();
    };
    this.history.onReset = () => {
      this.recorder.reset();
      changed();
      this.feed.forget();
      this.feed.emit({ type: 'reset', atMs: simulation.nowMs });
    };
    this.journal.subscribe((request) => this.feed.emit({ type: 'request', atMs: request.atMs, request }), () => this.feed.size > 0);
  }

  /** Everything there is; to be read, not written. */
  get state(): SimulationState {
    return this.#simulation.state;
  }

  /** Brings the state to now, before it is read. */
  catchUp(): void {
    this.#driver.catchUp();
  }

  summary(): StateSummary {
    this.catchUp();
    return summarize(this.#simulation.state);
  }

  admit(request: FastifyRequest, reply: FastifyReply, target: string, proceed: () => void): void {
    this.journal.observe(request, reply, target);
    this.#httpFaults.admit(request, reply, target, proceed);
  }

  admitsAtOnce(): boolean {
    return this.#httpFaults.size === 0;
  }

  answeredAtOnce(request: IncomingMessage, target: string, { status, body }: KeptAnswer): void {
    this.journal.noteAnswered(request, target, status, body);
  }

  close(): void {
    this.clock.close();
    this.history.close();
    this.#httpFaults.close();
  }

  /** All connections are closed. */
  closed(): void {
    this.#httpFaults.forgetDelays();
  }
}
