import { shiftSpeed, step, togglePause } from './clock-actions.js';
import { addMark } from './clock-bar.js';
import { byId, isTyping } from './dom.js';
import { fitGraph } from './graph.js';
import { showHelp } from './help.js';
import { showTab, showTabNumber } from './tabs.js';
import { toggleTheme } from './theme.js';

const KEYS: Readonly<Record<string, () => void>> = {
  ' ': togglePause,
  '+': () => shiftSpeed(1),
  '=': () => shiftSpeed(1),
  '-': () => shiftSpeed(-1),
  '.': () => step(10_000),
  m: () => void addMark(),
  g: () => byId('graph-view').focus(),
  s: () => byId('scrubber').focus(),
  f: () => fitGraph(),
  t: toggleTheme,
  '?': showHelp,
  '/': () => {
    showTab('log');
    byId('log-filter').focus();
  },
};

/** Keys that work anywhere but in fields and dialogs. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]:not([aria-label="Help"])')) return;
    // Space and Enter press the button that has the focus.
    if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, a, summary')) return;
    const action = KEYS[event.key] ?? (/^[1-8]$/.test(event.key) ? () => showTabNumber(Number(event.key)) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
