import { readFile } from 'node:fs/promises';
import type { ClusterControl } from '../control/cluster-control.js';
import { writeWhole } from '../control/snapshot-store.js';
import type { StateCondition } from '../control/conditions.js';
import type { Duration } from '../control/time-control.js';
import type { RunningServer } from '../server/start-server.js';
import type { Simulation } from '../simulation/simulation.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { createInterceptor, type Interceptor } from './interceptor.js';
import { interceptGlobally } from './global-dispatcher.js';
import { injectRequest } from './inject.js';

/** A simulated cluster in this process. */
export class MockFlink implements AsyncDisposable {
  /** Where Flink's REST API is; http://flink:8081 when it does not listen. */
  readonly url: string;
  /** Where the control API is, for other processes; null when it is off. */
  readonly controlUrl: string | null;
  readonly simulation: Simulation;
  readonly #server: RunningServer;
  readonly #restore: (() => void)[] = [];

  constructor(server: RunningServer) {
    this.#server = server;
    this.url = server.url;
    this.controlUrl = server.controlUrl;
    this.simulation = server.simulation;
  }

  get #control(): ClusterControl {
    return this.#server.control;
  }

  /** Holds, moves and paces virtual time. */
  get clock(): ClusterControl['clock'] {
    return this.#control.clock;
  }

  /** What a scenario's timeline can do, live. */
  get events(): ClusterControl['events'] {
    return this.#control.events;
  }

  get jobs(): ClusterControl['jobs'] {
    return this.#control.jobs;
  }

  get cluster(): ClusterControl['cluster'] {
    return this.#control.cluster;
  }

  /** Faults of the HTTP server. */
  get faults(): ClusterControl['faults'] {
    return this.#control.faults;
  }

  /** Requests so far. */
  get journal(): ClusterControl['journal'] {
    return this.#control.journal;
  }

  /** Marks, reset, snapshots. */
  get history(): ClusterControl['history'] {
    return this.#control.history;
  }

  /** What happens, as it happens. */
  get feed(): ClusterControl['feed'] {
    return this.#control.feed;
  }

  /** Everything there is; to be read, not written. */
  get state(): SimulationState {
    return this.#control.state;
  }

  /** What there is, at a glance. */
  summary(): ReturnType<ClusterControl['summary']> {
    return this.#control.summary();
  }

  /** Milliseconds, or text such as `10 min`. */
  advanceBy(duration: Duration): Promise<void> {
    return this.clock.advanceBy(duration);
  }

  /** Advances until a condition (or a function of the state) holds; throws ConditionNotMet beyond the limit, by default an hour of virtual time. */
  advanceUntil(condition: StateCondition, limit?: Duration): Promise<void> {
    return this.clock.advanceUntil(condition, limit);
  }

  /** Asks the REST API without a socket; a path, or a URL below `url`. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return injectRequest(this.#server.app, path.startsWith('http') ? new URL(path).pathname + new URL(path).search : path, init);
  }

  /** For undici: `new Agent().compose(flink.interceptor('http://flink:8081'))` answers these origins without a socket. */
  interceptor(...origins: readonly string[]): Interceptor {
    return createInterceptor(this.#server.app, origins.length > 0 ? origins : [this.url]);
  }

  /** Lets fetch (Node's and undici's global dispatcher) answer these origins without a socket, until disposed of or the cluster closes. */
  intercept(...origins: readonly string[]): Disposable {
    const undo = interceptGlobally(this.interceptor(...origins));
    this.#restore.push(undo);
    return { [Symbol.dispose]: undo };
  }

  /** Everything there is, as bytes. */
  snapshot(): Promise<Buffer> {
    return this.history.snapshot();
  }

  /** Writes a snapshot; the file is there whole, or as it was. */
  async saveSnapshot(file: string): Promise<void> {
    await writeWhole(file, await this.snapshot());
  }

  /** Goes on from a snapshot: bytes, or a file. */
  async restore(snapshot: Buffer | string): Promise<void> {
    await this.history.restore(typeof snapshot === 'string' ? await readFile(snapshot) : snapshot);
  }

  /** Back to the start, or to a mark. */
  reset(to?: string): Promise<void> {
    return this.history.reset(to);
  }

  /** Nothing stays behind: no port, no timer, no file. */
  async close(): Promise<void> {
    for (const undo of this.#restore.splice(0).reverse()) undo();
    await this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
