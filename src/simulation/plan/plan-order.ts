import type { JobModel } from '../model/job-model.js';

/**
 * Positions (in `model.vertices`) in the order in which the job graph was built: from each source depth first, a vertex after all that
 * it feeds. So sinks come first and sources last, as plans list them.
 */
export function planOrder(model: JobModel): number[] {
  const indexById = new Map(model.vertices.map((vertex, index) => [vertex.id, index]));
  const consumers: number[][] = model.vertices.map(() => []);
  const hasInput = model.vertices.map(() => false);
  for (const edge of model.edges) {
    const target = indexById.get(edge.targetVertexId)!;
    consumers[indexById.get(edge.sourceVertexId)!]!.push(target);
    hasInput[target] = true;
  }
  const order: number[] = [];
  const seen = new Set<number>();
  const visit = (root: number): void => {
    // a stack of its own: a chain of thousands of vertices must not end the call stack
    const stack: { vertex: number; next: number }[] = [{ vertex: root, next: 0 }];
    seen.add(root);
    while (stack.length > 0) {
      const frame = stack[stack.length - 1]!;
      const consumer = consumers[frame.vertex]![frame.next++];
      if (consumer === undefined) {
        order.push(frame.vertex);
        stack.pop();
      } else if (!seen.has(consumer)) {
        seen.add(consumer);
        stack.push({ vertex: consumer, next: 0 });
      }
    }
  };
  for (const [index] of model.vertices.entries()) if (!hasInput[index] && !seen.has(index)) visit(index);
  return order;
}
