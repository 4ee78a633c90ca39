import { byId, h, replace, setClass, setOptions, setText } from './dom.js';
import { count, duration, LEVEL_NAMES } from './format.js';
import { showHelp } from './help.js';
import { onChange, selectJob, store } from './store.js';
import { toggleTheme } from './theme.js';

/** Scenario, version, job, and the cluster in a few numbers. */
export function startHeader(): void {
  const version = h('span', { class: 'muted' });
  const job = h('select', { 'aria-label': 'Job', onchange: () => selectJob(job.value) });
  const status = h('span', { class: 'status' });
  const facts = new Map(['Running for', 'Back pressure', 'Restarts', 'Task managers', 'Slots free'].map((name) => [name, h('dd', {}, '–')] as const));
  replace(
    byId('header'),
    h('h1', {}, 'mock-flink ', version),
    h('span', { class: 'job' }, job, status),
    h('dl', { class: 'facts' }, [...facts].map(([name, value]) => h('div', {}, h('dt', {}, name), value))),
    h(
      'span',
      { class: 'pair' },
      h('a', { class: 'button', href: './docs' }, 'API'),
      h('button', { type: 'button', onclick: toggleTheme, 'aria-label': 'Switch between light and dark', title: 'Light or dark (t)' }, '◐'),
      h('button', { type: 'button', onclick: showHelp, 'aria-label': 'Help', title: 'Help (?)' }, '?'),
    ),
  );
  onChange(() => {
    const { state } = store;
    if (state === null) return;
    document.title = `${state.scenario.name}: mock-flink console`;
    setText(version, `${state.scenario.name}, Flink ${state.scenario.flinkVersion}`);
    setOptions(job, state.jobs.length === 0 ? [['', 'no job']] : state.jobs.map(({ id, name, status: each }) => [id, `${name} (${each.toLowerCase()})`]));
    if (state.job !== null) job.value = state.job.id;
    setText(status, state.jobManager === 'LEADING' ? (state.job?.status ?? 'no job') : `job manager ${state.jobManager.toLowerCase().replaceAll('_', ' ')}`);
    setClass(status, `status state-${state.jobManager === 'LEADING' ? (state.job?.status ?? 'NONE') : 'FAILED'}`);
    const alive = state.taskManagers.filter((each) => each.status === 'REGISTERED');
    const sum = (of: (each: (typeof alive)[number]) => number) => alive.reduce((total, each) => total + of(each), 0);
    const levels = state.job?.vertices.levels ?? '';
    const worst = ['h', 'l', 'o', '-'].find((level) => levels.includes(level)) ?? '-';
    const values: readonly (readonly [string, string])[] = [
      ['Running for', state.job === null ? '–' : duration((state.job.endMs < 0 ? state.clock.nowMs : state.job.endMs) - state.job.startMs)],
      ['Back pressure', LEVEL_NAMES[worst]!],
      ['Restarts', count(state.job?.restarts)],
      ['Task managers', count(alive.length)],
      ['Slots free', `${count(sum(({ freeSlots }) => freeSlots))} of ${count(sum(({ slots }) => slots))}`],
    ];
    for (const [name, value] of values) setText(facts.get(name)!, value);
    setClass(facts.get('Back pressure')!, `level-text-${worst === '-' ? 'n' : worst}`);
  });
}
