import type { HttpFault } from '../http-faults/http-fault.js';
import type { HttpFaults } from '../http-faults/http-faults.js';
import { EMPTY_REST_STATE, putRestState, takeRestState } from '../rest/rest-state.js';
import type { ReportingKeeper } from '../reporters/reporting-state.js';
import type { ClockDriver } from '../server/clock-driver.js';
import type { VirtualClock } from '../server/clock.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import { Simulation } from '../simulation/simulation.js';
import { ControlError } from './problem.js';
import { decodeSnapshot, encodeSnapshot, SnapshotError, type SnapshotContent } from './snapshot-format.js';
import type { SnapshotStore, StoredSnapshot } from './snapshot-store.js';
import type { Turns } from './turns.js';

export const MARK_LIMITS = { marks: 50, bytes: 512 * 1024 * 1024 };
export const START = 'start';
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;
const SLICE_MS = 8;

export interface Mark {
  readonly name: string;
  readonly atMs: number;
  readonly bytes: number;
}

export interface HistoryOptions {
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  readonly driver: ClockDriver;
  readonly httpFaults: HttpFaults;
  /** Those of the scenario, at its start. */
  readonly initialFaults: readonly HttpFault[];
  readonly openAtMs: number;
  readonly turns: Turns;
  readonly snapshots: SnapshotStore;
  /** What reporters remember goes back with the state. */
  readonly reporting: ReportingKeeper;
  /** Forgets answers that were kept. */
  readonly forgetAnswers: () => void;
}

/** Back to the start or to a mark; snapshots of everything there is. */
export class HistoryControl {
  private readonly marks = new Map<string, { readonly atMs: number; readonly bytes: Buffer }>();
  private readonly startModel: SimulationModel;
  private isClosed = false;
  onReset: () => void = () => undefined;

  constructor(private readonly options: HistoryOptions) {
    this.startModel = options.simulation.state.model;
  }

  /** Marks, the oldest first; `start` is always there. */
  listMarks(): Mark[] {
    return [{ name: START, atMs: this.startModel.startMs + this.options.openAtMs, bytes: 0 }, ...[...this.marks].map(([name, { atMs, bytes }]) => ({ name, atMs, bytes: bytes.length }))];
  }

  /** Remembers how everything is now; a mark of that name is replaced. */
  async mark(name: string): Promise<Mark> {
    if (!NAME.test(name) || name === START) throw new ControlError(400, `found the name ${JSON.stringify(name)}; allowed: letters, digits, \`_\`, \`.\`, \`-\`, at most 100, and not \`${START}\``);
    return this.options.turns.take(() => {
      this.options.driver.catchUp();
      const bytes = this.encode();
      const others = [...this.marks].filter(([other]) => other !== name);
      if (others.length >= MARK_LIMITS.marks) throw new ControlError(409, `there are ${MARK_LIMITS.marks} marks already; take one away`);
      if (others.reduce((sum, [, mark]) => sum + mark.bytes.length, bytes.length) > MARK_LIMITS.bytes) throw new ControlError(507, `marks may take ${MARK_LIMITS.bytes} bytes in all; take one away`);
      const atMs = this.options.simulation.nowMs;
      this.marks.delete(name);
      this.marks.set(name, { atMs, bytes });
      return { name, atMs, bytes: bytes.length };
    });
  }

  removeMark(name: string): void {
    if (name === START) throw new ControlError(409, `the mark ${START} stays`);
    if (!this.marks.delete(name)) throw this.unknownMark(name);
  }

  /** Back to the start (with another seed, where one is given) or to a mark. HTTP faults go back too; the journal stays. */
  async reset(to: string = START, seed?: number): Promise<void> {
    if (seed !== undefined && (!Number.isInteger(seed) || seed < 0 || seed > 4_294_967_295)) throw new ControlError(400, `found the seed ${seed}; allowed: 0 to 4294967295`);
    if (seed !== undefined && to !== START) throw new ControlError(409, `a seed holds from the start on; allowed: to ${START}`);
    if (to !== START && !this.marks.has(to)) throw this.unknownMark(to);
    await this.options.turns.take(async () => {
      const mark = this.marks.get(to);
      if (mark) this.put(decodeSnapshot(mark.bytes).content);
      else if (to !== START) throw this.unknownMark(to);
      else this.put(await this.atStart(seed ?? this.options.simulation.state.model.seed));
    });
  }

  /** The server closes: what is played anew is given up, as it would keep the process. */
  close(): void {
    this.isClosed = true;
  }

  /** Everything there is, as bytes: restored, it goes on byte for byte as if nothing had happened. */
  async snapshot(): Promise<Buffer> {
    return this.options.turns.take(() => {
      this.options.driver.catchUp();
      return this.encode();
    });
  }

  /** Goes on from a snapshot; what cannot be used is refused, and nothing has changed then. */
  async restore(bytes: Buffer): Promise<void> {
    await this.options.turns.take(() => {
      const { content } = decoded(bytes);
      const { flinkVersion } = this.options.simulation.state.model;
      const its = content.state.model.flinkVersion;
      if (its !== flinkVersion) throw new ControlError(409, `the snapshot is of Flink ${its}, this server plays ${flinkVersion}; start one with --flink-version ${its}`);
      this.put(content);
    });
  }

  async save(name: string): Promise<StoredSnapshot> {
    checkName(name);
    return this.options.snapshots.write(name, await this.snapshot());
  }

  async restoreSaved(name: string): Promise<void> {
    checkName(name);
    await this.restore(await this.options.snapshots.read(name));
  }

  async readSaved(name: string): Promise<Buffer> {
    checkName(name);
    return this.options.snapshots.read(name);
  }

  async listSaved(): Promise<StoredSnapshot[]> {
    return this.options.snapshots.list();
  }

  async removeSaved(name: string): Promise<void> {
    checkName(name);
    await this.options.snapshots.remove(name);
  }

  private encode(): Buffer {
    const { simulation, httpFaults, reporting } = this.options;
    return encodeSnapshot({ state: simulation.state, rest: takeRestState(simulation), httpFaults: httpFaults.list(), reporting: reporting.take() });
  }

  /** Played anew up to the instant at which the scenario opens, giving way to other work. */
  private async atStart(seed: number): Promise<SnapshotContent> {
    const model = { ...this.startModel, seed };
    const fresh = new Simulation(model);
    const endMs = model.startMs + this.options.openAtMs;
    let sliceEndMs = performance.now() + SLICE_MS;
    while (fresh.nowMs < endMs) {
      if (this.isClosed) throw new ControlError(503, 'the server closes; nothing was reset');
      fresh.advanceTo(Math.min(endMs, fresh.nowMs + model.tickMs));
      if (performance.now() < sliceEndMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndMs = performance.now() + SLICE_MS;
    }
    const { initialFaults } = this.options;
    return { state: fresh.state, rest: EMPTY_REST_STATE, httpFaults: initialFaults.map((fault) => ({ fault, matched: 0, struck: 0, kept: new Map(), keptBytes: 0 })) };
  }

  private put({ state, rest, httpFaults, reporting = null }: SnapshotContent): void {
    const { simulation, clock } = this.options;
    simulation.replaceState(state);
    putRestState(simulation, rest);
    this.options.httpFaults.restore(httpFaults);
    this.options.reporting.put(reporting);
    this.options.forgetAnswers();
    clock.setBack(simulation.nowMs);
    this.onReset();
  }

  private unknownMark(name: string): ControlError {
    return new ControlError(404, `there is no mark ${JSON.stringify(name)}; allowed: ${this.listMarks().map((mark) => mark.name).join(', ')}`);
  }
}

function checkName(name: string): void {
  if (!NAME.test(name)) throw new ControlError(400, `found the name ${JSON.stringify(name)}; allowed: letters, digits, \`_\`, \`.\`, \`-\`, at most 100`);
}

function decoded(bytes: Buffer): ReturnType<typeof decodeSnapshot> {
  try {
    return decodeSnapshot(bytes);
  } catch (error) {
    if (error instanceof SnapshotError) throw new ControlError(400, error.message);
    throw error;
  }
}
