import uPlot from 'uplot';
import type { JobSample } from '../control/console/console-types.js';
import { drawCheckpoints } from './checkpoint-chart.js';
import { byId, h, replace, setText } from './dom.js';
import { clockTime, compact, count, percent, rate, zoneMs } from './format.js';
import { onChange, store } from './store.js';
import { color, onTheme } from './theme.js';

interface Line {
  readonly name: string;
  readonly color: string;
  readonly value: (sample: JobSample) => number | null;
}

interface ChartModel {
  readonly id: string;
  readonly title: () => string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly max?: number;
  /** Where the scale ends at least. */
  readonly leastTop?: number;
}

const share = (which: 0 | 1 | 2, whole: (sample: JobSample) => number | null) => (sample: JobSample) => (store.vertex !== null && sample.vertices?.[store.vertex] ? sample.vertices[store.vertex]![which] : whole(sample));

const MODELS: readonly ChartModel[] = [
  {
    id: 'throughput',
    title: () => 'Throughput, records/s',
    lines: [
      { name: 'offered', color: 'series-a', value: ({ offered }) => offered },
      { name: 'read', color: 'series-b', value: ({ consumed }) => consumed },
      { name: 'at the sinks', color: 'series-c', value: ({ sunk }) => sunk },
    ],
    format: rate,
  },
  { id: 'lag', title: () => 'Lag, records not read yet', lines: [{ name: 'lag', color: 'series-a', value: ({ lag }) => lag }], format: count, leastTop: 10 },
  {
    id: 'ratios',
    title: () => (store.graph !== null && store.vertex !== null && store.samples.at(-1)?.vertices ? `Time of ${store.graph.vertices[store.vertex]?.name ?? ''}` : 'Worst vertex'),
    lines: [
      { name: 'busy', color: 'busy', value: share(0, ({ busy }) => busy) },
      { name: 'back-pressured', color: 'blocked', value: share(2, ({ backPressured }) => backPressured) },
      { name: 'idle', color: 'idle', value: share(1, () => null) },
    ],
    format: percent,
    max: 1,
  },
];

/** Charts of what the recorder keeps; one cursor for all of them. */
export function startCharts(): void {
  const sync = uPlot.sync('console');
  const drawn = MODELS.map((model) => chartCard(model, sync.key));
  const checkpoints = drawCheckpoints();
  replace(byId('charts'), drawn.map(({ element }) => element), checkpoints.element);
  const update = (): void => {
    if (store.state === null) return;
    for (const chart of drawn) chart.update();
    checkpoints.update();
  };
  onChange(update);
  onTheme(() => {
    for (const chart of drawn) chart.restyle();
    checkpoints.restyle();
  });
}

function chartCard(model: ChartModel, syncKey: string): { readonly element: HTMLElement; update(): void; restyle(): void } {
  const place = h('div', { class: 'plot' });
  const title = h('h3', {}, model.title());
  const values = model.lines.map(({ color: tone }) => h('b', { class: `value text-${tone}` }, '–'));
  const legends = model.lines.map(({ name, color: tone }, index) => h('span', {}, h('i', { class: `swatch-${tone}` }), name, ' ', values[index]!));
  const legend = h('span', { class: 'chart-legend' }, legends);
  const nothing = h('p', { class: 'note', hidden: true }, 'Nothing has been recorded yet.');
  const element = h('section', { class: 'card chart', id: `chart-${model.id}`, 'aria-label': model.title() }, h('div', { class: 'chart-head' }, title, legend), place, nothing);
  let plot: uPlot | null = null;
  const options = (): uPlot.Options => {
    const axis = { stroke: color('muted'), grid: { stroke: color('grid'), width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
    return {
      width: Math.max(120, place.clientWidth),
      height: Math.max(60, place.clientHeight),
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: syncKey }, y: false, drag: { x: false, y: false }, points: { size: 6 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      scales: { x: { time: true }, y: { range: (_, low, high) => [0, model.max ?? Math.max(model.leastTop ?? 0, niceTop(Number.isFinite(high) ? high : Math.max(low, 1)))] } },
      axes: [
        { ...axis, size: 22, space: 70, values: (_, splits) => splits.map((at) => clockTime(at * 1_000 - zoneMs())) },
        { ...axis, size: 52, space: 26, values: (_, splits) => splits.map((value) => (model.max === 1 ? percent(value) : compact(value).replace('.0 ', ' '))) },
      ],
      series: [{}, ...model.lines.map(({ color: tone }) => ({ stroke: color(tone), width: 1.5, points: { show: false }, spanGaps: true }))],
      hooks: { setCursor: [showValues] },
    };
  };
  const data = (): uPlot.AlignedData => {
    const { samples } = store;
    return [samples.map(({ atMs }) => (atMs + zoneMs()) / 1_000), ...model.lines.map(({ value }) => samples.map(value))] as unknown as uPlot.AlignedData;
  };
  const showValues = (): void => {
    const index = plot?.cursor.idx ?? store.samples.length - 1;
    const sample = store.samples[index];
    model.lines.forEach(({ value }, line) => {
      const at = sample ? value(sample) : null;
      legends[line]!.hidden = sample !== undefined && at === null;
      setText(values[line]!, at === null ? '–' : model.format(at));
    });
  };
  const restyle = (): void => {
    plot?.destroy();
    plot = place.clientWidth > 0 ? new uPlot(options(), data(), place) : null;
  };
  new ResizeObserver(() => (plot === null ? restyle() : plot.setSize({ width: Math.max(120, place.clientWidth), height: Math.max(60, place.clientHeight) }))).observe(place);
  return {
    element,
    update() {
      setText(title, model.title());
      place.hidden = store.samples.length === 0;
      nothing.hidden = !place.hidden;
      plot?.setData(data());
      showValues();
    },
    restyle,
  };
}

/** Some room above the greatest value. */
function niceTop(high: number): number {
  if (!(high > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(high));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= high * 1.05) ?? 12) * unit;
}
