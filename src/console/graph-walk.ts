import type { ConsoleGraph } from '../control/console/console-types.js';
import type { PlacedGraph } from './layout.js';

/** Where an arrow key leads from a vertex: to an input, to an output, or to the next one above or below. */
export function neighbour({ edges }: ConsoleGraph, { nodes }: PlacedGraph, from: number, key: string): number {
  const here = nodes[from]!;
  const nearest = (candidates: readonly number[], distance: (vertex: number) => number): number => candidates.reduce((best, vertex) => (best === from || distance(vertex) < distance(best) ? vertex : best), from);
  const byHeight = (vertex: number): number => Math.abs(nodes[vertex]!.y - here.y);
  if (key === 'ArrowLeft') return nearest(edges.filter(({ target }) => target === from).map(({ source }) => source), byHeight);
  if (key === 'ArrowRight') return nearest(edges.filter(({ source }) => source === from).map(({ target }) => target), byHeight);
  const up = key === 'ArrowUp';
  const beyond = nodes.map((_, vertex) => vertex).filter((vertex) => (up ? nodes[vertex]!.y < here.y - 1 : nodes[vertex]!.y > here.y + 1));
  return nearest(beyond, (vertex) => byHeight(vertex) + 3 * Math.abs(nodes[vertex]!.x - here.x));
}
