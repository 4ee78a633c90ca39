import { operatorId } from '../../scenario/operator-id.js';
import type { CheckpointingModel, JobModel, ShipStrategy } from '../../simulation/model/job-model.js';
import { hex } from '../../simulation/random.js';
import { checkpointingOf, genericJob, type GenericEdge, type GenericVertex } from './generic-job.js';
import { readJavaObject, type JavaObject } from './java-serialization.js';
import { asObject, configurationOptions, enumField, field, hexId, listItems, mapEntries, numberField, objectField, serializedBytes, textField } from './java-values.js';

/** What `flink run` sends, as far as it could be read. */
export interface SubmittedGraph {
  readonly job: JobModel;
  readonly savepointPath: string | null;
  readonly allowNonRestoredState: boolean;
}

const SHIP_STRATEGIES: readonly ShipStrategy[] = ['FORWARD', 'REBALANCE', 'RESCALE', 'HASH', 'BROADCAST', 'GLOBAL', 'SHUFFLE', 'CUSTOM'];

function shipStrategy(name: string | null, distribution: string | null): ShipStrategy {
  const known = SHIP_STRATEGIES.find((strategy) => strategy === name?.toUpperCase());
  return known ?? (distribution === 'POINTWISE' ? 'FORWARD' : 'REBALANCE');
}

/** Interval that means that checkpointing is off: Long.MAX_VALUE. */
const DISABLED_INTERVAL_MS = 2 ** 63 - 1;

/** JobCheckpointingSettings of a job graph. */
function checkpointing(settings: JavaObject | null): CheckpointingModel | null {
  const config = objectField(settings, 'checkpointCoordinatorConfiguration');
  const intervalMs = numberField(config, 'checkpointInterval');
  if (intervalMs === null || intervalMs >= DISABLED_INTERVAL_MS) return null;
  const retention = enumField(config, 'checkpointRetentionPolicy');
  return {
    intervalMs,
    timeoutMs: numberField(config, 'checkpointTimeout') ?? 600_000,
    minPauseMs: numberField(config, 'minPauseBetweenCheckpoints') ?? 0,
    maxConcurrent: numberField(config, 'maxConcurrentCheckpoints') ?? 1,
    mode: field(config, 'isExactlyOnce') === false ? 'AT_LEAST_ONCE' : 'EXACTLY_ONCE',
    unaligned: field(config, 'isUnalignedCheckpointsEnabled') === true,
    alignedTimeoutMs: numberField(config, 'alignedCheckpointTimeout') ?? 0,
    retention: retention === 'RETAIN_ON_CANCELLATION' ? 'RETAIN_ON_CANCELLATION' : retention === 'RETAIN_ON_FAILURE' ? 'DELETE_ON_CANCELLATION' : 'NO_EXTERNALIZED_CHECKPOINTS',
    tolerableFailures: numberField(config, 'tolerableCheckpointFailureNumber') ?? 0,
    afterTasksFinish: field(config, 'enableCheckpointsAfterTasksFinish') === true,
    stateBackend: 'hashmap',
    incremental: false,
  };
}

/** JobGraph (until 1.20): its vertices are the tasks. */
function readJobGraph(graph: JavaObject): JobModel {
  const vertices: GenericVertex[] = [];
  const edges: GenericEdge[] = [];
  const groups = new Map<unknown, string>();
  const groupName = (group: JavaObject | null) => {
    if (!groups.has(group)) groups.set(group, groups.size === 0 ? 'default' : `group-${groups.size}`);
    return groups.get(group)!;
  };
  for (const [, value] of mapEntries(field(graph, 'taskVertices'))) {
    const vertex = asObject(value);
    const id = hexId(field(vertex, 'id'));
    if (!vertex || id === null) continue;
    vertices.push({
      id,
      name: textField(vertex, 'name') ?? id,
      parallelism: Math.max(1, numberField(vertex, 'parallelism') ?? 1),
      maxParallelism: numberField(vertex, 'maxParallelism') ?? -1,
      slotSharingGroup: groupName(objectField(vertex, 'slotSharingGroup')),
    });
    for (const input of listItems(field(vertex, 'inputs'))) {
      const edge = asObject(input);
      const producer = hexId(field(objectField(objectField(edge, 'source'), 'producer'), 'id'));
      if (producer !== null) edges.push({ sourceVertexId: producer, targetVertexId: id, shipStrategy: shipStrategy(textField(edge, 'shipStrategyName'), enumField(edge, 'distributionPattern')) });
    }
  }
  return genericJob({
    jobId: hexId(field(graph, 'jobID')),
    name: textField(graph, 'jobName') ?? 'Flink Streaming Job',
    vertices,
    edges,
    checkpointing: checkpointing(objectField(graph, 'snapshotSettings')),
    options: {},
  });
}

const PARTITIONERS: Readonly<Record<string, ShipStrategy>> = {
  ForwardPartitioner: 'FORWARD',
  ForwardForUnspecifiedPartitioner: 'FORWARD',
  ForwardForConsecutiveHashPartitioner: 'FORWARD',
  RebalancePartitioner: 'REBALANCE',
  RescalePartitioner: 'RESCALE',
  KeyGroupStreamPartitioner: 'HASH',
  BroadcastPartitioner: 'BROADCAST',
  GlobalPartitioner: 'GLOBAL',
  ShufflePartitioner: 'SHUFFLE',
};

interface StreamNode extends GenericVertex {
  readonly nodeId: number;
  readonly outputs: readonly { readonly target: number; readonly shipStrategy: ShipStrategy }[];
}

function readStreamNode(node: JavaObject, jobId: string): StreamNode | null {
  const nodeId = numberField(node, 'id');
  if (nodeId === null) return null;
  const uid = textField(node, 'transformationUID');
  const outputs = listItems(field(node, 'outEdges')).flatMap((value) => {
    const edge = asObject(value);
    const target = numberField(edge, 'targetId');
    const partitioner = objectField(edge, 'outputPartitioner')?.className.split('.').at(-1) ?? '';
    return target === null ? [] : [{ target, shipStrategy: PARTITIONERS[partitioner] ?? 'CUSTOM' }];
  });
  return {
    nodeId,
    id: textField(node, 'userHash') ?? (uid === null ? hex(32, 0, jobId, nodeId) : operatorId(uid)),
    name: textField(node, 'operatorName') ?? `Operator ${nodeId}`,
    parallelism: Math.max(1, numberField(node, 'parallelism') ?? 1),
    maxParallelism: numberField(node, 'maxParallelism') ?? -1,
    slotSharingGroup: textField(node, 'slotSharingGroup') ?? 'default',
    outputs,
  };
}

/** StreamGraph (2.x): its nodes are operators; those joined FORWARD with the same parallelism run in one task. */
function readStreamGraph(graph: JavaObject): JobModel {
  const jobId = hexId(field(graph, 'jobId'));
  const serialized = serializedBytes(field(objectField(graph, 'userDefinedObjectsHolder'), 'serializedStreamNodes'));
  const map = serialized ? readJavaObject(serialized) : field(graph, 'streamNodes');
  const nodes = new Map<number, StreamNode>();
  for (const [, value] of mapEntries(map)) {
    const object = asObject(value);
    const node = object && readStreamNode(object, jobId ?? '');
    if (node) nodes.set(node.nodeId, node);
  }
  const inputs = new Map<number, number>();
  for (const node of nodes.values()) for (const { target } of node.outputs) inputs.set(target, (inputs.get(target) ?? 0) + 1);
  const chained = (node: StreamNode): StreamNode | null => {
    const [only, second] = node.outputs;
    const next = only && !second && only.shipStrategy === 'FORWARD' ? nodes.get(only.target) : undefined;
    return next && inputs.get(next.nodeId) === 1 && next.parallelism === node.parallelism && next.slotSharingGroup === node.slotSharingGroup ? next : null;
  };
  const continued = new Set([...nodes.values()].flatMap((node) => chained(node)?.nodeId ?? []));
  const vertices: GenericVertex[] = [];
  const edges: GenericEdge[] = [];
  for (const head of nodes.values()) {
    if (continued.has(head.nodeId)) continue;
    const chain = [head];
    for (let next = chained(head); next && !chain.includes(next); next = chained(next)) chain.push(next);
    vertices.push({ id: head.id, name: chain.map(({ name }) => name).join(' -> '), parallelism: head.parallelism, maxParallelism: head.maxParallelism, slotSharingGroup: head.slotSharingGroup });
    for (const { target, shipStrategy: strategy } of chain.at(-1)!.outputs) {
      const consumer = nodes.get(target);
      if (consumer) edges.push({ sourceVertexId: head.id, targetVertexId: consumer.id, shipStrategy: strategy });
    }
  }
  const options = { ...configurationOptions(objectField(graph, 'jobConfiguration')), ...configurationOptions(objectField(objectField(graph, 'checkpointConfig'), 'configuration')) };
  return genericJob({ jobId, name: textField(graph, 'jobName') ?? 'Flink Streaming Job', vertices, edges, checkpointing: checkpointingOf(options), options: {} });
}

/** Reads the job out of a serialized JobGraph or StreamGraph; null when there is no vertex in it. Throws where the stream is broken. */
export function readSubmittedGraph(bytes: Buffer): SubmittedGraph | null {
  const graph = asObject(readJavaObject(bytes));
  if (!graph) return null;
  const job = graph.className.endsWith('.JobGraph') ? readJobGraph(graph) : readStreamGraph(graph);
  if (job.vertices.length === 0) return null;
  const restore = objectField(graph, 'savepointRestoreSettings');
  return { job, savepointPath: textField(restore, 'restorePath'), allowNonRestoredState: field(restore, 'allowNonRestoredState') === true };
}

/** The job id in the name of the file that 1.20 and later send (`flink-jobgraph-<job id><random>.bin`); null in earlier ones' names. */
export function jobIdInFileName(fileName: string): string | null {
  return /^flink-(?:jobgraph|executionPlan)-([0-9a-f]{32})\d*\.bin$/.exec(fileName)?.[1] ?? null;
}
