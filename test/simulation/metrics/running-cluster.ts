import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { createEventQueue } from '../../../src/simulation/event-queue.js';
import { createJvm } from '../../../src/simulation/jvm/index.js';
import { createKafkaState } from '../../../src/simulation/kafka/index.js';
import { createLog } from '../../../src/simulation/logs/append-log.js';
import type { JobEdgeModel, JobModel, OperatorModel } from '../../../src/simulation/model/job-model.js';
import type { KafkaTopicModel } from '../../../src/simulation/model/simulation-model.js';
import { readMeters } from '../../../src/simulation/network/meters.js';
import { inOneGo } from '../../../src/simulation/parts.js';
import { EXECUTION_STATES, EXECUTION_STATE_INDEX, JOB_STATUSES, type JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { METERED_COLUMNS, METER_INTERVAL_MS, createSubtaskColumns, type MeteredColumn } from '../../../src/simulation/state/subtask-columns.js';
import { taskManager, twoTaskManagers } from '../fixture.js';

/** Metric names and values of real clusters: of the recorded script's job by version, of the Kafka and operators jobs by recording. */
export type RecordedMetrics = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>> & readonly string[]>>>>;

export function recordedMetrics(): RecordedMetrics {
  return JSON.parse(gunzipSync(readFileSync(new URL('../../golden/metrics.json.gz', import.meta.url))).toString('utf8')) as RecordedMetrics;
}

export const TOPIC = 'mf.streaming.nlp.documents';

export function operator(name: string, overrides: Partial<OperatorModel> = {}): OperatorModel {
  return { id: name, name, kind: 'map', serviceTimeUs: 1000, selectivity: 1, outputRecordBytes: 100, state: null, source: null, sink: null, window: null, async: null, failure: null, ...overrides };
}

export const sink = (name: string): OperatorModel => operator(name, { kind: 'sink', selectivity: 0 });
export const windowed = (name: string): OperatorModel => operator(name, { kind: 'window', window: { sizeMs: 5000, slideMs: 5000 } });
export const generator = (name: string, legacy = false): OperatorModel =>
  operator(name, { kind: 'source', source: { kind: 'generator', rateSteps: [{ afterMs: 0, recordsPerSecond: 100, rampMs: 0 }], recordLimit: null, legacy, maxOutOfOrdernessMs: 0 } });
export const kafka = (name: string, legacy = false): OperatorModel =>
  operator(name, { kind: 'source', source: { kind: 'kafka', topic: TOPIC, groupId: 'mf.streaming.nlp.v1', startFrom: 'latest', legacy, maxOutOfOrdernessMs: 2000 } });

/** A job of chains, one vertex each; edges lead from each to the next unless they are given as pairs of indices. */
export function chainJob(chains: readonly (readonly OperatorModel[])[], parallelism = 2, pairs: readonly (readonly [number, number])[] = chains.slice(1).map((_, i) => [i, i + 1] as const)): JobModel {
  const id = (index: number): string => index.toString(16).padStart(32, '0');
  return {
    jobId: null,
    name: 'chains',
    jobType: 'STREAMING',
    parallelism,
    maxParallelism: -1,
    vertices: chains.map((operators, index) => ({ id: id(index), name: operators.map((one) => one.name).join(' -> '), parallelism, maxParallelism: 128, slotSharingGroup: 'default', operators, description: null })),
    edges: pairs.map(([from, to]): JobEdgeModel => ({ sourceVertexId: id(from), targetVertexId: id(to), shipStrategy: 'REBALANCE', exchange: 'pipelined_bounded', fraction: 1, skew: null })),
    checkpointing: null,
    restartStrategy: null,
    userConfig: {},
    objectReuse: false,
    bufferTimeoutMs: 100,
    options: {},
  };
}

const JOB_ID = 'a'.repeat(32);

/** Two task managers and a job whose subtasks all run on the first: state made by hand, so that nothing but a test moves it. */
export function runningCluster(flinkVersion: string, jobModel: JobModel, options: Readonly<Record<string, string>> = {}): { state: SimulationState; job: JobState } {
  const topic: KafkaTopicModel = { name: TOPIC, partitions: 4, startOffset: 0, backlogPerPartition: 0, rateSteps: [], partitionShares: null, recordBytes: 224 };
  const base = twoTaskManagers(flinkVersion);
  const model = { ...base, options: { ...base.options, ...options }, kafka: { brokers: [{ id: 1, host: 'localhost', port: 8692 }], topics: [topic] } };
  const { startMs } = model;
  const taskManagers = [0, 1].map((index) => {
    const each = taskManager(index);
    return {
      ...each,
      id: `tm-${index}`,
      jmxPort: -1,
      status: 'REGISTERED' as const,
      startMs,
      registeredMs: startMs,
      lastHeartbeatMs: startMs,
      slots: Array.from({ length: each.slots }, (_, slot) => ({ index: slot, jobId: index === 0 && slot < jobModel.parallelism ? JOB_ID : null, slotSharingGroup: null, allocationId: null })),
      totalMemorySegments: 2048,
      usedMemorySegments: 64,
      jvm: createJvm(model, 'taskmanager', startMs, 400 * 2 ** 20, 64 * 2 ** 20),
      log: createLog(),
      stdout: createLog(),
    };
  });
  const timestamps = new Float64Array(EXECUTION_STATES.length);
  timestamps[EXECUTION_STATE_INDEX.INITIALIZING] = startMs - 200;
  timestamps[EXECUTION_STATE_INDEX.RUNNING] = startMs;
  const statusTimestamps = new Float64Array(JOB_STATUSES.length);
  statusTimestamps[JOB_STATUSES.indexOf('CREATED')] = startMs - 300;
  statusTimestamps[JOB_STATUSES.indexOf('RUNNING')] = startMs - 250;
  const job = {
    id: JOB_ID,
    name: jobModel.name,
    model: jobModel,
    status: 'RUNNING',
    statusTimestamps,
    startMs: startMs - 300,
    endMs: -1,
    numRestarts: 0,
    checkpoints: null,
    network: { edges: [], vertices: jobModel.vertices.map(({ parallelism }) => ({ running: new Uint8Array(parallelism).fill(1), startedMs: new Float64Array(parallelism).fill(startMs - 1), watermarks: null })) },
    vertices: jobModel.vertices.map((vertex) => ({
      id: vertex.id,
      model: vertex,
      parallelism: vertex.parallelism,
      maxParallelism: 128,
      slotSharingGroupId: 'default',
      columns: createSubtaskColumns(vertex.parallelism),
      subtasks: Array.from({ length: vertex.parallelism }, (_, index) => ({
        index,
        priorAttempts: [],
        current: { attemptNumber: 0, attemptId: `attempt-${vertex.id}-${index}`, state: 'RUNNING', timestamps: timestamps.slice(), taskManagerId: 'tm-0', host: 'localhost', dataPort: 38475, slotIndex: index, finalMetrics: null, failureCause: null },
      })),
    })),
  } as unknown as JobState;
  // Running a moment longer than since the first update of the meters, which takes them up: their first reading is the one after it.
  for (const { columns } of job.vertices) columns.busyMs.fill(1);
  const state = {
    model,
    nowMs: startMs,
    ticks: 0,
    options: { ...model.options },
    queue: createEventQueue(),
    jobManager: { host: 'localhost', rpcPort: 9501, restPort: 8501, startMs, jvm: createJvm(model, 'jobmanager', startMs, 512 * 2 ** 20, 0), log: createLog(), stdout: createLog() },
    taskManagers: new Map(taskManagers.map((each) => [each.id, each])),
    jobs: new Map([[job.id, job]]),
    kafka: createKafkaState(model),
    checkpointStorage: { bytesPerSecond: null, latencyMs: 0, failing: false, existingPaths: [] },
    operations: new Map(),
    rpcEndpoints: 0,
    idSequence: 0,
    revision: 0,
  } as unknown as SimulationState;
  return { state, job };
}

/** Lets time pass: each metered column grows by so much a second in every subtask, and meters are read every 5 s. */
export function runFor(state: SimulationState, seconds: number, perSecond: Partial<Record<MeteredColumn, number>>): void {
  for (let s = 0; s < seconds; s++) {
    state.nowMs += 1000;
    for (const job of state.jobs.values()) {
      for (const { columns } of job.vertices) for (const column of METERED_COLUMNS) for (let i = 0; i < columns[column].length; i++) columns[column][i] += perSecond[column] ?? 0;
      if ((state.nowMs - state.model.startMs) % METER_INTERVAL_MS === 0) inOneGo(readMeters(state, job));
    }
  }
}
