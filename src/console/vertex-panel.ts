import type { ConsoleVertex } from '../control/console/console-types.js';
import { get } from './api.js';
import { h, replace, setText, shareBar } from './dom.js';
import { amount, bytes, count, percent, rate } from './format.js';
import { poller } from './poller.js';
import { store } from './store.js';
import { keyedTable } from './table.js';
import type { Tab } from './tabs.js';

const PAGE = 200;

/** The subtasks of the vertex that is chosen, those in trouble at a glance. */
export function vertexTab(): Tab {
  const table = keyedTable(
    'Subtasks',
    [{ name: 'Subtask' }, { name: 'State', left: true }, { name: 'Attempt' }, { name: 'Host', left: true }, { name: 'In' }, { name: 'Out' }, { name: 'Time' }, { name: 'Busy' }, { name: 'Back-pressured' }, { name: 'Idle' }, { name: 'Buffers in' }, { name: 'Pool in' }, { name: 'Buffers out' }, { name: 'Pool out' }, { name: 'State size' }],
    'Choose a vertex in the job graph.',
  );
  const title = h('h3', {}, 'Subtasks');
  const operators = h('span', { class: 'muted' });
  let from = 0;
  let shownVertex = '';
  const before = h('button', { type: 'button', onclick: () => turn(-PAGE) }, 'Before');
  const next = h('button', { type: 'button', onclick: () => turn(PAGE) }, 'Next');
  const pages = h('span', { class: 'pair' }, before, next);
  const content = h('div', {}, h('div', { class: 'panel-head' }, title, operators, h('span', { class: 'spacer' }), pages), table.element);
  const turn = (by: number): void => {
    from = Math.max(0, from + by);
    poll.now();
  };
  const poll = poller(content, 1_000, async () => {
    const facts = store.vertex === null ? undefined : store.graph?.vertices[store.vertex];
    if (facts === undefined || store.jobId === null) {
      setText(title, 'Subtasks');
      setText(operators, '');
      pages.hidden = true;
      shownVertex = '';
      table.show([]);
      return;
    }
    if (shownVertex !== facts.id) from = 0;
    shownVertex = facts.id;
    const { subtasks, parallelism } = await get<ConsoleVertex>('/console/vertex', { job: store.jobId, vertex: facts.id, from });
    setText(title, facts.name);
    replace(operators, `parallelism ${count(parallelism)}, at most ${count(facts.maxParallelism)}; ${facts.operators.map(({ name, serviceTimeUs }) => `${name} (${serviceTimeUs >= 1_000 ? `${amount(serviceTimeUs / 1_000)} ms` : `${amount(serviceTimeUs)} µs`} a record)`).join(' → ')}`);
    pages.hidden = parallelism <= PAGE;
    before.disabled = from === 0;
    next.disabled = from + PAGE >= parallelism;
    table.show(
      subtasks.map((each) => ({
        key: String(each.subtask),
        tone: each.state !== 'RUNNING' ? 'row-n' : each.backPressured > 0.5 ? 'row-h' : each.backPressured > 0.1 ? 'row-l' : '',
        cells: [
          each.subtask,
          each.state.toLowerCase(),
          each.attempt,
          each.host ?? '–',
          rate(each.recordsIn),
          rate(each.recordsOut),
          shareBar([['busy', each.busy], ['blocked', each.backPressured], ['idle', each.idle]], 'busy, back-pressured, idle'),
          percent(each.busy),
          percent(each.backPressured),
          percent(each.idle),
          amount(each.inputBuffers),
          percent(each.inPool),
          amount(each.outputBuffers),
          percent(each.outPool),
          bytes(each.stateBytes),
        ],
      })),
    );
  });
  return { id: 'vertex', title: 'Subtasks', content, update: poll.due };
}
