import type { CheckpointingModel, JobEdgeModel, JobModel, JobVertexModel, RestartStrategyModel } from '../simulation/model/job-model.js';
import { buildOperator, operatorKinds } from './build-operator.js';
import { findCycle, topologicalOrder } from './check-graph.js';
import { nearestName } from './nearest-name.js';
import type { Path } from './scenario-error.js';
import type { JobInput } from './schema/job-schema.js';
import { buildSkew } from './skew.js';

/** Where problems of a job go, with paths relative to it. */
export interface JobReport {
  add(path: Path, message: string): void;
}

/** What a job may refer to outside itself. */
export interface JobSurroundings {
  readonly topics: readonly string[];
}

/** Flink's default: half as much again, as a power of two, at least 128 (KeyGroupRangeAssignment). */
export function defaultMaxParallelism(parallelism: number): number {
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(parallelism + Math.floor(parallelism / 2))), 128), 32_768);
}

function buildVertices(input: JobInput, report: JobReport, surroundings: JobSurroundings): JobVertexModel[] {
  const seenNames = new Map<string, string>();
  const seenIds = new Map<string, string>();
  const claim = (seen: Map<string, string>, what: string, key: string, owner: string, path: Path, advice: string): void => {
    const other = seen.get(key);
    if (other !== undefined) report.add(path, `found the ${what} ${JSON.stringify(key)} a second time (it is that of ${other}); ${advice}`);
    else seen.set(key, owner);
  };
  const vertices = input.vertices.map((vertex, v): JobVertexModel => {
    const path: Path = ['vertices', v];
    const operators = vertex.operators.map((operator, o) => {
      const at: Path = [...path, 'operators', o];
      const kinds = operatorKinds(operator);
      if (kinds.length > 1) report.add(at, `is ${kinds.join(' and ')} at once; allowed: one of source, sink, window, async, or none`);
      if (operator.source && o > 0) report.add([...at, 'source'], 'a source is allowed at the head of a chain only; make it the first operator of a vertex');
      if (operator.source && 'topic' in operator.source && !surroundings.topics.includes(operator.source.topic)) {
        const near = nearestName(operator.source.topic, surroundings.topics);
        report.add([...at, 'source', 'topic'], `found ${JSON.stringify(operator.source.topic)}, which is no topic under \`kafka.topics\`; ${near ? `did you mean \`${near}\`?` : `allowed: ${surroundings.topics.join(', ') || 'none yet, add it there'}`}`);
      }
      if (operator.source) checkWatermarkStrategy(operator.source, [...at, 'source'], report);
      const built = buildOperator(operator);
      if (operator.id === undefined && operator.uid === undefined) claim(seenNames, 'operator name', operator.name, `vertices[${v}].operators[${o}]`, [...at, 'name'], 'give another name, or a `uid`');
      claim(seenIds, 'operator id', built.id, `vertices[${v}].operators[${o}]`, operator.id === undefined ? [...at, operator.uid === undefined ? 'name' : 'uid'] : [...at, 'id'], 'give each operator its own');
      return built;
    });
    const decided = vertex.parallelism === 'auto';
    if (decided && input.type !== 'BATCH') report.add([...path, 'parallelism'], 'found `auto` in a streaming job; allowed: in jobs of `type: BATCH` only; give a number');
    const parallelism = vertex.parallelism === 'auto' ? input.parallelism : (vertex.parallelism ?? input.parallelism);
    const maxParallelism = vertex.maxParallelism ?? input.maxParallelism ?? defaultMaxParallelism(parallelism);
    if (parallelism > maxParallelism) report.add([...path, vertex.parallelism === undefined ? 'name' : 'parallelism'], `found parallelism ${parallelism}; allowed: at most maxParallelism, ${maxParallelism}; lower one or raise the other`);
    return {
      id: vertex.id ?? operators[0]!.id,
      name: vertex.name ?? operators.map((operator) => operator.name).join(' -> '),
      parallelism,
      ...(decided ? { decidedAtRunTime: true as const } : {}),
      maxParallelism,
      slotSharingGroup: vertex.slotSharingGroup,
      operators,
      description: vertex.description,
    };
  });
  const seenVertexNames = new Map<string, string>();
  const seenVertexIds = new Map<string, string>();
  vertices.forEach((vertex, v) => {
    const named: Path = ['vertices', v, 'name'];
    if (input.vertices[v]!.id === undefined) claim(seenVertexNames, 'vertex name', vertex.name, `vertices[${v}]`, named, 'give another name, or an `id`');
    if (input.vertices[v]!.id !== undefined) claim(seenVertexIds, 'vertex id', vertex.id, `vertices[${v}]`, ['vertices', v, 'id'], 'give each vertex its own');
  });
  return vertices;
}

/** What hangs on watermarks needs them, and only the newer kind of source can wait for others. */
function checkWatermarkStrategy(source: NonNullable<JobInput['vertices'][number]['operators'][number]['source']>, at: Path, report: JobReport): void {
  for (const field of ['idleAfter', 'alignment'] as const) {
    if (source[field] !== undefined && source.maxOutOfOrderness === null) report.add([...at, field], `found ${field} on a source without watermarks; add \`maxOutOfOrderness\``);
  }
  if (source.alignment !== undefined && source.legacy) report.add([...at, 'alignment'], 'found watermark alignment on a legacy source; allowed: on a source with `legacy: false` only');
  if (source.idleAfter === 0) report.add([...at, 'idleAfter'], 'found 0; allowed: more than that (leave it out for never)');
  if (source.alignment?.updateInterval === 0) report.add([...at, 'alignment', 'updateInterval'], 'found 0; allowed: more than that');
}

function buildEdges(input: JobInput, vertices: readonly JobVertexModel[], report: JobReport): JobEdgeModel[] {
  const find = (named: string, path: Path): JobVertexModel | null => {
    const matches = (test: (vertex: JobVertexModel) => boolean): JobVertexModel[] => vertices.filter(test);
    for (const found of [matches((vertex) => vertex.id === named), matches((vertex) => vertex.name === named), matches((vertex) => vertex.operators.some((operator) => operator.name === named || operator.id === named))]) {
      if (found.length === 1) return found[0]!;
      if (found.length > 1) {
        report.add(path, `found ${JSON.stringify(named)}, which names ${found.length} vertices; use an \`id\``);
        return null;
      }
    }
    const names = vertices.map((vertex) => vertex.name);
    const near = nearestName(named, [...names, ...vertices.flatMap((vertex) => vertex.operators.map((operator) => operator.name))]);
    report.add(path, `found ${JSON.stringify(named)}, which is no vertex of this job; ${near ? `did you mean \`${near}\`?` : `allowed: ${names.join(', ')}`}`);
    return null;
  };
  return input.edges.flatMap((edge, e): JobEdgeModel[] => {
    const path: Path = ['edges', e];
    const from = find(edge.from, [...path, 'from']);
    const to = find(edge.to, [...path, 'to']);
    if (!from || !to) return [];
    if (edge.ship === 'FORWARD' && from.parallelism !== to.parallelism && !from.decidedAtRunTime && !to.decidedAtRunTime) {
      report.add([...path, 'ship'], `found FORWARD between parallelism ${from.parallelism} (${from.name}) and ${to.parallelism} (${to.name}); allowed: equal parallelism; use REBALANCE or RESCALE, or make them equal`);
    }
    if (edge.skew && 'shares' in edge.skew && edge.skew.shares.length !== to.parallelism && !to.decidedAtRunTime) {
      report.add([...path, 'skew', 'shares'], `found ${edge.skew.shares.length} shares; allowed: one for each of the ${to.parallelism} subtasks of ${to.name}`);
    }
    if (edge.skew && 'shares' in edge.skew && to.decidedAtRunTime) report.add([...path, 'skew', 'shares'], `found shares by subtask, but how many ${to.name} has is decided at run time; allowed: hotKeys or zipf`);
    if (edge.skew && edge.ship !== 'HASH' && edge.ship !== 'CUSTOM') report.add([...path, 'skew'], `found a skew on a ${edge.ship} edge; allowed: on HASH and CUSTOM only`);
    return [
      {
        sourceVertexId: from.id,
        targetVertexId: to.id,
        shipStrategy: edge.ship,
        exchange: edge.exchange ?? (input.type === 'BATCH' ? 'blocking' : 'pipelined_bounded'),
        fraction: edge.fraction,
        skew: buildSkew(edge.skew),
      },
    ];
  });
}

function checkEnds(input: JobInput, vertices: readonly JobVertexModel[], edges: readonly JobEdgeModel[], report: JobReport): void {
  vertices.forEach((vertex, v) => {
    const fed = edges.some((edge) => edge.targetVertexId === vertex.id);
    const isSource = vertex.operators[0]!.kind === 'source';
    if (isSource && fed) report.add(['vertices', v], `${vertex.name} is a source, but an edge leads to it; remove the edge or the \`source\``);
    if (!isSource && !fed && input.edges.length === edges.length) report.add(['vertices', v], `${vertex.name} has no input; add an edge to it, or a \`source\``);
  });
}

function buildCheckpointing(input: JobInput): CheckpointingModel | null {
  const given = input.checkpointing;
  if (given === null || given.interval === 0) return null;
  return {
    intervalMs: given.interval,
    timeoutMs: given.timeout,
    minPauseMs: given.minPause,
    maxConcurrent: given.maxConcurrent,
    mode: given.mode,
    unaligned: given.unaligned,
    alignedTimeoutMs: given.alignedTimeout,
    retention: given.retention,
    tolerableFailures: given.tolerableFailures,
    afterTasksFinish: given.afterTasksFinish,
    stateBackend: given.stateBackend,
    incremental: given.incremental,
  };
}

function buildRestartStrategy(input: JobInput): RestartStrategyModel | null {
  const given = input.restartStrategy;
  switch (given?.kind) {
    case undefined:
      return null;
    case 'none':
      return { kind: 'none' };
    case 'fixed-delay':
      return { kind: 'fixed-delay', attempts: given.attempts, delayMs: given.delay };
    case 'failure-rate':
      return { kind: 'failure-rate', maxFailuresPerInterval: given.maxFailures, intervalMs: given.interval, delayMs: given.delay };
    case 'exponential-delay':
      return {
        kind: 'exponential-delay',
        initialBackoffMs: given.initialBackoff,
        maxBackoffMs: given.maxBackoff,
        backoffMultiplier: given.multiplier,
        resetThresholdMs: given.resetThreshold,
        jitterFactor: given.jitter,
      };
  }
}

/** In batch jobs each pipelined region has a slot sharing group of its own, unless it was given one. */
function withRegionGroups(vertices: readonly JobVertexModel[], edges: readonly JobEdgeModel[]): JobVertexModel[] {
  const regions = new Map(vertices.map(({ id }) => [id, id]));
  for (const { sourceVertexId, targetVertexId, exchange } of edges) {
    if (exchange === 'blocking') continue;
    const [from, to] = [regions.get(sourceVertexId)!, regions.get(targetVertexId)!];
    for (const [id, region] of regions) if (region === to) regions.set(id, from);
  }
  return vertices.map((vertex) => (vertex.slotSharingGroup === 'default' ? { ...vertex, slotSharingGroup: `region of ${regions.get(vertex.id)!}` } : vertex));
}

/** A checked job; what is wrong with it goes to `report`, and then the result must not be used. */
export function buildJob(input: JobInput, report: JobReport, surroundings: JobSurroundings): JobModel {
  const given = buildVertices(input, report, surroundings);
  const edges = buildEdges(input, given, report);
  const vertices = input.type === 'BATCH' ? withRegionGroups(given, edges) : given;
  const links = edges.map((edge) => ({ from: edge.sourceVertexId, to: edge.targetVertexId }));
  const ids = [...new Set(vertices.map((vertex) => vertex.id))];
  const cycle = findCycle(ids, links);
  const byId = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  if (cycle) {
    const last = edges.findIndex((edge) => edge.sourceVertexId === cycle.at(-2) && edge.targetVertexId === cycle.at(-1));
    report.add(['edges', last], `found a cycle: ${cycle.map((id) => byId.get(id)!.name).join(' → ')}; a job graph has none, remove one of these edges`);
  } else {
    checkEnds(input, vertices, edges, report);
  }
  return {
    jobId: input.id,
    name: input.name,
    jobType: input.type,
    parallelism: input.parallelism,
    maxParallelism: input.maxParallelism ?? -1,
    vertices: cycle || ids.length < vertices.length ? vertices : topologicalOrder(ids, links).map((id) => byId.get(id)!),
    edges,
    checkpointing: buildCheckpointing(input),
    restartStrategy: buildRestartStrategy(input),
    userConfig: input.userConfig,
    objectReuse: input.objectReuse,
    bufferTimeoutMs: input.bufferTimeout,
    options: input.options,
    ...(input.placement === undefined ? {} : { placement: input.placement }),
  };
}
