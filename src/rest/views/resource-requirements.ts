import { abstractIdHash, hashMapOrder } from '../java/hash-order.js';

/** Bounds of a vertex's parallelism; -1 = not given. */
export interface ParallelismBounds {
  readonly lowerBound: number;
  readonly upperBound: number;
}

interface VertexLimit {
  readonly id: string;
  readonly maxParallelism: number;
}

/** What is wrong with requirements that a client sent, in Flink's words; empty when they can be met in principle. */
export function validateRequirements(requirements: ReadonlyMap<string, ParallelismBounds>, vertices: readonly VertexLimit[]): string[] {
  const errors: string[] = [];
  const limits = new Map(vertices.map((vertex) => [vertex.id, vertex.maxParallelism]));
  for (const id of hashMapOrder([...requirements.keys()], abstractIdHash)) {
    const maxParallelism = limits.get(id);
    if (maxParallelism === undefined) {
      errors.push(`Job vertex [${id}] was not found in the JobGraph.`);
      continue;
    }
    const bounds = requirements.get(id)!;
    const lower = bounds.lowerBound === -1 ? 1 : bounds.lowerBound;
    const upper = bounds.upperBound === -1 ? maxParallelism : bounds.upperBound;
    if (lower < 1 || upper < 1) {
      errors.push(`Both, the requested lower bound [${lower}] and upper bound [${upper}] for job vertex [${id}] must be greater than zero.`);
      continue;
    }
    if (lower > upper) errors.push(`The requested lower bound [${lower}] for job vertex [${id}] is higher than the upper bound [${upper}].`);
    if (maxParallelism < upper) errors.push(`The newly requested parallelism ${upper} for the job vertex ${id} exceeds its maximum parallelism ${maxParallelism}.`);
  }
  const missing = vertices.filter(({ id }) => !requirements.has(id)).map(({ id }) => id);
  for (const id of hashMapOrder(missing, abstractIdHash)) errors.push(`The request is incomplete, missing job vertex [${id}] resource requirements.`);
  return errors;
}

/** Reads the body of PUT /jobs/:jobid/resource-requirements: bounds by vertex. */
export function parseRequirements(body: Readonly<Record<string, unknown>>): Map<string, ParallelismBounds> {
  return new Map(
    Object.entries(body).map(([id, value]) => {
      const { lowerBound = -1, upperBound = -1 } = ((value as { parallelism?: Partial<ParallelismBounds> } | null)?.parallelism ?? {}) as Partial<ParallelismBounds>;
      return [id, { lowerBound, upperBound }];
    }),
  );
}
