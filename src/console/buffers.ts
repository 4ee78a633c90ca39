import type { EdgeView } from '../simulation/network/edge-view.js';
import { get } from './api.js';
import { drawBuffers } from './buffer-picture.js';
import { h, replace, setOptions, setText } from './dom.js';
import { amount, bytes, count } from './format.js';
import { poller } from './poller.js';
import { selectEdge, store } from './store.js';
import type { Tab } from './tabs.js';

/** The network buffers between two tasks: pools, subpartitions, credits, channels, gate. */
export function buffersTab(): Tab {
  const edge = h('select', { 'aria-label': 'Edge', onchange: () => selectEdge(Number(edge.value)) });
  const consumer = h('select', { 'aria-label': 'Consumer', onchange: () => poll.now() });
  const sums = h('p', { class: 'sums', id: 'buffer-sums', role: 'status' });
  const picture = h('div', { class: 'scroll buffers', tabindex: 0, role: 'region', 'aria-label': 'Network buffers' });
  const legend = h(
    'span',
    { class: 'legend' },
    [['full', 'buffer in use'], ['open', 'being filled'], ['floating', 'floating buffer in use'], ['free', 'free'], ['barrier', 'checkpoint barrier']].map(([name, text]) => h('span', {}, h('i', { class: `buffer-${name}` }), text)),
  );
  const content = h('div', {}, h('div', { class: 'panel-head' }, h('label', {}, 'Edge ', edge), h('label', {}, 'read by ', consumer), h('span', { class: 'spacer' }), legend), sums, picture);
  let shown = '';
  const poll = poller(content, 1_000, async () => {
    const { graph, jobId } = store;
    if (graph === null || jobId === null || graph.edges.length === 0) {
      setText(sums, graph === null ? 'There is no job.' : 'This job is one vertex: it has no network buffers.');
      replace(picture);
      return;
    }
    setOptions(edge, graph.edges.map(({ source, target, ship }, index) => [String(index), `${graph.vertices[source]!.name} → ${graph.vertices[target]!.name} (${ship.toLowerCase()})`]));
    const index = Math.min(store.edge ?? 0, graph.edges.length - 1);
    edge.value = String(index);
    const { source, target } = graph.edges[index]!;
    const { parallelism, name } = graph.vertices[target]!;
    setOptions(consumer, Array.from({ length: parallelism }, (_, subtask) => [String(subtask), `${name} (${subtask + 1}/${parallelism})`]));
    const view = await get<EdgeView>('/console/buffers', { job: jobId, edge: index, consumer: Number(consumer.value || 0) });
    const at = `${jobId} ${index} ${consumer.value}`;
    if (at !== shown) picture.scrollTop = 0;
    shown = at;
    setText(sums, sumsOf(view));
    const figures = store.state?.job?.vertices;
    replace(picture, drawBuffers(view, { producer: graph.vertices[source]!, consumer: graph.vertices[target]!, busy: figures?.busy[target] ?? 0, idle: figures?.idle[target] ?? 0, backPressured: figures?.backPressured[target] ?? 0 }, picture.clientWidth));
  });
  let edgeShown: number | null = null;
  return {
    id: 'buffers',
    title: 'Network buffers',
    content,
    update: () => {
      if (edgeShown !== store.edge) {
        edgeShown = store.edge;
        poll.now();
      } else poll.due();
    },
  };
}

export function sumsOf({ gate, channels, segmentBytes, bufferBytes, maxBuffersPerChannel, inClasses }: EdgeView): string {
  const backlog = channels.reduce((sum, { backlogBuffers }) => sum + backlogBuffers, 0);
  const credit = channels.reduce((sum, channel) => sum + channel.credit, 0);
  const kinds = [gate.remoteChannels > 0 ? `${count(gate.remoteChannels)} over the network` : '', gate.localChannels > 0 ? `${count(gate.localChannels)} on the same task manager` : ''].filter((text) => text !== '').join(', ');
  return [
    `${count(gate.remoteChannels + gate.localChannels)} channels (${kinds})${inClasses ? ', shown as classes: the edge is too wide to keep each one' : ''}`,
    `waiting at the producers: ${amount(backlog)} buffers`,
    `exclusive in use: ${amount(gate.usedExclusive)} of ${count(gate.exclusiveBuffers)}`,
    `floating in use: ${amount(gate.usedFloating)} of ${count(gate.floatingBuffers)}`,
    `credit left: ${amount(credit)}`,
    `a buffer holds ${bytes(segmentBytes)}${bufferBytes < segmentBytes ? `, ${bytes(bufferBytes)} used (debloated)` : ''}`,
    maxBuffersPerChannel === null ? '' : `at most ${count(maxBuffersPerChannel)} buffers a subpartition`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}
