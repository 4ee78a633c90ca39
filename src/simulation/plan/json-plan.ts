import type { JobModel } from '../model/job-model.js';
import { escapeDescription, treeDescription } from './description.js';
import { planOrder } from './plan-order.js';

/** What differs between versions in a plan; a part of RestFeatures. */
export interface PlanFeatures {
  readonly planDescriptionIsTree: boolean;
  readonly batchPlanInCreationOrder: boolean;
}

export interface JsonPlan {
  readonly jid: string;
  readonly name: string;
  readonly type: 'STREAMING' | 'BATCH';
  readonly nodes: readonly JsonPlanNode[];
}

export interface JsonPlanNode {
  readonly id: string;
  readonly parallelism: number;
  readonly operator: string;
  readonly operator_strategy: string;
  readonly description: string;
  readonly inputs?: readonly JsonPlanInput[];
  readonly optimizer_properties: Readonly<Record<string, never>>;
}

export interface JsonPlanInput {
  readonly num: number;
  readonly id: string;
  readonly ship_strategy: string;
  readonly exchange: string;
}

/**
 * The plan of a job as /jobs/:jobid/plan and /jars/:jarid/plan show it, in every version's keys.
 * @param parallelismOf of a vertex by its position, where it is no longer the model's; undefined = the vertex is not there
 */
export function jsonPlan(jobId: string, name: string, model: JobModel, features: PlanFeatures, parallelismOf: (vertexIndex: number) => number | undefined = (index) => (model.vertices[index]!.decidedAtRunTime ? -1 : model.vertices[index]!.parallelism)): JsonPlan {
  const order = model.jobType === 'BATCH' && features.batchPlanInCreationOrder ? model.vertices.map((_, index) => index) : planOrder(model);
  const nodes = order.flatMap((index): JsonPlanNode[] => {
    const vertex = model.vertices[index]!;
    const parallelism = parallelismOf(index);
    if (parallelism === undefined) return [];
    const inputs = model.edges
      .filter((edge) => edge.targetVertexId === vertex.id)
      .map((edge, num): JsonPlanInput => ({ num, id: edge.sourceVertexId, ship_strategy: edge.shipStrategy, exchange: edge.exchange }));
    const node: JsonPlanNode = {
      id: vertex.id,
      parallelism,
      operator: '',
      operator_strategy: '',
      description: escapeDescription(features.planDescriptionIsTree ? treeDescription(vertex) : vertex.name),
      ...(inputs.length > 0 ? { inputs } : {}),
      optimizer_properties: {},
    };
    return [node];
  });
  return { jid: jobId, name, type: model.jobType, nodes };
}
