import { createKafkaState } from '../../../src/simulation/kafka/index.js';
import { createJvm } from '../../../src/simulation/jvm/index.js';
import { createLog } from '../../../src/simulation/logs/append-log.js';
import type { JobModel, KafkaSourceModel, OperatorModel } from '../../../src/simulation/model/job-model.js';
import type { KafkaTopicModel, SimulationModel } from '../../../src/simulation/model/simulation-model.js';
import { EXECUTION_STATES, EXECUTION_STATE_INDEX, type JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { createSubtaskColumns } from '../../../src/simulation/state/subtask-columns.js';
import { createEventQueue } from '../../../src/simulation/event-queue.js';
import { taskManager, twoTaskManagers } from '../fixture.js';

export const TOPIC = 'mf.streaming.nlp.documents';
export const GROUP = 'mf.streaming.nlp.v1';

export function operator(name: string, overrides: Partial<OperatorModel> = {}): OperatorModel {
  return { id: name, name, kind: 'map', serviceTimeUs: 0, selectivity: 1, outputRecordBytes: 200, state: null, source: null, sink: null, window: null, async: null, failure: null, ...overrides };
}

export function kafkaSource(overrides: Partial<KafkaSourceModel> = {}): KafkaSourceModel {
  return { kind: 'kafka', topic: TOPIC, groupId: GROUP, startFrom: 'latest', legacy: false, maxOutOfOrdernessMs: 2000, ...overrides };
}

export interface RunningJobOptions {
  readonly flinkVersion?: string;
  readonly topic?: Partial<KafkaTopicModel>;
  readonly parallelism?: number;
  readonly tickMs?: number;
  readonly options?: Readonly<Record<string, string>>;
  readonly vertices?: readonly (readonly OperatorModel[])[];
  readonly source?: Partial<KafkaSourceModel>;
  readonly checkpoints?: boolean;
  readonly brokers?: SimulationModel['kafka']['brokers'];
}

/** A cluster with one job, all of whose subtasks run on the first task manager: state made by hand, so that only what is tested moves it. */
export function runningJob(settings: RunningJobOptions = {}): { state: SimulationState; job: JobState } {
  const { parallelism = 2 } = settings;
  const topic: KafkaTopicModel = { name: TOPIC, partitions: 4, startOffset: 0, backlogPerPartition: 0, rateSteps: [], partitionShares: null, recordBytes: 224, ...settings.topic };
  const base = twoTaskManagers(settings.flinkVersion ?? '1.20.5');
  const model: SimulationModel = {
    ...base,
    tickMs: settings.tickMs ?? 100,
    options: { ...base.options, ...settings.options },
    kafka: { brokers: settings.brokers ?? [{ id: 1, host: 'localhost', port: 8692 }], topics: [topic] },
  };
  const chains = settings.vertices ?? [[operator('Source: Kafka nlp', { kind: 'source', source: kafkaSource(settings.source) })], [operator('Enrich', { serviceTimeUs: 2000 })]];
  const jobModel: JobModel = {
    jobId: null,
    name: 'nlp',
    jobType: 'STREAMING',
    parallelism,
    maxParallelism: -1,
    vertices: chains.map((operators, index) => ({ id: `vertex-${index}`, name: operators.map((one) => one.name).join(' -> '), parallelism, maxParallelism: 128, slotSharingGroup: 'default', operators, description: null })),
    edges: chains.slice(1).map((_, index) => ({ sourceVertexId: `vertex-${index}`, targetVertexId: `vertex-${index + 1}`, shipStrategy: 'REBALANCE', exchange: 'pipelined_bounded', fraction: 1, skew: null })),
    checkpointing: null,
    restartStrategy: null,
    userConfig: {},
    objectReuse: false,
    bufferTimeoutMs: 100,
    options: {},
  };
  const timestamps = new Float64Array(EXECUTION_STATES.length);
  timestamps[EXECUTION_STATE_INDEX.RUNNING] = model.startMs;
  const job = {
    id: 'job-1',
    name: 'nlp',
    model: jobModel,
    status: 'RUNNING',
    endMs: -1,
    checkpoints: settings.checkpoints === false ? null : { counts: { total: 0 } },
    vertices: jobModel.vertices.map((vertex) => ({
      id: vertex.id,
      model: vertex,
      parallelism,
      maxParallelism: 128,
      slotSharingGroupId: 'default',
      columns: createSubtaskColumns(parallelism),
      subtasks: Array.from({ length: parallelism }, (_, index) => ({
        index,
        priorAttempts: [],
        current: { attemptNumber: 0, attemptId: `${vertex.id}-${index}-0`, state: 'RUNNING', timestamps: timestamps.slice(), taskManagerId: 'tm-1', host: 'localhost', dataPort: 1, slotIndex: index, finalMetrics: null, failureCause: null },
      })),
    })),
  } as unknown as JobState;
  const described = taskManager(0);
  const jvm = (kind: 'jobmanager' | 'taskmanager') => createJvm(model, kind, model.startMs, kind === 'jobmanager' ? 512 << 20 : 328 << 20, kind === 'jobmanager' ? 0 : described.memory.networkBytes);
  const state = {
    model,
    nowMs: model.startMs,
    ticks: 0,
    options: { ...model.options },
    queue: createEventQueue(),
    jobManager: { host: 'localhost', rpcPort: 1, restPort: 2, startMs: model.startMs, jvm: jvm('jobmanager'), log: createLog(), stdout: createLog() },
    taskManagers: new Map([['tm-1', { ...described, id: 'tm-1', status: 'REGISTERED', startMs: model.startMs, jvm: jvm('taskmanager'), log: createLog(), stdout: createLog() }]]),
    jobs: new Map([[job.id, job]]),
    kafka: createKafkaState(model),
    operations: new Map(),
    idSequence: 0,
    revision: 0,
  } as unknown as SimulationState;
  return { state, job };
}

/** Starts a new attempt of every subtask, as a restart does. */
export function restartAttempts(job: JobState): void {
  for (const vertex of job.vertices) {
    for (const subtask of vertex.subtasks) {
      const { current } = subtask;
      subtask.current = { ...current, attemptNumber: current.attemptNumber + 1, attemptId: `${vertex.id}-${subtask.index}-${current.attemptNumber + 1}` };
    }
  }
}

/** The lines of a task manager's log so far. */
export function logLines(state: SimulationState, id = 'tm-1'): string[] {
  return state.taskManagers.get(id)!.log.entries.map((entry) => `${entry.level} ${entry.logger.split('.').pop()} ${entry.message}`);
}
