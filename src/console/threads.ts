import type { ConsoleThread, ConsoleThreads } from '../control/console/console-types.js';
import { get } from './api.js';
import { h, replace, setOptions, setText, shareBar } from './dom.js';
import { clockTime, count, percent } from './format.js';
import { poller } from './poller.js';
import { store } from './store.js';
import type { Tab } from './tabs.js';

/** Looks that are kept, of each thread: those of some ten seconds. */
const KEPT_LOOKS = 500;

type Found = ConsoleThread['found'][number];

const PART: Readonly<Record<string, string>> = { busy: 'busy', idle: 'idle', 'hard-back-pressured': 'blocked', 'soft-back-pressured': 'blocked', 'mail-blocked': 'n' };
const WORDS: Readonly<Record<string, string>> = { busy: 'busy', idle: 'idle', 'hard-back-pressured': 'waits for a buffer', 'soft-back-pressured': 'takes no input: no buffer', 'mail-blocked': 'waits for the checkpoint lock' };

/** What a task's threads are found doing, and their stacks. */
export function threadsTab(): Tab {
  const vertex = h('select', { 'aria-label': 'Vertex', onchange: () => choose() });
  const subtask = h('select', { 'aria-label': 'Subtask', onchange: () => forget() });
  const says = h('span', { class: 'muted' });
  const list = h('div', { class: 'stack-list' });
  const frames = h('pre', { class: 'frames', tabindex: 0, 'aria-label': 'Stack' });
  const content = h('div', {}, h('div', { class: 'panel-head' }, h('label', {}, 'Task ', vertex), subtask, says), h('div', { class: 'stacks' }, list, frames));
  let looks: { readonly thread: string; readonly found: readonly Found[] }[] = [];
  let seenMs = -1;
  let epoch = 0;
  let chosen: string | null = null;
  let followed: number | null = null;
  const forget = (): void => {
    looks = [];
    seenMs = -1;
    chosen = null;
    poll.now();
  };
  const choose = (): void => {
    const facts = store.graph?.vertices[Number(vertex.value)];
    if (facts) setOptions(subtask, Array.from({ length: facts.parallelism }, (_, index) => [String(index), `${index + 1} of ${facts.parallelism}`]));
    forget();
  };
  const poll = poller(content, 500, async () => {
    const { graph, jobId } = store;
    if (graph === null || jobId === null) {
      setText(says, 'There is no job.');
      looks = [];
      replace(list);
      replace(frames);
      return;
    }
    setOptions(vertex, graph.vertices.map(({ name }, index) => [String(index), name]));
    const facts = graph.vertices[Number(vertex.value)];
    if (!facts) return;
    setOptions(subtask, Array.from({ length: facts.parallelism }, (_, index) => [String(index), `${index + 1} of ${facts.parallelism}`]));
    const answer = await get<ConsoleThreads>('/console/threads', { job: jobId, vertex: facts.id, subtask: Number(subtask.value || 0) });
    // What was seen before a reset, or of the attempt before, is of another task.
    if (epoch !== store.state?.epoch || !answer.running) looks = [];
    epoch = store.state?.epoch ?? 0;
    if (!answer.running) {
      setText(says, 'The task does not run: it has no thread.');
      replace(list);
      replace(frames);
      return;
    }
    // While the clock stands there is nothing new to be seen.
    if (answer.atMs !== seenMs || looks.length === 0) {
      seenMs = answer.atMs;
      looks.push(...answer.threads.map(({ name, found }) => ({ thread: name, found })));
    }
    const perThread = answer.threads[0]?.looks ?? 1;
    looks = looks.slice(-(KEPT_LOOKS / perThread) * answer.threads.length);
    setText(says, `${count((looks.length / answer.threads.length) * perThread)} looks at ${answer.threads.length === 1 ? 'the thread' : 'each thread'}, up to ${clockTime(answer.atMs)}`);
    show(answer.threads.map(({ name }) => name));
  });
  const show = (threads: readonly string[]): void => {
    const groups = threads.map((thread) => ({ thread, found: gather(looks.filter((look) => look.thread === thread).flatMap(({ found }) => found)) }));
    const all = groups.flatMap(({ thread, found }) => found.map((each) => ({ ...each, key: `${thread}/${each.activity}/${each.frames[0]}` })));
    if (chosen === null || !all.some(({ key }) => key === chosen)) chosen = all[0]?.key ?? null;
    const focused = document.activeElement?.getAttribute('data-stack');
    replace(
      list,
      groups.map(({ thread, found }) => {
        const total = found.reduce((sum, each) => sum + each.looks, 0);
        return [
          h('h3', { class: 'thread-name' }, thread),
          shareBar(found.map(({ activity, looks: n }) => [PART[activity] ?? 'n', n / total]), found.map(({ activity, looks: n }) => `${WORDS[activity] ?? activity} ${percent(n / total)}`).join(', ')),
          h('div', { class: 'stack-rows' }, found.map((each) => {
            const key = `${thread}/${each.activity}/${each.frames[0]}`;
            return h('button', { type: 'button', class: 'stack-row', 'data-stack': key, 'aria-pressed': String(key === chosen), onclick: () => pick(key, threads) }, h('b', {}, percent(each.looks / total)), h('span', { class: `state thread-${each.state}` }, each.state), h('span', {}, WORDS[each.activity] ?? each.activity), h('code', {}, (each.frames[0] ?? '').replace(/\(.*$/, '')));
          })),
        ];
      }),
    );
    if (focused) list.querySelector<HTMLElement>(`[data-stack="${CSS.escape(focused)}"]`)?.focus();
    const picked = all.find(({ key }) => key === chosen);
    const text = picked ? [`${picked.state}${picked.lock === null ? '' : ` on ${picked.lock}`}`, ...picked.frames.map((frame) => `  at ${frame}`)].join('\n') : '';
    setText(frames, text);
  };
  const pick = (key: string, threads: readonly string[]): void => {
    chosen = key;
    show(threads);
  };
  return {
    id: 'threads',
    title: 'Stack samples',
    content,
    update: () => {
      // The vertex that is chosen in the graph is the one that is looked at, until another one is chosen here.
      if (store.vertex !== null && store.vertex !== followed && store.graph !== null) {
        followed = store.vertex;
        setOptions(vertex, store.graph.vertices.map(({ name }, index) => [String(index), name]));
        vertex.value = String(store.vertex);
        choose();
      } else poll.due();
    },
  };
}

function gather(found: readonly Found[]): Found[] {
  const sums = new Map<string, Found>();
  for (const each of found) {
    const key = `${each.activity}/${each.frames[0]}`;
    sums.set(key, { ...each, looks: each.looks + (sums.get(key)?.looks ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.looks - a.looks);
}
