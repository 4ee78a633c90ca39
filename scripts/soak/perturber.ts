import { ControlClient } from '../../src/library/control-client.js';
import type { EventInput } from '../../src/control/live-action.js';
import type { HttpFaultInput } from '../../src/scenario/schema/http-fault-schema.js';
import type { Client } from './client.js';
import type { Disturbances } from './disturbances.js';
import type { Random } from './random.js';

const HTTP_FAULTS: readonly HttpFaultInput[] = [
  { latency: '100 ms' },
  { latency: { mean: '50 ms', jitter: '40 ms' } },
  { latency: { median: '30 ms', spread: 1, max: '500 ms' } },
  { error: { status: 500, message: 'Ask timed out', exception: 'java.util.concurrent.TimeoutException' } },
  { error: { status: 404 } },
  { unavailable: true },
  { rateLimit: { requests: 2, per: '200 ms' } },
  { connection: 'reset' },
  { connection: 'close' },
  { connection: 'hang' },
  { connection: 'close-mid-body' },
  { body: 'truncated' },
  { body: 'malformed' },
  { body: 'empty' },
  { body: 'html' },
  { contentType: 'text/html' },
  { stale: true },
  { drip: { over: '200 ms', chunks: 4 } },
  { answers: [{ status: 503, text: 'later' }, { json: { jobs: [] } }] },
  { override: { '/jobs/0/state': 'FAILED' } },
];
const FAULT_PATHS = ['/overview', '/jobs/overview', '/jobs/:jobid', '/jobs/:jobid/checkpoints', '/jobs/*/vertices/**', '/taskmanagers', '/taskmanagers/**', '/jobmanager/**', '/jobs/:jobid/savepoints'];

/** Weather of the simulated cluster; what needs the job manager to come back is OUTAGES. */
const EVENTS: readonly EventInput[] = [
  { killTaskManager: { taskManager: 0 } },
  { addTaskManagers: { count: 1 } },
  { pauseTaskManager: { taskManager: 0, for: '15 s' } },
  { partitionTaskManager: { taskManager: 0, for: '60 s' } },
  { collectGarbage: { taskManager: 0, for: '8 s' } },
  { outOfMemory: { taskManager: 0 } },
  { failSubtask: { job: 'orders', operator: 'Enrich', subtask: 1 } },
  { failJob: { job: 'orders', message: 'coordinator lost' } },
  { setFailure: { job: 'orders', operator: 'Enrich', afterRecords: 50_000, message: 'poisoned record' } },
  { setSinkCapacity: { job: 'orders', operator: 'Database: Writer', capacity: '150/s' } },
  { setServiceTime: { job: 'orders', operator: 'Enrich', serviceTime: '12 ms' } },
  { setServiceTime: { job: 'orders', operator: 'Enrich', serviceTime: '2 ms' } },
  { setSelectivity: { job: 'orders', operator: 'Enrich', selectivity: 2 } },
  { setRecordSize: { job: 'orders', operator: 'Enrich', recordSize: '2 KiB' } },
  { setSkew: { job: 'orders', operator: 'Count', skew: { hotKeys: [{ key: 'de', share: 0.8 }] } } },
  { setTopicRate: { topic: 'orders', rate: '900/s' } },
  { setTopicRate: { topic: 'orders', rate: '200/s' } },
  { burst: { topic: 'orders', rate: '2000/s', for: '20 s' } },
  { setSourceRate: { job: 'numbers', operator: 'Source: numbers', rate: '500/s' } },
  { setKafkaBroker: { state: 'stalled' } },
  { setKafkaBroker: { state: 'down' } },
  { setKafkaBroker: { state: 'up' } },
  { setKafkaFlakiness: { meanTimeBetweenDisconnects: '5 s' } },
  { setCheckpointStorage: { latency: '4 s' } },
  { setCheckpointStorage: { failing: true } },
  { setCheckpointStorage: { failing: false } },
  { declineCheckpoint: { job: 'orders' } },
  { failCheckpoint: { job: 'orders' } },
  { delayCheckpoint: { job: 'orders', by: '3 s' } },
  { expireCheckpoints: { job: 'orders' } },
  { jumpClock: { by: '10 min' } },
  { rescaleJob: { job: 'numbers', parallelism: 1 } },
  { triggerSavepoint: { job: 'numbers' } },
];
const OUTAGES: readonly EventInput[] = [{ crashJobManager: { restartAfter: '60 s' } }, { failOverJobManager: {} }, { revokeLeadership: { for: '30 s' } }];

const NAMES = ['one', 'two', 'three'];
const BACK_WITHIN_MS = 60_000;
/** Copies of jobs, and listening again, may take this much longer than the first answer. */
const SETTLING_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Does to the cluster, one thing after the other, what the control API offers, and writes down what clients may see of it. */
export class Perturber {
  /** How often each was done. */
  readonly done: Record<string, number> = {};
  readonly complaints: string[] = [];
  virtualMs = 0;
  readonly #control: ControlClient;
  readonly #marks = new Map<string, string[]>();
  readonly #saved = new Map<string, string[]>();
  readonly #removals: { readonly id: string; readonly atMs: number }[] = [];
  #ids = 0;
  #atMs = 0;

  constructor(
    controlUrl: string,
    private readonly flink: Client,
    private readonly disturbances: Disturbances,
    private readonly random: Random,
    private readonly speed: number,
    private readonly baseJobs: ReadonlySet<string>,
  ) {
    this.#control = new ControlClient(controlUrl);
  }

  private readonly actions: readonly { readonly name: string; readonly weight: number; readonly act: () => Promise<void> }[] = [
    { name: 'HTTP faults', weight: 30, act: () => this.addFault() },
    { name: 'domain faults', weight: 40, act: () => this.event(this.random.pick(EVENTS)) },
    { name: 'job manager outages', weight: 4, act: () => this.out(() => this.event(this.random.pick(OUTAGES))) },
    { name: 'refused connections', weight: 1, act: () => this.out(() => this.#control.faults.refuseConnections(200)) },
    { name: 'resets', weight: 5, act: () => this.travel([], () => this.#control.history.reset()) },
    { name: 'other seeds', weight: 2, act: () => this.travel(null, () => this.#control.history.setSeed(Math.floor(this.random.next() * 1_000_000))) },
    { name: 'marks', weight: 5, act: () => this.mark() },
    { name: 'resets to marks', weight: 3, act: () => this.toMark() },
    { name: 'saved snapshots', weight: 4, act: () => this.save() },
    { name: 'restored snapshots', weight: 3, act: () => this.restoreSaved() },
    { name: 'snapshots there and back', weight: 2, act: () => this.thereAndBack() },
    { name: 'pauses', weight: 2, act: () => this.hold() },
    { name: 'advances', weight: 2, act: async () => void (await this.#control.clock.advanceBy(60_000)) },
    { name: 'waits', weight: 2, act: async () => void (await this.#control.clock.waitUntil({ checkpointCompleted: { job: 'numbers' } }, 1_000)) },
  ];

  /** One thing, and whatever is due to end. */
  async next(): Promise<void> {
    const { name, act } = this.random.weighted(this.actions);
    try {
      await this.endFaults();
      await act();
      this.done[name] = (this.done[name] ?? 0) + 1;
      await this.passed();
    } catch (error) {
      this.complaints.push(`${name}: ${(error as Error).message}`);
    }
    this.disturbances.forget(performance.now(), new Set([...this.#marks.values(), ...this.#saved.values()].flat()));
  }

  /** Nothing more is asked for; faults are taken away. */
  async finish(): Promise<void> {
    await this.#control.faults.clear();
    this.disturbances.replace([], performance.now(), performance.now());
  }

  private async passed(): Promise<void> {
    const { nowMs } = await this.#control.clock.get();
    if (nowMs > this.#atMs && this.#atMs > 0) this.virtualMs += nowMs - this.#atMs;
    this.#atMs = nowMs;
  }

  private async addFault(): Promise<void> {
    const id = `f${++this.#ids}`;
    const fault = { ...this.random.pick(HTTP_FAULTS), id, path: this.random.pick(FAULT_PATHS), probability: this.random.pick([0.2, 0.5, 1]) } as HttpFaultInput;
    this.disturbances.add(id, fault, performance.now());
    await this.#control.faults.add(fault);
    this.#removals.push({ id, atMs: performance.now() + this.random.between(300, 3_000) });
  }

  private async endFaults(): Promise<void> {
    const now = performance.now();
    for (const { id } of this.#removals.filter(({ atMs }) => atMs <= now)) await this.removeFault(id);
    // Those that a restored snapshot brought back.
    for (const id of this.disturbances.inForce) if (!this.#removals.some((removal) => removal.id === id)) await this.removeFault(id);
  }

  private async removeFault(id: string): Promise<void> {
    if (this.disturbances.inForce.includes(id)) await this.#control.faults.remove(id);
    this.disturbances.remove(id, performance.now());
    const at = this.#removals.findIndex((removal) => removal.id === id);
    if (at >= 0) this.#removals.splice(at, 1);
  }

  private async event(event: EventInput): Promise<void> {
    try {
      await this.#control.events.apply(event);
    } catch (error) {
      // There may be no task manager left, or no such job before it is recovered: said so, and nothing has happened.
      if (!/no task manager|is no task manager|no job|not running|there (is|are) no/i.test((error as Error).message)) throw error;
    }
    // Losses are made good, so that there is a cluster to disturb.
    if ((await this.#control.cluster.get()).taskManagers < 2) await this.#control.events.apply({ addTaskManagers: { count: 2 } });
  }

  /** While the job manager is away, and until it leads and knows its jobs again, clients get errors. */
  private async out(begin: () => Promise<void>): Promise<void> {
    const outage = this.disturbances.outage(performance.now());
    await begin();
    const sinceMs = performance.now();
    let isBack = false;
    while (!isBack && performance.now() - sinceMs < BACK_WITHIN_MS) {
      await pause(50);
      const answers = await Promise.all(['/taskmanagers', ...[...this.baseJobs].map((id) => `/jobs/${id}/config`)].map((target) => this.flink.ask('GET', target)));
      const isFaulty = ({ target, fromMs, untilMs }: (typeof answers)[number]): boolean => {
        const effect = this.disturbances.effectsOn(target, fromMs, untilMs);
        return effect.cuts || effect.changesBody || effect.statuses.length > 0;
      };
      isBack = answers.every((answer) => answer.status === 200 || isFaulty(answer));
    }
    if (!isBack) this.complaints.push(`the job manager did not come back within ${BACK_WITHIN_MS / 1000} s`);
    await pause(SETTLING_MS);
    outage.end(performance.now());
  }

  /** To another time, in which those faults are in force (null: the same as now). */
  private async travel(faults: readonly string[] | null, go: () => Promise<unknown>): Promise<void> {
    // Where it goes the job manager may be away.
    const outage = this.disturbances.outage(performance.now());
    const fromMs = performance.now();
    this.disturbances.epoch++;
    // Those that come into force there may be met before it is known that it is done.
    this.disturbances.replace([...this.disturbances.inForce, ...(faults ?? [])], fromMs, fromMs);
    try {
      await go();
      const listed = (await this.#control.faults.list()).map(({ id }) => id);
      if (faults !== null && listed.toSorted().join() !== faults.toSorted().join()) this.complaints.push(`faults after it: ${listed.join()} instead of ${faults.join()}`);
      this.disturbances.replace(listed, fromMs, performance.now());
      this.#removals.splice(0);
      this.#atMs = 0;
      // Faults that a snapshot brought back would hold up whoever looks whether the job manager is there.
      await pause(200);
      await this.endFaults();
    } finally {
      this.disturbances.epoch++;
      await this.out(async () => undefined);
      outage.end(performance.now());
    }
  }

  private async mark(): Promise<void> {
    const name = this.random.pick(NAMES);
    if (this.#marks.has(name)) await this.#control.history.removeMark(name);
    this.#marks.delete(name);
    await this.#control.history.mark(name);
    this.#marks.set(name, this.disturbances.inForce);
  }

  private async toMark(): Promise<void> {
    const [name, faults] = this.random.pick([...this.#marks]) ?? [];
    if (name !== undefined) await this.travel(faults!, () => this.#control.history.reset(name));
  }

  private async save(): Promise<void> {
    const name = this.random.pick(NAMES);
    const faults = this.disturbances.inForce;
    await this.#control.history.save(name);
    this.#saved.set(name, faults);
  }

  private async restoreSaved(): Promise<void> {
    const [name, faults] = this.random.pick([...this.#saved]) ?? [];
    if (name !== undefined) await this.travel(faults!, () => this.#control.history.restoreSaved(name));
  }

  private async thereAndBack(): Promise<void> {
    const bytes = await this.#control.history.snapshot();
    const faults = this.disturbances.inForce;
    await pause(100);
    await this.travel(faults, () => this.#control.history.restore(bytes));
  }

  private async hold(): Promise<void> {
    await this.#control.clock.pause();
    await pause(200);
    await this.#control.clock.resume();
    await this.#control.clock.setSpeed(this.speed / 10);
    await pause(200);
    await this.#control.clock.setSpeed(this.speed);
  }
}
