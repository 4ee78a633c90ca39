import { byId, h, replace, s, setAttributes, setClass, setText } from './dom.js';
import { LEVEL_NAMES, percent, rate } from './format.js';
import { drawNode, type DrawnNode } from './graph-node.js';
import { NODE, place, type PlacedEdge, type PlacedGraph } from './layout.js';
import { onChange, selectEdge, selectVertex, store } from './store.js';
import { neighbour } from './graph-walk.js';
import { showTab } from './tabs.js';

/** Below that scale vertices are dots of colour: there would be nothing to read. */
const READABLE_SCALE = 0.4;
/** Smallest scale of a graph that is fitted: a wide one is shown at its beginning rather than too small. */
const SCALES = { least: 0.02, most: 2, fitMost: 1.15 };
const ZOOM_STEP = 1.25;

/** The job graph: what is in view is drawn in full, what is far away as dots, so that a thousand vertices cost little. */
export function startGraph(): void {
  const allEdges = s('path', { class: 'all-edges' });
  const edgeLayer = s('g', {});
  const dotLayer = s('g', { class: 'dots' });
  const nodeLayer = s('g', {});
  const world = s('g', {}, allEdges, edgeLayer, dotLayer, nodeLayer);
  const arrow = s('defs', {}, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' }, s('path', { class: 'arrow', d: 'M0 0.5 8 4 0 7.5z' })));
  const picture = s('svg', { class: 'graph-picture' }, arrow, world);
  const view = h('div', { class: 'graph-view', id: 'graph-view', tabindex: 0, role: 'listbox', 'aria-label': 'Vertices of the job', 'aria-describedby': 'graph-says' }, picture);
  const title = h('h2', {}, 'Job graph');
  const says = h('span', { class: 'muted', id: 'graph-says', role: 'status' });
  const empty = h('p', { class: 'note', hidden: true }, 'No job has been submitted yet.');
  const zoomButtons = [
    h('button', { type: 'button', onclick: () => zoom(1 / ZOOM_STEP), 'aria-label': 'Zoom out' }, '−'),
    h('button', { type: 'button', onclick: () => zoom(ZOOM_STEP), 'aria-label': 'Zoom in' }, '+'),
    h('button', { type: 'button', onclick: () => fit(), title: 'Fit (f)' }, 'Fit'),
  ];
  const legend = h('span', { class: 'legend', 'aria-hidden': 'true' }, [['o', 'OK'], ['l', 'LOW'], ['h', 'HIGH']].map(([level, text]) => h('span', {}, h('i', { class: `swatch-${level}` }), text)), [['busy', 'busy'], ['blocked', 'back-pressured'], ['idle', 'idle']].map(([part, text]) => h('span', {}, h('i', { class: `part-${part}` }), text)));
  replace(byId('graph'), h('div', { class: 'card-head' }, title, says, legend, h('span', { class: 'segments small' }, zoomButtons)), view, empty);

  let placed: PlacedGraph | null = null;
  let graphKey = '';
  let current: number | null = null;
  let dots: SVGRectElement[] = [];
  const nodes = new Map<number, DrawnNode>();
  const edges = new Map<number, { readonly element: SVGGElement; readonly label: SVGTextElement }>();
  const at = { x: 0, y: 0, scale: 1 };

  const fit = (): void => {
    if (placed === null) return;
    const { clientWidth: width, clientHeight: height } = view;
    at.scale = Math.max(SCALES.least, Math.min(SCALES.fitMost, (width - 8) / placed.width, (height - 8) / placed.height));
    at.x = (width - placed.width * at.scale) / 2;
    at.y = (height - placed.height * at.scale) / 2;
    draw();
  };
  const zoom = (factor: number, x = view.clientWidth / 2, y = view.clientHeight / 2): void => {
    const scale = Math.max(SCALES.least, Math.min(SCALES.most, at.scale * factor));
    at.x = x - ((x - at.x) * scale) / at.scale;
    at.y = y - ((y - at.y) * scale) / at.scale;
    at.scale = scale;
    draw();
  };
  const inView = (x: number, y: number, width: number, height: number): boolean => {
    const [left, top] = [at.x + x * at.scale, at.y + y * at.scale];
    return left < view.clientWidth && top < view.clientHeight && left + width * at.scale > 0 && top + height * at.scale > 0;
  };
  const bringIntoView = (vertex: number): void => {
    const point = placed?.nodes[vertex];
    if (!point) return;
    if (at.scale < READABLE_SCALE) zoom(0.75 / at.scale, at.x + point.x * at.scale, at.y + point.y * at.scale);
    const [left, top] = [at.x + point.x * at.scale, at.y + point.y * at.scale];
    const [width, height] = [NODE.width * at.scale, NODE.height * at.scale];
    if (left < 8) at.x += 24 - left;
    if (top < 8) at.y += 24 - top;
    if (left + width > view.clientWidth - 8) at.x -= left + width - view.clientWidth + 24;
    if (top + height > view.clientHeight - 8) at.y -= top + height - view.clientHeight + 24;
    draw();
  };

  const draw = (): void => {
    const { graph, state } = store;
    const figures = state?.job?.vertices;
    if (placed === null || graph === null || !figures) return;
    setAttributes(world, { transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${at.scale.toFixed(4)})` });
    const readable = at.scale >= READABLE_SCALE;
    setClass(picture, `graph-picture ${readable ? 'near' : 'far'}`);
    placed.nodes.forEach((point, vertex) => {
      const full = vertex === current || vertex === store.vertex || (readable && inView(point.x, point.y, NODE.width, NODE.height));
      let node = nodes.get(vertex);
      if (full && !node) {
        node = drawNode(vertex, graph.vertices[vertex]!, point);
        nodes.set(vertex, node);
        nodeLayer.append(node.element);
      } else if (!full && node) {
        node.element.remove();
        nodes.delete(vertex);
      }
      if (full) node!.update(figures, vertex === store.vertex, vertex === current);
      if (!readable) setClass(dots[vertex]!, `dot-${figures.levels[vertex] === '-' ? 'n' : (figures.levels[vertex] ?? 'n')}`);
    });
    for (const edge of placed.edges) drawEdge(edge, readable && (inView(edge.from.x, edge.from.y, 1, 1) || inView(edge.to.x, edge.to.y, 1, 1) || inView(edge.middle.x, edge.middle.y, 1, 1)));
    if (current !== null) view.setAttribute('aria-activedescendant', `vertex-${current}`);
  };
  const drawEdge = (placedEdge: PlacedEdge, shown: boolean): void => {
    const { edge, path, middle } = placedEdge;
    let drawn = edges.get(edge);
    if (!shown) {
      drawn?.element.remove();
      edges.delete(edge);
      return;
    }
    const { source, ship } = store.graph!.edges[edge]!;
    if (!drawn) {
      const label = s('text', { class: 'ship', x: middle.x, y: middle.y - 6 });
      const element = s('g', { class: 'edge', 'data-edge': edge }, s('path', { class: 'line', d: path, 'marker-end': 'url(#arrow)' }), s('path', { class: 'reach', d: path }, s('title', {}, 'Show the network buffers of this edge')), label);
      drawn = { element, label };
      edges.set(edge, drawn);
      edgeLayer.append(element);
    }
    const figures = store.state!.job!.vertices;
    const level = figures.levels[source] ?? '-';
    setClass(drawn.element, `edge edge-${level === '-' ? 'n' : level}${edge === store.edge ? ' selected' : ''}`);
    setText(drawn.label, ship.toLowerCase());
  };

  const update = (): void => {
    const { graph, state } = store;
    empty.hidden = graph !== null || state === null;
    view.hidden = graph === null;
    if (graph === null) {
      placed = null;
      graphKey = '';
      for (const layer of [edgeLayer, dotLayer, nodeLayer]) layer.replaceChildren();
      nodes.clear();
      edges.clear();
      allEdges.setAttribute('d', '');
      setText(title, 'Job graph');
      setText(says, '');
      setText(empty, (state?.jobs.length ?? 0) === 0 && store.entries.some(({ kind }) => kind === 'job') ? 'There is no job any more.' : 'No job has been submitted yet.');
      return;
    }
    if (graph.graph !== graphKey) {
      graphKey = graph.graph;
      for (const layer of [edgeLayer, nodeLayer]) layer.replaceChildren();
      nodes.clear();
      edges.clear();
      current = null;
      performance.mark('layout-begins');
      placed = place(graph);
      performance.measure('layout', 'layout-begins');
      allEdges.setAttribute('d', placed.edges.map(({ path }) => path).join(''));
      dots = placed.nodes.map(({ x, y }, vertex) => s('rect', { x, y, width: NODE.width, height: NODE.height, rx: 8, 'data-vertex': vertex }));
      replace(dotLayer, dots);
      setText(title, store.state?.job?.name ?? 'Job graph');
      fit();
    }
    draw();
    setText(says, current === null ? summary() : (nodes.get(current)?.element.getAttribute('aria-label') ?? ''));
  };
  const summary = (): string => {
    const levels = store.state?.job?.vertices.levels ?? '';
    const high = [...levels].filter((level) => level === 'h').length;
    const vertices = store.graph!.vertices.length;
    const chosen = store.vertex === null ? '' : ` ${store.graph!.vertices[store.vertex]!.name} is busy ${percent(store.state?.job?.vertices.busy[store.vertex])}, takes ${rate(store.state?.job?.vertices.recordsIn[store.vertex])}.`;
    return `${vertices} ${vertices === 1 ? 'vertex' : 'vertices'}, ${high === 0 ? 'none' : high} back-pressured ${LEVEL_NAMES['h']}.${chosen}`;
  };

  const choose = (vertex: number): void => {
    current = vertex;
    selectVertex(vertex);
    bringIntoView(vertex);
  };
  view.addEventListener('keydown', (event) => {
    if (placed === null || store.graph === null) return;
    if (event.key.startsWith('Arrow')) {
      current = current === null ? (store.vertex ?? 0) : neighbour(store.graph, placed, current, event.key);
      bringIntoView(current);
      update();
    } else if (event.key === 'Enter') choose(current ?? store.vertex ?? 0);
    else if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP);
    else if (event.key === '-') zoom(1 / ZOOM_STEP);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  view.addEventListener('blur', () => {
    current = null;
    update();
  });
  view.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  let held: { readonly x: number; readonly y: number; readonly fromX: number; readonly fromY: number; moved: boolean } | null = null;
  view.addEventListener('pointerdown', (event) => {
    if (event.button === 0) held = { x: event.clientX, y: event.clientY, fromX: at.x, fromY: at.y, moved: false };
  });
  view.addEventListener('pointermove', (event) => {
    if (held === null) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < 4) return;
    held.moved = true;
    view.setPointerCapture(event.pointerId);
    at.x = held.fromX + dx;
    at.y = held.fromY + dy;
    draw();
  });
  view.addEventListener('pointerup', (event) => {
    const moved = held?.moved ?? false;
    held = null;
    if (moved) return;
    const target = event.target as Element;
    const vertex = target.closest<SVGElement>('[data-vertex]')?.dataset['vertex'];
    const edge = target.closest<SVGElement>('[data-edge]')?.dataset['edge'];
    if (vertex !== undefined) selectVertex(Number(vertex));
    else if (edge !== undefined) {
      selectEdge(Number(edge));
      showTab('buffers');
    }
  });
  view.addEventListener('pointercancel', () => (held = null));
  let width = 0;
  new ResizeObserver(() => {
    if (view.clientWidth === width) return draw();
    width = view.clientWidth;
    fit();
  }).observe(view);
  fitGraph = fit;
  onChange(update);
}

/** Fits the graph into its place. */
export let fitGraph: () => void = () => undefined;
