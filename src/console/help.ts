import { h } from './dom.js';

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['Space', 'pause the clock, or let it run'],
  ['+  −', 'faster, slower'],
  ['.', 'a step of 10 s'],
  ['m', 'set a mark here'],
  ['1 … 8', 'details: subtasks, buffers, threads, faults, checkpoints, events, log, requests'],
  ['g', 'to the job graph; there arrows go from vertex to vertex, Enter shows it, + and − zoom'],
  ['f', 'fit the graph into its place'],
  ['s', 'to the time-line; there arrows move the handle (with Shift further), Enter goes there, Escape lets it be'],
  ['/', 'to the filter of the log'],
  ['t', 'light or dark'],
  ['?', 'this list'],
];

let dialog: HTMLDialogElement | null = null;

export function showHelp(): void {
  if (dialog?.open) {
    dialog.close();
    return;
  }
  dialog?.remove();
  dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Help' },
    h('h2', {}, 'Keys'),
    h('table', { class: 'keys' }, h('tbody', {}, SHORTCUTS.map(([keys, what]) => h('tr', {}, h('th', { scope: 'row' }, h('kbd', {}, keys)), h('td', {}, what))))),
    h('h2', {}, 'Going back'),
    h('p', {}, 'The cluster is a simulation: the same start gives the same run. To go back the server restores the last mark before that instant (there is always one, “start”) and simulates forward to it. Faults and changes that were made by hand since that mark are undone; the journal of requests stays. Set marks where you may want to come back to: that is quicker too.'),
    h('form', { method: 'dialog', class: 'dialog-actions' }, h('button', { class: 'primary' }, 'Close')),
  );
  document.body.append(dialog);
  dialog.showModal();
}
