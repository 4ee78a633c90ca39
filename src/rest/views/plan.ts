import { jsonPlan, type JsonPlan } from '../../simulation/plan/json-plan.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import type { ExecutionGraph } from './execution-graph.js';

/** The plan of a job that there is; one that has no execution graph has an empty one, of which parts may be missing. */
export function planOf(graph: ExecutionGraph, features: RestFeatures): Partial<Omit<JsonPlan, 'type'>> & { readonly type?: string } {
  if (graph.isSparse) return features.sparsePlanIsEmptyObject ? {} : { jid: '', name: '', type: '', nodes: [] };
  return jsonPlan(graph.jobId, graph.name, graph.model, features, (index) => graph.vertices.find((vertex) => vertex.index === index)?.parallelism);
}
