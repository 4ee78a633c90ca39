import { get, getText } from './api.js';
import { h } from './dom.js';

const LINES = 400;
const REFRESH_MS = 6_000;

/** The end of a process's log, and what of it the filter lets through. */
export function startLog() {
  const select = document.getElementById('log-process');
  const filter = document.getElementById('log-filter');
  const output = document.getElementById('log');
  const status = document.getElementById('log-count');
  let text = '';

  const show = () => {
    const atEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 8;
    const words = filter.value.toLowerCase().split(',').map((word) => word.trim()).filter(Boolean);
    const all = text.split('\n');
    const lines = (words.length === 0 ? all : all.filter((line) => words.some((word) => line.toLowerCase().includes(word)))).slice(-LINES);
    output.replaceChildren(...lines.map((line) => h('span', { class: /^\S+ \S+ (WARN|ERROR) /.exec(line)?.[1] }, `${line}\n`)));
    status.textContent = `${lines.length} of ${all.length} lines`;
    if (atEnd) output.scrollTop = output.scrollHeight;
  };

  const processes = async () => {
    const managers = (await get('taskmanagers').catch(() => null))?.taskmanagers ?? [];
    const wanted = [['jobmanager/log', 'Job manager'], ...managers.map((manager) => [`taskmanagers/${manager.id}/log`, `Task manager ${manager.id}`])];
    const before = select.value;
    if (wanted.length === select.options.length && wanted.every(([value], index) => select.options[index].value === value)) return;
    select.replaceChildren(...wanted.map(([value, name]) => h('option', { value }, name)));
    if (wanted.some(([value]) => value === before)) select.value = before;
  };

  const refresh = async () => {
    if (document.visibilityState === 'hidden') return;
    await processes();
    const chosen = select.value || 'jobmanager/log';
    const read = await getText(chosen).catch(() => null);
    if (chosen !== (select.value || 'jobmanager/log')) return;
    text = read ?? 'There is no log here.';
    show();
  };

  filter.addEventListener('input', show);
  select.addEventListener('change', () => {
    text = '';
    show();
    void refresh();
  });
  const again = async () => {
    await refresh().catch(() => undefined);
    setTimeout(again, REFRESH_MS);
  };
  void again();
}
