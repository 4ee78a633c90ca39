import { byId, h, replace } from './dom.js';
import { onChange } from './store.js';

/** A part of the details: drawn while it is in view only. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Called once. */
  readonly content: HTMLElement;
  /** Called after every answer while it is in view, and when it comes into view. */
  update(): void;
}

let tabs: readonly Tab[] = [];
let shown = '';
const buttons = new Map<string, HTMLButtonElement>();

export function showTab(id: string, focus = false): void {
  const tab = tabs.find((each) => each.id === id);
  if (!tab) return;
  shown = id;
  for (const each of tabs) {
    const selected = each.id === id;
    const button = buttons.get(each.id)!;
    button.setAttribute('aria-selected', String(selected));
    button.tabIndex = selected ? 0 : -1;
    each.content.hidden = !selected;
  }
  tab.update();
  if (focus) buttons.get(id)!.focus();
}

export function showTabNumber(number: number): void {
  const tab = tabs[number - 1];
  if (tab) showTab(tab.id, true);
}

/** How many there are of what a tab shows, beside its name. */
export function setBadge(id: string, text: string): void {
  const badge = buttons.get(id)?.querySelector('.badge');
  if (!badge) return;
  badge.textContent = text;
  (badge as HTMLElement).hidden = text === '';
}

export function startTabs(all: readonly Tab[]): void {
  tabs = all;
  for (const { id, title } of tabs) {
    buttons.set(id, h('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => showTab(id) }, title, h('span', { class: 'badge', hidden: true })));
  }
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Details' }, [...buttons.values()]);
  list.addEventListener('keydown', (event) => {
    const index = tabs.findIndex(({ id }) => id === shown);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    showTab(tabs[(to + tabs.length) % tabs.length]!.id, true);
  });
  for (const { id, content } of tabs) {
    content.id = `panel-${id}`;
    content.setAttribute('role', 'tabpanel');
    content.setAttribute('aria-labelledby', `tab-${id}`);
    content.classList.add('tab-panel');
  }
  replace(byId('panel'), list, tabs.map(({ content }) => content));
  showTab(tabs[0]!.id);
  onChange(() => tabs.find(({ id }) => id === shown)?.update());
}
