import { chainTree, type ChainNode } from '../../simulation/plan/chain-tree.js';
import { UNDECIDED, type ExecutionGraph } from './execution-graph.js';

interface StreamNode {
  readonly id: string;
  readonly parallelism: number;
  readonly operator: string;
  readonly description: string;
  readonly job_vertex_id?: string;
  readonly inputs: StreamEdge[];
}

interface StreamEdge {
  readonly num: number;
  readonly id: string;
  readonly ship_strategy: string;
  readonly exchange: 'UNDEFINED';
}

/** The operators of a batch job, of which vertices are made as it goes on; null for others and while there is no execution graph. */
export function streamGraphOf(graph: ExecutionGraph): { readonly nodes: readonly StreamNode[] } | null {
  const { model } = graph;
  if (model.jobType !== 'BATCH' || graph.isSparse) return null;
  const nodes: StreamNode[] = [];
  const ends = new Map<string, { readonly head: StreamNode; readonly tail: StreamNode }>();
  for (const vertex of model.vertices) {
    const made = graph.vertices.find(({ id }) => id === vertex.id);
    const parallelism = made?.parallelism ?? (vertex.decidedAtRunTime ? UNDECIDED : vertex.parallelism);
    const add = ({ name, outputs }: ChainNode, before: StreamNode | null): StreamNode => {
      const node: StreamNode = { id: String(nodes.length + 1), parallelism, operator: name, description: name, ...(made ? { job_vertex_id: vertex.id } : {}), inputs: [] };
      if (before) node.inputs.push(input(0, before, 'FORWARD'));
      nodes.push(node);
      return outputs.reduce((_, output) => add(output, node), node);
    };
    const head = nodes.length;
    const tail = add(chainTree(vertex), null);
    ends.set(vertex.id, { head: nodes[head]!, tail });
  }
  for (const edge of model.edges) {
    const { inputs } = ends.get(edge.targetVertexId)!.head;
    inputs.push(input(inputs.length, ends.get(edge.sourceVertexId)!.tail, edge.shipStrategy));
  }
  return { nodes };
}

function input(num: number, from: StreamNode, shipStrategy: string): StreamEdge {
  return { num, id: from.id, ship_strategy: shipStrategy, exchange: 'UNDEFINED' };
}
