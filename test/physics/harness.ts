/** A job that runs by itself: all subtasks RUNNING from the start, checkpoints without a coordinator. For tests of the flow model. */
import { createEventQueue } from '../../src/simulation/event-queue.js';
import { createKafkaState } from '../../src/simulation/kafka/index.js';
import type { CheckpointingModel, JobEdgeModel, JobModel, JobVertexModel, OperatorModel, SkewModel } from '../../src/simulation/model/job-model.js';
import { meterWindows, timerGauge } from '../../src/simulation/metrics/meter-view.js';
import type { SimulationModel } from '../../src/simulation/model/simulation-model.js';
import { createJobNetwork, injectBarrier, readMeters, startSubtask, tickJob, type BarrierAck, type NetworkEvents } from '../../src/simulation/network/index.js';
import { logNormal } from '../../src/simulation/random.js';
import type { CheckpointState } from '../../src/simulation/state/checkpoint-state.js';
import { EXECUTION_STATE_INDEX, EXECUTION_STATES, JOB_STATUSES, type JobState } from '../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../src/simulation/state/simulation-state.js';
import { METER_INTERVAL_MS, createSubtaskColumns, type MeteredColumn } from '../../src/simulation/state/subtask-columns.js';
import { inOneGo } from '../../src/simulation/parts.js';

export function operator(fields: Partial<OperatorModel> & { id: string }): OperatorModel {
  return {
    name: fields.id,
    kind: 'map',
    serviceTimeUs: 0,
    selectivity: 1,
    outputRecordBytes: 100,
    state: null,
    source: null,
    sink: null,
    window: null,
    async: null,
    failure: null,
    ...fields,
  };
}

export function vertex(id: string, parallelism: number, operators: readonly OperatorModel[], maxParallelism = -1): JobVertexModel {
  return { id, name: id, parallelism, maxParallelism, slotSharingGroup: 'default', operators, description: null };
}

export function edge(sourceVertexId: string, targetVertexId: string, shipStrategy: JobEdgeModel['shipStrategy'], skew: SkewModel | null = null, fraction = 1): JobEdgeModel {
  return { sourceVertexId, targetVertexId, shipStrategy, exchange: 'pipelined_bounded', fraction, skew };
}

export function generator(recordsPerSecond: number, options: { legacy?: boolean; recordLimit?: number | null } = {}): OperatorModel['source'] {
  return { kind: 'generator', rateSteps: [{ afterMs: 0, recordsPerSecond, rampMs: 0 }], recordLimit: options.recordLimit ?? null, legacy: options.legacy ?? false, maxOutOfOrdernessMs: null };
}

export function checkpointing(fields: Partial<CheckpointingModel> = {}): CheckpointingModel {
  return {
    intervalMs: 5000,
    timeoutMs: 600_000,
    minPauseMs: 0,
    maxConcurrent: 1,
    mode: 'EXACTLY_ONCE',
    unaligned: false,
    alignedTimeoutMs: 0,
    retention: 'NO_EXTERNALIZED_CHECKPOINTS',
    tolerableFailures: 0,
    afterTasksFinish: true,
    stateBackend: 'hashmap',
    incremental: false,
    ...fields,
  };
}

export function jobModel(vertices: readonly JobVertexModel[], edges: readonly JobEdgeModel[], fields: Partial<JobModel> = {}): JobModel {
  return {
    jobId: null,
    name: 'job',
    jobType: 'STREAMING',
    parallelism: 1,
    maxParallelism: -1,
    vertices,
    edges,
    checkpointing: null,
    restartStrategy: null,
    userConfig: {},
    objectReuse: false,
    bufferTimeoutMs: 100,
    options: {},
    ...fields,
  };
}

export interface FinishedCheckpoint {
  readonly id: number;
  readonly triggerMs: number;
  readonly durationMs: number;
  readonly processedBytes: number;
  readonly persistedBytes: number;
  readonly acknowledged: readonly BarrierAck[];
}

interface PendingCheckpoint {
  readonly state: CheckpointState;
  readonly acknowledged: BarrierAck[];
}

export interface RunOptions {
  readonly seed?: number;
  readonly tickMs?: number;
  readonly flinkVersion?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** See createJobNetwork; 0 = no all-to-all edge keeps its channels apart. */
  readonly exactChannelsPerSubtask?: number;
  /** Cores of each task manager, which its subtasks share then; left out = each subtask has one to itself. */
  readonly cores?: number;
  /** Task manager of a subtask; default: subtask i of every vertex on task manager i. */
  readonly placement?: (vertexIndex: number, subtask: number) => string;
}

/** A running job. */
export class JobRun {
  readonly state: SimulationState;
  readonly job: JobState;
  readonly startMs = 1_600_000_000_000;
  readonly checkpoints: FinishedCheckpoint[] = [];
  readonly failures: NetworkEvents['failures'] = [];
  readonly finished: NetworkEvents['finished'] = [];
  private pending: PendingCheckpoint[] = [];
  private nextTriggerMs: number;
  private nextCheckpointId = 1;
  private nextReadingMs: number;
  private readonly tickMs: number;

  constructor(model: JobModel, options: RunOptions = {}) {
    this.tickMs = options.tickMs ?? 50;
    const simulation: SimulationModel = {
      name: 'physics',
      seed: options.seed ?? 1,
      flinkVersion: options.flinkVersion ?? '1.20.5',
      startMs: this.startMs,
      timeZoneOffsetMinutes: 0,
      timeZoneName: 'UTC',
      tickMs: this.tickMs,
      options: options.options ?? {},
      cluster: { ...(options.cores === undefined ? {} : { cpuContention: true }), jobManager: { host: 'localhost', rpcPort: 6123, restPort: 8081, heapMaxBytes: 1 << 30 }, taskManagers: [] },
      kafka: { brokers: [], topics: [] },
      jobs: [],
      events: [],
    };
    this.state = {
      model: simulation,
      nowMs: this.startMs,
      ticks: 0,
      options: { ...simulation.options },
      queue: createEventQueue(),
      taskManagers: new Map(),
      jobs: new Map(),
      kafka: createKafkaState(simulation),
      operations: new Map(),
      idSequence: 0,
      revision: 0,
    } as Partial<SimulationState> as SimulationState;
    const place = options.placement ?? ((_v: number, subtask: number) => `tm-${subtask}`);
    this.job = runningJob(model, this.startMs, place);
    for (const { subtasks } of this.job.vertices) for (const { current } of subtasks) if (options.cores !== undefined) this.state.taskManagers.set(current.taskManagerId!, { id: current.taskManagerId!, cpuCores: options.cores } as never);
    this.job.network = createJobNetwork(this.state, this.job, options.exactChannelsPerSubtask);
    this.state.jobs.set(this.job.id, this.job);
    this.job.vertices.forEach((_, v) => this.job.vertices[v].subtasks.forEach((_, s) => startSubtask(this.state, this.job, v, s)));
    this.nextTriggerMs = this.startMs + (model.checkpointing?.intervalMs ?? Infinity);
    // Task managers read their meters at a phase of their own.
    this.nextReadingMs = this.startMs + METER_INTERVAL_MS / 2;
  }

  /** Checkpoints triggered so far. */
  get triggered(): number {
    return this.nextCheckpointId - 1;
  }

  get elapsedMs(): number {
    return this.state.nowMs - this.startMs;
  }

  /** Lets time pass, tick by tick; `each` sees the state after every tick. */
  advanceTo(elapsedMs: number, each?: () => void): void {
    while (this.elapsedMs < elapsedMs - 1e-6) {
      this.state.nowMs = Math.min(this.startMs + elapsedMs, this.state.nowMs + this.tickMs);
      const events = inOneGo(tickJob(this.state, this.job));
      this.failures.push(...events.failures);
      this.finished.push(...events.finished);
      this.acknowledge(events.acknowledged);
      if (this.state.nowMs >= this.nextReadingMs) {
        inOneGo(readMeters(this.state, this.job));
        this.nextReadingMs += METER_INTERVAL_MS;
      }
      this.trigger();
      each?.();
    }
  }

  private trigger(): void {
    const config = this.job.model.checkpointing;
    if (config === null || this.state.nowMs < this.nextTriggerMs || this.pending.length >= config.maxConcurrent) return;
    const state = { id: this.nextCheckpointId++, isSavepoint: false, unaligned: config.unaligned, triggerMs: this.state.nowMs } as CheckpointState;
    // Late checkpoints follow at once; the next regular one counts from here, as the coordinator's timer does.
    this.nextTriggerMs = Math.max(this.nextTriggerMs + config.intervalMs, this.state.nowMs);
    if (this.nextTriggerMs <= this.state.nowMs) this.nextTriggerMs = this.state.nowMs + config.intervalMs;
    this.pending.push({ state, acknowledged: [] });
    injectBarrier(this.state, this.job, state);
  }

  private acknowledge(acks: readonly BarrierAck[]): void {
    const tasks = this.job.vertices.reduce((sum, v) => sum + v.parallelism, 0);
    for (const ack of acks) this.pending.find((p) => p.state.id === ack.checkpointId)?.acknowledged.push(ack);
    for (const pending of [...this.pending]) {
      const completedMs = pending.acknowledged.length === tasks ? this.completionMs(pending) : Infinity;
      if (completedMs > this.state.nowMs) continue;
      this.pending.splice(this.pending.indexOf(pending), 1);
      const { id, triggerMs } = pending.state;
      const sum = (value: (ack: BarrierAck) => number) => pending.acknowledged.reduce((total, ack) => total + value(ack), 0);
      this.checkpoints.push({
        id,
        triggerMs: triggerMs - this.startMs,
        durationMs: completedMs - triggerMs,
        processedBytes: sum((ack) => ack.processedBytes),
        persistedBytes: sum((ack) => ack.persistedBytes),
        acknowledged: pending.acknowledged,
      });
    }
  }

  /** Data in flight that was persisted goes to a file of the local machine; tasks answer, and the coordinator writes the metadata. */
  private completionMs({ state, acknowledged }: PendingCheckpoint): number {
    const last = Math.max(...acknowledged.map((ack) => ack.atMs));
    const persisted = acknowledged.reduce((total, ack) => total + ack.persistedBytes, 0);
    const { seed } = this.state.model;
    return last + persisted / 200_000 + logNormal(4, 0.6, seed, 'snapshot', state.id) + logNormal(6, 0.6, seed, 'ack', state.id);
  }

  /** A TimerGauge of 60 s over a metered column, ms a second. */
  perSecond(vertexIndex: number, column: MeteredColumn, subtask: number): number {
    const { columns, parallelism } = this.job.vertices[vertexIndex];
    return timerGauge(meterWindows(columns.history, parallelism, 60_000), column, subtask);
  }
}

function runningJob(model: JobModel, startMs: number, place: (vertexIndex: number, subtask: number) => string): JobState {
  const timestamps = new Float64Array(EXECUTION_STATES.length);
  timestamps[EXECUTION_STATE_INDEX.RUNNING] = startMs;
  return {
    id: 'f'.repeat(32),
    name: model.name,
    model,
    applicationId: '0'.repeat(32),
    status: 'RUNNING',
    statusTimestamps: new Float64Array(JOB_STATUSES.length),
    startMs,
    endMs: -1,
    lastModificationMs: startMs,
    vertices: model.vertices.map((vertexModel, v) => ({
      id: vertexModel.id,
      model: vertexModel,
      parallelism: vertexModel.parallelism,
      maxParallelism: vertexModel.maxParallelism,
      slotSharingGroupId: '0'.repeat(32),
      subtasks: Array.from({ length: vertexModel.parallelism }, (_, index) => ({
        index,
        current: { attemptNumber: 0, attemptId: `${v}_${index}`, state: 'RUNNING' as const, timestamps, taskManagerId: place(v, index), host: 'localhost', dataPort: 1, slotIndex: 0, finalMetrics: null, failureCause: null },
        priorAttempts: [],
      })),
      columns: createSubtaskColumns(vertexModel.parallelism),
    })),
    restartStrategy: { kind: 'none' },
    numRestarts: 0,
    restartTimesMs: [],
    checkpoints: null,
    exceptions: { rootException: null, executions: [], history: [] },
    network: null,
    restoredFrom: null,
    failureCause: null,
    schedulerType: 'Default',
  } as unknown as JobState;
}
