import { describe, expect, test } from 'vitest';

interface Layout {
  readonly positions: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly width: number;
  readonly height: number;
}
const page = new URL('../../src/server/status-page/js/graph.js', import.meta.url).href;
const { layOut } = (await import(page)) as { layOut(ids: string[], edges: { from: string; to: string }[]): Layout };

const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0], to: pair[1] }));
const NODE = { width: 236, height: 104 };

describe('the job graph’s picture', () => {
  test('puts every consumer to the right of all its producers', () => {
    const graph = edges('ab', 'bd', 'ac', 'ce', 'ed', 'df');
    const { positions } = layOut(['f', 'a', 'd', 'b', 'c', 'e'], graph);
    for (const { from, to } of graph) expect(positions.get(to)!.x).toBeGreaterThan(positions.get(from)!.x + NODE.width);
  });

  test('lets no two vertices overlap and keeps all within the picture', () => {
    const { positions, width, height } = layOut([...'abcdefgh'], edges('ad', 'bd', 'cd', 'de', 'df', 'dg', 'eh', 'fh'));
    const boxes = [...positions.values()];
    boxes.forEach((one, i) => {
      expect(one.x + NODE.width).toBeLessThan(width);
      expect(one.y + NODE.height).toBeLessThan(height);
      for (const other of boxes.slice(i + 1)) expect(Math.abs(one.x - other.x) >= NODE.width || Math.abs(one.y - other.y) >= NODE.height).toBe(true);
    });
  });

  test('draws two independent chains without crossing them', () => {
    const { positions } = layOut([...'axby'], edges('ab', 'xy'));
    expect(Math.sign(positions.get('a')!.y - positions.get('x')!.y)).toBe(Math.sign(positions.get('b')!.y - positions.get('y')!.y));
  });

  test('unties a graph whose vertices are listed crosswise', () => {
    const { positions } = layOut(['a', 'b', 'd', 'c'], edges('ac', 'bd'));
    expect(Math.sign(positions.get('a')!.y - positions.get('b')!.y)).toBe(Math.sign(positions.get('c')!.y - positions.get('d')!.y));
  });
});
