import type { ConsoleGraph, VertexFigures } from '../control/console/console-types.js';
import { s, setAttributes, setClass, setText } from './dom.js';
import { count, LEVEL_NAMES, percent, rate, shorten } from './format.js';
import { NODE, type Point } from './layout.js';

const BAR = { x: 14, y: 68, width: NODE.width - 26, height: 7 };

/** A vertex as a picture that can be brought up to date. */
export interface DrawnNode {
  readonly element: SVGGElement;
  update(figures: VertexFigures, selected: boolean, current: boolean): void;
}

export function drawNode(vertex: number, facts: ConsoleGraph['vertices'][number], { x, y }: Point): DrawnNode {
  const tag = s('text', { class: 'tag', x: NODE.width - 12, y: 39 });
  const tasks = s('text', { class: 'sub', x: 14, y: 39 });
  const flow = s('text', { class: 'sub', x: 14, y: 58 });
  const parts = (['busy', 'blocked', 'idle'] as const).map((name) => s('rect', { class: `bar-${name}`, y: BAR.y, height: BAR.height, x: BAR.x, width: 0 }));
  const title = s('title', {});
  const element = s(
    'g',
    { class: 'node', id: `vertex-${vertex}`, role: 'option', transform: `translate(${x} ${y})`, 'data-vertex': vertex },
    title,
    s('rect', { class: 'box', width: NODE.width, height: NODE.height, rx: 8 }),
    s('rect', { class: 'stripe', x: 0, y: 9, width: 5, height: NODE.height - 18, rx: 2.5 }),
    s('text', { class: 'name', x: 14, y: 21 }, fitting(facts.name, NODE.width - 26)),
    tasks,
    tag,
    flow,
    s('rect', { class: 'bar-ground', ...BAR, rx: 3.5 }),
    parts,
  );
  return {
    element,
    update(figures, selected, current) {
      const level = figures.levels[vertex] ?? '-';
      const [busy, blocked, idle] = [figures.busy[vertex] ?? 0, figures.backPressured[vertex] ?? 0, figures.idle[vertex] ?? 0];
      const running = figures.running[vertex] ?? 0;
      setClass(element, `node node-${level === '-' ? 'n' : level}${selected ? ' selected' : ''}${current ? ' current' : ''}`);
      element.setAttribute('aria-selected', String(selected));
      const pressure = level === '-' ? LEVEL_NAMES['-']! : `${LEVEL_NAMES[level]} ${percent(figures.worst[vertex])}`;
      setText(tag, pressure);
      setText(tasks, running === facts.parallelism ? `× ${count(facts.parallelism)}` : `${count(running)} of ${count(facts.parallelism)} run`);
      setText(flow, flowText(facts.source, figures.recordsIn[vertex], figures.recordsOut[vertex]));
      const label = `${facts.name}, parallelism ${facts.parallelism}, back pressure ${pressure}, busy ${percent(busy)}`;
      setText(title, label);
      element.setAttribute('aria-label', label);
      let at = BAR.x;
      [busy, blocked, idle].forEach((share, index) => {
        const width = Math.max(0, Math.min(BAR.x + BAR.width - at, share * BAR.width));
        setAttributes(parts[index]!, { x: at.toFixed(1), width: width.toFixed(1) });
        at += width;
      });
    },
  };
}

function flowText(source: boolean, recordsIn: number | undefined, recordsOut: number | undefined): string {
  return `${source ? 'reads' : 'in'} ${rate(recordsIn)}   out ${rate(recordsOut)}`;
}

let ruler: CanvasRenderingContext2D | null = null;

/** As much of a name as there is room for. */
function fitting(name: string, width: number): string {
  if (ruler === null) {
    ruler = document.createElement('canvas').getContext('2d')!;
    ruler.font = `650 13px ${getComputedStyle(document.body).fontFamily}`;
  }
  let text = name;
  for (let length = name.length - 1; length > 3 && ruler.measureText(text).width > width; length--) text = shorten(name, length);
  return text;
}
