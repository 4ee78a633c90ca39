import type { JobModel } from '../simulation/model/job-model.js';

/** A vertex that lies on a cycle, as the path of vertex ids from it back to it; null when there is no cycle. */
export function findCycle(vertexIds: readonly string[], edges: readonly { readonly from: string; readonly to: string }[]): string[] | null {
  const targets = new Map<string, string[]>(vertexIds.map((id) => [id, []]));
  for (const { from, to } of edges) targets.get(from)?.push(to);
  const finished = new Set<string>();
  for (const start of vertexIds) {
    // Depth first with an explicit stack: a job may be a chain of thousands of vertices.
    const trail: string[] = [];
    const onTrail = new Set<string>();
    const stack: { id: string; next: number }[] = [];
    const enter = (id: string): void => {
      stack.push({ id, next: 0 });
      trail.push(id);
      onTrail.add(id);
    };
    if (!finished.has(start)) enter(start);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const target = targets.get(top.id)?.[top.next++];
      if (target === undefined) {
        stack.pop();
        trail.pop();
        onTrail.delete(top.id);
        finished.add(top.id);
      } else if (onTrail.has(target)) {
        return [...trail.slice(trail.indexOf(target)), target];
      } else if (!finished.has(target)) {
        enter(target);
      }
    }
  }
  return null;
}

/** Ids in topological order, otherwise in the order given; sources come first. The graph has no cycle. */
export function topologicalOrder(vertexIds: readonly string[], edges: readonly { readonly from: string; readonly to: string }[]): string[] {
  const waiting = new Map<string, number>(vertexIds.map((id) => [id, 0]));
  const targets = new Map<string, string[]>(vertexIds.map((id) => [id, []]));
  for (const { from, to } of edges) {
    targets.get(from)!.push(to);
    waiting.set(to, waiting.get(to)! + 1);
  }
  const order = vertexIds.filter((id) => waiting.get(id) === 0);
  for (let i = 0; i < order.length; i++) {
    for (const target of targets.get(order[i]!)!) {
      const left = waiting.get(target)! - 1;
      waiting.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  return order;
}

/** Slots that a job needs: a slot sharing group takes as many as its widest vertex. */
export function slotsNeeded(job: JobModel): number {
  const widest = new Map<string, number>();
  for (const vertex of job.vertices) widest.set(vertex.slotSharingGroup, Math.max(widest.get(vertex.slotSharingGroup) ?? 0, vertex.parallelism));
  return [...widest.values()].reduce((sum, parallelism) => sum + parallelism, 0);
}
