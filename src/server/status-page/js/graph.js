import { s } from './dom.js';
import { percent, rate } from './format.js';
import { edgesOf, metricOf, timesOf } from './cluster.js';

const NODE_WIDTH = 236;
const NODE_HEIGHT = 104;
const GAP_X = 92;
const GAP_Y = 30;
const MARGIN = 14;

/** Layers by longest path from the sources; within a layer by the mean place of the neighbours, a few times over. */
export function layOut(ids, edges) {
  const inputs = new Map(ids.map((id) => [id, edges.filter((edge) => edge.to === id).map((edge) => edge.from)]));
  const outputs = new Map(ids.map((id) => [id, edges.filter((edge) => edge.from === id).map((edge) => edge.to)]));
  const depths = new Map();
  const depthOf = (id) => {
    if (!depths.has(id)) depths.set(id, Math.max(-1, ...inputs.get(id).map(depthOf)) + 1);
    return depths.get(id);
  };
  ids.forEach(depthOf);
  const layers = [];
  for (const id of ids) (layers[depths.get(id)] ??= []).push(id);
  const place = new Map();
  const number = () => layers.forEach((layer) => layer.forEach((id, index) => place.set(id, index - (layer.length - 1) / 2)));
  number();
  const mean = (id, neighbours) => (neighbours.length === 0 ? place.get(id) : neighbours.reduce((sum, other) => sum + place.get(other), 0) / neighbours.length);
  for (let sweep = 0; sweep < 6; sweep++) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wish = new Map(layer.map((id) => [id, mean(id, (sweep % 2 === 0 ? inputs : outputs).get(id))]));
      layer.sort((a, b) => wish.get(a) - wish.get(b));
      number();
    }
  }
  const tallest = Math.max(...layers.map((layer) => layer.length));
  const height = tallest * (NODE_HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN;
  const positions = new Map();
  layers.forEach((layer, depth) => {
    const top = (height - (layer.length * (NODE_HEIGHT + GAP_Y) - GAP_Y)) / 2;
    layer.forEach((id, index) => positions.set(id, { x: MARGIN + depth * (NODE_WIDTH + GAP_X), y: top + index * (NODE_HEIGHT + GAP_Y) }));
  });
  return { positions, width: layers.length * (NODE_WIDTH + GAP_X) - GAP_X + 2 * MARGIN, height };
}

export const levelOf = (vertex) => vertex.backPressure?.['backpressure-level'] ?? vertex.backPressure?.backpressureLevel ?? 'unknown';

/** The job graph as a picture: each vertex coloured by its back pressure. */
export function drawGraph(data, selectedId, onSelect) {
  const { job, vertices } = data;
  const ids = vertices.map((vertex) => vertex.id);
  const edges = edgesOf(job).filter((edge) => ids.includes(edge.from) && ids.includes(edge.to));
  const { positions, width, height } = layOut(ids, edges);
  return s(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': `Job graph of ${job.name}` },
    s('defs', null, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, s('path', { class: 'arrow', d: 'M0 0.5 8 4 0 7.5z' }))),
    edges.map((edge) => drawEdge(edge, positions)),
    vertices.map((vertex) => drawNode(vertex, positions.get(vertex.id), vertex.id === selectedId, onSelect)),
  );
}

function drawEdge(edge, positions) {
  const from = positions.get(edge.from);
  const to = positions.get(edge.to);
  const [x1, y1, x2, y2] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2, to.x - 2, to.y + NODE_HEIGHT / 2];
  const bend = Math.max(30, (x2 - x1) / 2);
  return s('g', null, s('path', { class: 'edge', d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, 'marker-end': 'url(#arrow)' }), s('text', { class: 'ship', x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 6 }, edge.ship));
}

function drawNode(vertex, { x, y }, selected, onSelect) {
  const level = levelOf(vertex);
  const ratio = vertex.backPressure ? Math.max(...vertex.backPressure.subtasks.map((subtask) => Number(subtask.ratio))) : null;
  const times = timesOf(vertex);
  const inPool = metricOf(vertex, 'Shuffle.Netty.Input.Buffers.inPoolUsage', 'max');
  const outPool = metricOf(vertex, 'Shuffle.Netty.Output.Buffers.outPoolUsage', 'max');
  const select = () => onSelect(vertex.id);
  return s(
    'g',
    {
      class: `node node-${level}${selected ? ' node-selected' : ''}`,
      transform: `translate(${x} ${y})`,
      tabindex: 0,
      role: 'button',
      'aria-pressed': selected,
      'aria-label': `${vertex.name}, parallelism ${vertex.parallelism}, ${vertex.status.toLowerCase()}, back pressure ${level}`,
      'data-key': `node-${vertex.id}`,
      onclick: select,
      onkeydown: (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        select();
      },
    },
    s('title', null, vertex.name),
    s('rect', { class: 'box', width: NODE_WIDTH, height: NODE_HEIGHT, rx: 9 }),
    s('rect', { class: 'stripe', x: 0, y: 10, width: 5, height: NODE_HEIGHT - 20, rx: 2.5 }),
    s('text', { class: 'name', x: 16, y: 23 }, shorten(vertex.name, 24)),
    s('text', { class: 'tag', x: NODE_WIDTH - 12, y: 42 }, level === 'unknown' ? 'no sample' : `${level.toUpperCase()} ${percent(ratio)}`),
    s('text', { class: 'sub', x: 16, y: 42 }, `${vertex.parallelism} × ${vertex.status.toLowerCase()}`),
    s('text', { class: 'sub', x: 16, y: 60 }, `in ${rate(sumOf(vertex, 'numRecordsInPerSecond'))}   out ${rate(sumOf(vertex, 'numRecordsOutPerSecond'))}`),
    times ? timesBar(times) : null,
    usageBar('in pool', 16, inPool),
    usageBar('out pool', 122, outPool),
  );
}

export const sumOf = (vertex, name) => metricOf(vertex, name, 'sum');

function timesBar({ busy, blocked, idle }) {
  const width = NODE_WIDTH - 28;
  const total = Math.max(1, busy + blocked + idle);
  let x = 16;
  const part = (name, value) => {
    const bar = s('rect', { class: `bar-${name}`, x, y: 69, width: Math.max(0, (value / total) * width), height: 6 });
    x += (value / total) * width;
    return bar;
  };
  return s('g', null, s('rect', { class: 'bar-ground', x: 16, y: 69, width, height: 6, rx: 3 }), part('busy', busy), part('blocked', blocked), part('idle', idle));
}

function usageBar(label, x, value) {
  const usage = Number(value);
  if (value === null || !Number.isFinite(usage)) return null;
  return s(
    'g',
    null,
    s('text', { class: 'sub', x, y: 93 }, label),
    s('rect', { class: 'bar-ground', x: x + 56, y: 86, width: 40, height: 7, rx: 3.5 }),
    s('rect', { class: 'bar-usage', x: x + 56, y: 86, width: 40 * Math.min(1, usage), height: 7, rx: 3.5 }),
  );
}

const shorten = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);
