import type { JobVertexModel } from '../model/job-model.js';

/** An operator of a chain with those that it feeds inside the chain. */
export interface ChainNode {
  readonly name: string;
  readonly outputs: ChainNode[];
}

/**
 * How the operators of a vertex hang together, read off the vertex's name (`A -> (B -> C, D)`), which lists them head first. A name that
 * does not fit (renamed vertex, shortened name) gives one straight chain.
 */
export function chainTree(vertex: JobVertexModel): ChainNode {
  const names = vertex.operators.map((operator) => operator.name);
  return parseChain(vertex.name, names) ?? straightChain(names);
}

function straightChain(names: readonly string[]): ChainNode {
  const nodes = names.map((name): ChainNode => ({ name, outputs: [] }));
  for (let i = 1; i < nodes.length; i++) nodes[i - 1]!.outputs.push(nodes[i]!);
  return nodes[0]!;
}

function parseChain(text: string, names: readonly string[]): ChainNode | null {
  let position = 0;
  let next = 0;
  const take = (token: string): boolean => {
    if (!text.startsWith(token, position)) return false;
    position += token.length;
    return true;
  };
  const operator = (): ChainNode | null => {
    const name = names[next];
    if (name === undefined || !take(name)) return null;
    next++;
    const outputs: ChainNode[] = [];
    if (take(' -> (')) {
      do {
        const output = operator();
        if (!output) return null;
        outputs.push(output);
      } while (take(', '));
      if (!take(')')) return null;
    } else if (take(' -> ')) {
      const output = operator();
      if (!output) return null;
      outputs.push(output);
    }
    return { name, outputs };
  };
  const root = operator();
  return root && position === text.length && next === names.length ? root : null;
}
