import { Graph, layout } from '@dagrejs/dagre';
import type { ConsoleGraph } from '../control/console/console-types.js';

export const NODE = { width: 214, height: 88 };

export interface PlacedEdge {
  /** Position in the graph's list. */
  readonly edge: number;
  readonly path: string;
  readonly middle: Point;
  readonly from: Point;
  readonly to: Point;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedGraph {
  /** Left upper corners, in the order of the vertices. */
  readonly nodes: readonly Point[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Above so many vertices the quick way of ranking is taken: the best one takes seconds. */
const QUICK_ABOVE = 150;

/** Places the vertices from left to right. */
export function place({ vertices, edges }: ConsoleGraph): PlacedGraph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 26, ranksep: 84, edgesep: 14, marginx: 16, marginy: 16, ranker: vertices.length > QUICK_ABOVE ? 'longest-path' : 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  vertices.forEach((_, vertex) => graph.setNode(String(vertex), { ...NODE }));
  edges.forEach(({ source, target }, edge) => graph.setEdge(String(source), String(target), {}, String(edge)));
  layout(graph);
  const nodes = vertices.map((_, vertex) => {
    const { x = 0, y = 0 } = graph.node(String(vertex)) as Partial<Point>;
    return { x: x - NODE.width / 2, y: y - NODE.height / 2 };
  });
  const placed = edges.map(({ source, target }, edge): PlacedEdge => {
    const points = ((graph.edge({ v: String(source), w: String(target), name: String(edge) }) as { points?: Point[] }).points ?? []).slice(1, -1);
    const from = { x: nodes[source]!.x + NODE.width, y: nodes[source]!.y + NODE.height / 2 };
    const to = { x: nodes[target]!.x - 3, y: nodes[target]!.y + NODE.height / 2 };
    const way = nodes[source]!.x < nodes[target]!.x && points.length > 1 ? [from, ...points, to] : [from, to];
    return { edge, path: curve(way), middle: middleOf(way), from, to };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { nodes, edges: placed, width, height };
}

/** Through the points, level at each of them. */
function curve(points: readonly Point[]): string {
  let path = `M${r(points[0]!.x)} ${r(points[0]!.y)}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const bend = (b.x - a.x) / 2;
    path += `C${r(a.x + bend)} ${r(a.y)} ${r(b.x - bend)} ${r(b.y)} ${r(b.x)} ${r(b.y)}`;
  }
  return path;
}

function middleOf(points: readonly Point[]): Point {
  const at = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[at]!, points[at + 1] ?? points[at]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

const r = (value: number): number => Math.round(value * 10) / 10;
