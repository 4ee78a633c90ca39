import { hex } from '../../simulation/random.js';
import type { CheckpointingModel, JobEdgeModel, JobModel, JobVertexModel, OperatorModel, ShipStrategy } from '../../simulation/model/job-model.js';
import { parseDurationMs } from '../../simulation/options.js';
import { setOption, type FlinkOptions } from '../../versions/flink-options.js';

/** Load and cost of a job of which nothing is known but its shape: light, so that it runs without back pressure. */
const SOURCE_RECORDS_PER_SECOND = 100;
const SERVICE_TIME_US = 50;
const RECORD_BYTES = 200;

/** Where a graph's operators stand. */
export interface GenericVertex {
  readonly id: string;
  readonly name: string;
  readonly parallelism: number;
  /** -1 = not set. */
  readonly maxParallelism: number;
  readonly slotSharingGroup: string;
}

export interface GenericEdge {
  readonly sourceVertexId: string;
  readonly targetVertexId: string;
  readonly shipStrategy: ShipStrategy;
}

export interface GenericJob {
  readonly jobId: string | null;
  readonly name: string;
  readonly vertices: readonly GenericVertex[];
  readonly edges: readonly GenericEdge[];
  readonly checkpointing: CheckpointingModel | null;
  readonly options: FlinkOptions;
}

/** Flink's KeyGroupRangeAssignment.computeDefaultMaxParallelism. */
function defaultMaxParallelism(parallelism: number): number {
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(parallelism + Math.trunc(parallelism / 2))), 128), 32_768);
}

/** Names of the operators of a chain, as the vertex's name joins them. */
function chainNames(vertexName: string): string[] {
  return vertexName.includes('(') ? [vertexName] : vertexName.split(' -> ');
}

function operators(vertex: GenericVertex, isSource: boolean, isSink: boolean): OperatorModel[] {
  const names = chainNames(vertex.name);
  return names.map((name, index): OperatorModel => {
    const kind = index === 0 && isSource ? 'source' : index === names.length - 1 && isSink ? 'sink' : 'map';
    return {
      id: index === 0 ? vertex.id : hex(32, 0, vertex.id, index),
      name,
      kind,
      serviceTimeUs: SERVICE_TIME_US,
      selectivity: kind === 'sink' ? 0 : 1,
      outputRecordBytes: kind === 'sink' ? 0 : RECORD_BYTES,
      state: null,
      source:
        kind === 'source'
          ? { kind: 'generator', rateSteps: [{ afterMs: 0, recordsPerSecond: SOURCE_RECORDS_PER_SECOND * vertex.parallelism, rampMs: 0 }], recordLimit: null, legacy: false, maxOutOfOrdernessMs: null }
          : null,
      sink: kind === 'sink' ? { capacityRecordsPerSecond: null, commitMs: 0 } : null,
      window: null,
      async: null,
      failure: null,
    };
  });
}

/** Vertices in an order in which producers come before consumers; what goes round in circles comes last. */
function topologically(vertices: readonly GenericVertex[], edges: readonly GenericEdge[]): GenericVertex[] {
  const waiting = new Map(vertices.map(({ id }) => [id, new Set(edges.filter((edge) => edge.targetVertexId === id).map((edge) => edge.sourceVertexId))]));
  const sorted: GenericVertex[] = [];
  const left = new Set(vertices);
  for (let progress = true; progress; ) {
    progress = false;
    for (const vertex of left) {
      if (waiting.get(vertex.id)!.size > 0) continue;
      left.delete(vertex);
      sorted.push(vertex);
      for (const inputs of waiting.values()) inputs.delete(vertex.id);
      progress = true;
    }
  }
  return [...sorted, ...left];
}

/** A job of the given shape that works, with little load. */
export function genericJob({ jobId, name, vertices, edges, checkpointing, options }: GenericJob): JobModel {
  const models = topologically(vertices, edges).map((vertex): JobVertexModel => {
    const isSource = !edges.some((edge) => edge.targetVertexId === vertex.id);
    const isSink = !edges.some((edge) => edge.sourceVertexId === vertex.id);
    return {
      id: vertex.id,
      name: vertex.name,
      parallelism: vertex.parallelism,
      maxParallelism: vertex.maxParallelism > 0 ? vertex.maxParallelism : defaultMaxParallelism(vertex.parallelism),
      slotSharingGroup: vertex.slotSharingGroup,
      operators: operators(vertex, isSource, isSink && !(isSource && chainNames(vertex.name).length === 1)),
      description: null,
    };
  });
  return {
    jobId,
    name,
    jobType: 'STREAMING',
    parallelism: Math.max(1, ...models.map((vertex) => vertex.parallelism)),
    maxParallelism: -1,
    vertices: models,
    edges: edges.map((edge): JobEdgeModel => ({ ...edge, exchange: 'pipelined_bounded', fraction: 1, skew: null })),
    checkpointing,
    restartStrategy: null,
    userConfig: {},
    objectReuse: false,
    bufferTimeoutMs: 100,
    options,
  };
}

/** Checkpointing as the options ask for it; null while no interval is set. */
export function checkpointingOf(options: FlinkOptions): CheckpointingModel | null {
  const durationMs = (name: string, defaultMs: number) => parseDurationMs(options[name] ?? '') ?? defaultMs;
  const intervalMs = durationMs('execution.checkpointing.interval', 0);
  if (intervalMs <= 0) return null;
  const backend = setOption(options, 'state.backend.type') ?? setOption(options, 'state.backend') ?? 'hashmap';
  const retention = options['execution.checkpointing.externalized-checkpoint-retention'];
  return {
    intervalMs,
    timeoutMs: durationMs('execution.checkpointing.timeout', 600_000),
    minPauseMs: durationMs('execution.checkpointing.min-pause', 0),
    maxConcurrent: Number(options['execution.checkpointing.max-concurrent-checkpoints'] ?? 1),
    mode: options['execution.checkpointing.mode']?.toUpperCase() === 'AT_LEAST_ONCE' ? 'AT_LEAST_ONCE' : 'EXACTLY_ONCE',
    unaligned: options['execution.checkpointing.unaligned.enabled'] === 'true' || options['execution.checkpointing.unaligned'] === 'true',
    alignedTimeoutMs: durationMs('execution.checkpointing.aligned-checkpoint-timeout', 0),
    retention: retention === 'RETAIN_ON_CANCELLATION' || retention === 'DELETE_ON_CANCELLATION' ? retention : 'NO_EXTERNALIZED_CHECKPOINTS',
    tolerableFailures: Number(options['execution.checkpointing.tolerable-failed-checkpoints'] ?? 0),
    afterTasksFinish: true,
    stateBackend: backend === 'rocksdb' || backend === 'forst' ? backend : 'hashmap',
    incremental: options['execution.checkpointing.incremental'] === 'true' || options['state.backend.incremental'] === 'true',
  };
}

/** The name that Flink gives a job whose program names none. */
const DEFAULT_JOB_NAME = 'Flink Streaming Job';

/** A plausible job for an entry class of which nothing is known: source → map → sink. */
export function genericJarJob(entryClass: string, parallelism: number, options: FlinkOptions): JobModel {
  const vertex = (name: string): GenericVertex => ({ id: hex(32, 0, entryClass, name), name, parallelism, maxParallelism: -1, slotSharingGroup: 'default' });
  const [source, map, sink] = [vertex('Source: Source'), vertex('Map'), vertex('Sink: Sink')];
  const edge = (from: GenericVertex, to: GenericVertex): GenericEdge => ({ sourceVertexId: from.id, targetVertexId: to.id, shipStrategy: 'REBALANCE' });
  return genericJob({
    jobId: null,
    name: options['pipeline.name'] ?? DEFAULT_JOB_NAME,
    vertices: [source, map, sink],
    edges: [edge(source, map), edge(map, sink)],
    checkpointing: checkpointingOf(options),
    options,
  });
}
