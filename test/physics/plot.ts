/** A picture of a run: what was measured and what the simulation says, over time. */
import type { RunComparison } from './comparison.js';
import type { VertexSeries } from './figures.js';

const WIDTH = 900;
const PANEL = 150;
const LEFT = 200;
const COLOURS = ['#1b6ca8', '#c8553d', '#4d8b31', '#7d4e9f'];

interface Panel {
  readonly title: string;
  readonly value: (series: VertexSeries) => number[];
  readonly top: number | null;
}

const average = (shots: readonly (readonly number[])[]) => shots.map((shot) => shot.reduce((a, b) => a + b, 0) / shot.length);
const highest = (shots: readonly (readonly number[])[]) => shots.map((shot) => Math.max(...shot));

const PANELS: readonly Panel[] = [
  { title: 'back-pressured, highest subtask', value: (series) => highest(series.ratio), top: 1 },
  { title: 'busy, highest subtask', value: (series) => highest(series.busy), top: 1 },
  { title: 'out-pool usage, mean', value: (series) => average(series.outPool), top: 1 },
  { title: 'in-pool usage, mean', value: (series) => average(series.inPool), top: 1 },
  { title: 'input queue, buffers, mean', value: (series) => average(series.queue), top: null },
];

/** An SVG: thin lines measured, thick pale ones predicted, a colour a vertex. */
export function plotRun(run: RunComparison): string {
  const { times } = run.measured;
  const end = times[times.length - 1];
  const parts: string[] = [];
  PANELS.forEach((panel, p) => {
    const y0 = 40 + p * (PANEL + 25);
    const series = run.measured.vertices.map((vertex, v) => [panel.value(vertex), panel.value(run.predicted.vertices[v])] as const);
    const top = panel.top ?? Math.max(1, ...series.flat(2).filter(Number.isFinite));
    const x = (t: number) => LEFT + (t / end) * (WIDTH - LEFT - 20);
    const y = (value: number) => y0 + PANEL * (1 - value / top);
    parts.push(`<text x="8" y="${y0 + 14}">${panel.title}</text><text x="${LEFT - 8}" y="${y0 + 8}" text-anchor="end">${top.toFixed(top > 1 ? 0 : 1)}</text><text x="${LEFT - 8}" y="${y0 + PANEL}" text-anchor="end">0</text>`);
    parts.push(`<path d="M${LEFT} ${y0}V${y0 + PANEL}H${WIDTH - 20}" fill="none" stroke="#999"/>`);
    series.forEach(([measured, predicted], v) => {
      const path = (values: readonly number[]) => values.flatMap((value, i) => (Number.isFinite(value) ? [`${x(times[i]).toFixed(1)} ${y(Math.min(value, top)).toFixed(1)}`] : [])).join('L');
      for (const [values, width, opacity] of [[predicted, 5, 0.35], [measured, 1.2, 1]] as const) {
        const d = path(values);
        if (d !== '') parts.push(`<path d="M${d}" fill="none" stroke="${COLOURS[v % COLOURS.length]}" stroke-width="${width}" opacity="${opacity}"/>`);
      }
    });
  });
  const legend = run.measured.vertices.map((vertex, v) => `<text x="${LEFT + v * 150}" y="20" fill="${COLOURS[v % COLOURS.length]}">${vertex.name}</text>`).join('');
  const height = 60 + PANELS.length * (PANEL + 25);
  for (let t = 0; t <= end; t += 10) parts.push(`<text x="${LEFT + (t / end) * (WIDTH - LEFT - 20)}" y="${height - 28}" text-anchor="middle">${t} s</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="20" font-weight="bold">${run.name}</text>${legend}${parts.join('')}</svg>\n`;
}
