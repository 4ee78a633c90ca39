import type { CheckpointingModel, JobEdgeModel, JobModel, JobVertexModel, OperatorModel, RestartStrategyModel } from '../../src/simulation/model/job-model.js';
import type { JobSubmissionModel, SimulationModel, TaskManagerModel } from '../../src/simulation/model/simulation-model.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';

const MIB = 1024 * 1024;

/** Task manager `index` of the recorded clusters: 4 slots, 64 MiB of network buffers. */
export function taskManager(index: number, overrides: Partial<TaskManagerModel> = {}): TaskManagerModel {
  return {
    id: null,
    host: 'localhost',
    rpcPort: [37805, 37993, 40113, 41207][index % 4]! + 10 * Math.floor(index / 4),
    dataPort: [38475, 36991, 44911, 46109][index % 4]! + 10 * Math.floor(index / 4),
    slots: 4,
    cpuCores: 2,
    physicalMemoryBytes: 25276514304,
    memory: {
      frameworkHeapBytes: 128 * MIB,
      taskHeapBytes: 200 * MIB,
      frameworkOffHeapBytes: 64 * MIB,
      taskOffHeapBytes: 0,
      networkBytes: 64 * MIB,
      managedBytes: 64 * MIB,
      jvmMetaspaceBytes: 128 * MIB,
      jvmOverheadBytes: 64 * MIB,
    },
    ...overrides,
  };
}

/** The cluster of the recordings: two task managers of four slots, fixed-delay restarts 3 × 2 s. */
export function twoTaskManagers(flinkVersion: string, overrides: Partial<SimulationModel> = {}): SimulationModel {
  const major2 = parseFlinkVersion(flinkVersion)!.full.startsWith('2.');
  return {
    name: 'two task managers',
    seed: 1,
    flinkVersion,
    startMs: Date.UTC(2026, 10, 29, 12, 0, 0),
    timeZoneOffsetMinutes: 0,
    timeZoneName: 'UTC',
    tickMs: 100,
    options: {
      'jobmanager.rpc.address': 'localhost',
      'jobmanager.rpc.port': '9501',
      'rest.port': '8501',
      'rest.address': 'localhost',
      'taskmanager.numberOfTaskSlots': '4',
      'state.checkpoints.dir': 'file:///data/flink/checkpoints',
      'state.savepoints.dir': 'file:///data/flink/savepoints',
      'execution.checkpointing.dir': 'file:///data/flink/checkpoints',
      'execution.checkpointing.savepoint-dir': 'file:///data/flink/savepoints',
      'rest.flamegraph.enabled': 'true',
      'metrics.fetcher.update-interval': '2000',
      'restart-strategy.type': 'fixed-delay',
      ...(major2 ? {} : { 'restart-strategy': 'fixed-delay' }),
      'restart-strategy.fixed-delay.attempts': '3',
      'restart-strategy.fixed-delay.delay': '2 s',
    },
    cluster: {
      jobManager: { host: 'localhost', rpcPort: 9501, restPort: 8501, heapMaxBytes: 512 * MIB },
      taskManagers: [taskManager(0), taskManager(1)],
    },
    kafka: { brokers: [], topics: [] },
    jobs: [],
    events: [],
    ...overrides,
  };
}

export const BP_VERTICES = {
  source: 'f362c87ffabe89c8a91fa7d0a523ba6c',
  parse: 'a0bcbe636c3291fd3f45c25deb2b0823',
  enrich: '9c32e3838cee893dbb2fc90ccad79598',
  sink: '2e588ce1c86a9d46e2e85186773ce4fd',
} as const;

/** The arguments of the recorded script's job, by its own names. */
export interface BpArguments {
  readonly name?: string;
  /** Records a second and source subtask. */
  readonly rate?: number;
  /** Service time of Enrich, microseconds. */
  readonly us?: number;
  readonly p?: number;
  readonly mode?: CheckpointingModel['mode'];
  /** Checkpoint interval, ms; 0 = off. */
  readonly iv?: number;
  readonly timeoutMs?: number;
  /** Enrich throws after so many records; 0 = never. */
  readonly fail?: number;
  readonly jobId?: string;
  readonly restartStrategy?: RestartStrategyModel;
  /** Records over all source subtasks after which the job ends. */
  readonly recordLimit?: number;
  readonly retention?: CheckpointingModel['retention'];
}

const OPERATOR: Omit<OperatorModel, 'id' | 'name' | 'kind'> = {
  serviceTimeUs: 10,
  selectivity: 1,
  // Tuple2<Integer, String of 512 characters> serialized: 4 + 2 + 512
  outputRecordBytes: 518,
  state: null,
  source: null,
  sink: null,
  window: null,
  async: null,
  failure: null,
};

/** The job of the recordings: Source → rebalance → Parse → hash → Enrich → rebalance → Sink, every vertex of one operator. */
export function bpJob(args: BpArguments = {}): JobModel {
  const { name = 'A exactly once', rate = 5000, us = 2000, p = 2, mode = 'EXACTLY_ONCE', iv = 4000, timeoutMs = 60_000, fail = 0 } = args;
  const vertex = (id: string, vertexName: string, operator: Partial<OperatorModel> & Pick<OperatorModel, 'kind'>): JobVertexModel => ({
    id,
    name: vertexName,
    parallelism: p,
    maxParallelism: 128,
    slotSharingGroup: 'default',
    operators: [{ ...OPERATOR, id, name: vertexName, ...operator }],
    description: null,
  });
  const edge = (sourceVertexId: string, targetVertexId: string, shipStrategy: JobEdgeModel['shipStrategy']): JobEdgeModel => ({
    sourceVertexId,
    targetVertexId,
    shipStrategy,
    exchange: 'pipelined_bounded',
    fraction: 1,
    skew: null,
  });
  return {
    jobId: args.jobId ?? null,
    name,
    jobType: 'STREAMING',
    parallelism: p,
    maxParallelism: -1,
    vertices: [
      vertex(BP_VERTICES.source, 'Source: Source: Kafka nlp', {
        kind: 'source',
        source: {
          kind: 'generator',
          rateSteps: [{ afterMs: 0, recordsPerSecond: rate * p, rampMs: 0 }],
          recordLimit: args.recordLimit ?? null,
          legacy: true,
          maxOutOfOrdernessMs: 1000,
        },
      }),
      vertex(BP_VERTICES.parse, 'Parse', { kind: 'map' }),
      vertex(BP_VERTICES.enrich, 'Enrich', {
        kind: 'map',
        serviceTimeUs: Math.max(us, OPERATOR.serviceTimeUs),
        failure: fail > 0 ? { afterRecords: fail, exceptionClass: 'java.lang.RuntimeException', message: 'synthetic failure' } : null,
      }),
      vertex(BP_VERTICES.sink, 'Sink: Kafka Sink', { kind: 'sink', selectivity: 0, outputRecordBytes: 0, sink: { capacityRecordsPerSecond: null, commitMs: 0 } }),
    ],
    edges: [
      edge(BP_VERTICES.source, BP_VERTICES.parse, 'REBALANCE'),
      edge(BP_VERTICES.parse, BP_VERTICES.enrich, 'HASH'),
      edge(BP_VERTICES.enrich, BP_VERTICES.sink, 'REBALANCE'),
    ],
    checkpointing:
      iv === 0
        ? null
        : {
            intervalMs: iv,
            timeoutMs,
            minPauseMs: 0,
            maxConcurrent: 1,
            mode,
            unaligned: false,
            alignedTimeoutMs: 0,
            retention: args.retention ?? 'RETAIN_ON_CANCELLATION',
            tolerableFailures: 0,
            afterTasksFinish: true,
            stateBackend: 'hashmap',
            incremental: false,
          },
    restartStrategy: args.restartStrategy ?? null,
    userConfig: {},
    objectReuse: false,
    bufferTimeoutMs: 100,
    options: {},
  };
}

/** A model that submits the jobs given, one a second, from `atMs` on. */
export function submissions(jobs: readonly JobModel[], atMs = 10_000): JobSubmissionModel[] {
  return jobs.map((job, index) => ({ atMs: atMs + index * 1000, job }));
}
