import { jsonPlan, type JsonPlan } from '../../simulation/plan/json-plan.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import type { ExecutionGraph } from './execution-graph.js';

/** The plan of a job that there is; one that has no execution graph has an empty one. */
export function planOf(graph: ExecutionGraph, features: RestFeatures): JsonPlan | { readonly jid: string; readonly name: string; readonly type: string; readonly nodes: readonly [] } {
  if (graph.isSparse) return { jid: '', name: '', type: '', nodes: [] };
  return jsonPlan(graph.jobId, graph.name, graph.model, features, (index) => graph.vertices[index]!.parallelism);
}
