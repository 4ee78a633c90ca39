import type { ConsoleLog } from '../control/console/console-types.js';
import { get } from './api.js';
import { h, replace, setOptions, setText } from './dom.js';
import { exactTime, shorten } from './format.js';
import { poller } from './poller.js';
import { store } from './store.js';
import type { Tab } from './tabs.js';

const KEPT_LINES = 2_000;

type Line = ConsoleLog['lines'][number];

/** The end of a process's log, as it is written. */
export function logTab(): Tab {
  const process = h('select', { 'aria-label': 'Process', onchange: () => again() });
  const level = h('select', { 'aria-label': 'Least level', onchange: () => again() }, ['INFO', 'WARN', 'ERROR', 'DEBUG'].map((each) => h('option', { value: each }, each)));
  const filter = h('input', { type: 'search', id: 'log-filter', placeholder: 'checkpoint, Kafka …', 'aria-label': 'Only lines with', oninput: () => show() });
  const says = h('span', { class: 'muted', role: 'status' });
  const text = h('pre', { class: 'log', tabindex: 0, 'aria-label': 'Log' });
  const content = h('div', {}, h('div', { class: 'panel-head' }, h('label', {}, 'Log of ', process), h('label', {}, 'from ', level, ' on'), h('label', {}, 'only lines with ', filter), says), text);
  let lines: Line[] = [];
  let next = 0;
  let epoch = 0;
  let generation = 0;
  const again = (): void => {
    lines = [];
    next = 0;
    generation++;
    poll.now();
  };
  const show = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    const fits = wanted === '' ? lines : lines.filter(({ message, logger }) => message.toLowerCase().includes(wanted) || logger.toLowerCase().includes(wanted));
    const atEnd = text.scrollHeight - text.scrollTop - text.clientHeight < 40;
    replace(text, fits.slice(-500).map(({ timeMs, level: each, logger, message }) => h('span', { class: `line ${each}` }, h('span', { class: 'muted' }, exactTime(timeMs)), ` ${each.padEnd(5)} `, h('span', { class: 'logger', title: logger }, shorten(logger.split('.').at(-1) ?? logger, 34)), ` ${message}\n`)));
    if (atEnd) text.scrollTop = text.scrollHeight;
    setText(says, fits.length === lines.length ? `${lines.length} lines` : `${fits.length} of ${lines.length} lines`);
  };
  const poll = poller(content, 1_000, async () => {
    if (store.state === null) return;
    if (epoch !== store.state.epoch) {
      epoch = store.state.epoch;
      lines = [];
      next = 0;
    }
    setOptions(process, [['jobmanager', 'job manager'], ...store.state.taskManagers.map(({ id, host }) => [id, id.includes(host) ? `task manager ${id}` : `task manager ${id} on ${host}`] as const)]);
    const asked = generation;
    const answer = await get<ConsoleLog>('/console/log', { process: process.value, after: next, level: level.value });
    if (asked !== generation) return;
    const first = next === 0;
    next = answer.next;
    if (answer.lines.length === 0 && !first) return;
    lines = [...lines, ...answer.lines].slice(-KEPT_LINES);
    show();
    if (first) text.scrollTop = text.scrollHeight;
  });
  return { id: 'log', title: 'Log', content, update: poll.due };
}
