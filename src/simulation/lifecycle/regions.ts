import type { JobState } from '../state/job-state.js';

/**
 * Pipelined regions: subtasks that exchange data while they run, and therefore start and fail together. Returned as a region number a
 * subtask, in the order of vertices and subtasks; blocking exchanges separate.
 */
export function pipelinedRegions(job: JobState): Int32Array {
  const offsets: number[] = [];
  let count = 0;
  for (const vertex of job.vertices) {
    offsets.push(count);
    count += vertex.parallelism;
  }
  const parent = Int32Array.from({ length: count }, (_, i) => i);
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const union = (a: number, b: number): void => {
    const [x, y] = [find(a), find(b)];
    if (x !== y) parent[Math.max(x, y)] = Math.min(x, y);
  };
  const indexOf = new Map(job.vertices.map((vertex, index) => [vertex.id, index]));
  for (const edge of job.model.edges) {
    if (edge.exchange === 'blocking') continue;
    const source = indexOf.get(edge.sourceVertexId)!;
    const target = indexOf.get(edge.targetVertexId)!;
    const producers = job.vertices[source].parallelism;
    const consumers = job.vertices[target].parallelism;
    if (producers === 0 || consumers === 0) continue;
    if (edge.shipStrategy === 'FORWARD' || edge.shipStrategy === 'RESCALE') {
      const more = Math.max(producers, consumers);
      for (let i = 0; i < more; i++) union(offsets[source] + Math.floor((i * producers) / more), offsets[target] + Math.floor((i * consumers) / more));
    } else {
      for (let p = 1; p < producers; p++) union(offsets[source], offsets[source] + p);
      for (let c = 0; c < consumers; c++) union(offsets[source], offsets[target] + c);
    }
  }
  for (let i = 0; i < count; i++) parent[i] = find(i);
  return parent;
}

/** All subtasks of the region that the given one belongs to. */
export function regionOf(job: JobState, vertexIndex: number, subtask: number): [vertexIndex: number, subtask: number][] {
  const regions = pipelinedRegions(job);
  let position = subtask;
  for (let v = 0; v < vertexIndex; v++) position += job.vertices[v].parallelism;
  const members: [number, number][] = [];
  let i = 0;
  for (let v = 0; v < job.vertices.length; v++) for (let s = 0; s < job.vertices[v].parallelism; s++, i++) if (regions[i] === regions[position]) members.push([v, s]);
  return members;
}
