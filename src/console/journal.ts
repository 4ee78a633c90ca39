import type { ConsoleRequests } from '../control/console/console-types.js';
import { get, send } from './api.js';
import { h, replace, setText } from './dom.js';
import { count, duration, exactTime, shorten } from './format.js';
import { say } from './messages.js';
import { poller } from './poller.js';
import { store } from './store.js';
import { keyedTable } from './table.js';
import type { Tab } from './tabs.js';

const KEPT = 1_000;
const SHOWN = 200;

type Request = ConsoleRequests['requests'][number];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that asks the same again. Flink's API is beside the console, or (a control port of its own) where it was said to be. */
export function asCurl({ method, target, requestBody }: Request, base: string): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quoted(`${base}${target}`)];
  if (requestBody !== null) parts.push('-H', quoted('content-type: application/json'), '-d', quoted(requestBody));
  return parts.join(' ');
}

/** Requests to Flink's API, the latest first. */
export function journalTab(): Tab {
  const table = keyedTable('Requests', [{ name: 'Cluster time' }, { name: 'Method', left: true }, { name: 'Path', left: true, wide: true }, { name: 'Status' }, { name: 'Took' }, { name: 'Asked by', left: true }, { name: '' }], 'Nobody has asked anything yet.');
  const filter = h('input', { type: 'search', placeholder: '/jobs, 503 …', 'aria-label': 'Only requests with', oninput: () => show() });
  const base = h('input', { type: 'url', value: location.href.replace(/\/_mock\/.*$/, ''), 'aria-label': "Address of Flink's API" });
  const says = h('span', { class: 'muted', role: 'status' });
  const detail = h('pre', { class: 'answer', tabindex: 0, 'aria-label': 'Answer', hidden: true });
  const content = h('div', {}, h('div', { class: 'panel-head' }, h('label', {}, 'Only requests with ', filter), h('label', {}, 'for curl, API at ', base), says), h('div', { class: 'journal' }, table.element, detail));
  let requests: Request[] = [];
  const show = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    const fits = requests.filter(({ method, target, status }) => wanted === '' || `${method} ${target} ${status ?? ''}`.toLowerCase().includes(wanted));
    table.show(
      fits.slice(-SHOWN).reverse().map((request) => ({
        key: String(request.id),
        tone: request.outcome === 'aborted' || (request.status ?? 0) >= 500 ? 'row-h' : (request.status ?? 0) >= 400 ? 'row-l' : '',
        cells: [exactTime(request.atMs), request.method, h('span', { title: request.target }, shorten(request.target, 110)), request.status ?? request.outcome, duration(request.durationMs), shorten(request.userAgent ?? 'not said', 30), actions(request)],
      })),
    );
    setText(says, `${count(fits.length)} of ${count(store.state?.requests)} shown`);
  };
  const actions = (request: Request): HTMLElement => h('span', { class: 'buttons' }, h('button', { type: 'button', onclick: () => void copy(request) }, 'Copy as curl'), h('button', { type: 'button', onclick: () => void open(request) }, 'Answer'));
  const copy = async (request: Request): Promise<void> => {
    const command = asCurl(request, base.value.replace(/\/$/, ''));
    try {
      await navigator.clipboard.writeText(command);
      say(`Copied: ${shorten(command, 120)}`);
    } catch {
      // Without a secure context there is no clipboard: the command is shown, to be copied by hand.
      detail.hidden = false;
      setText(detail, command);
      getSelection()?.selectAllChildren(detail);
    }
  };
  const open = async ({ id, method, target }: Request): Promise<void> => {
    const { requests: found } = await send<{ requests: { id: number; responseBody: string | null; requestBody: string | null }[] }>('GET', `/journal?after=${id - 1}&limit=1000`);
    const entry = found.find((each) => each.id === id);
    detail.hidden = false;
    replace(detail, `${method} ${target}\n\n${entry?.requestBody ? `${entry.requestBody}\n\n` : ''}${entry ? pretty(entry.responseBody) : 'The journal has forgotten this request.'}`);
    detail.focus();
  };
  let run = 0;
  const poll = poller(content, 1_000, async () => {
    // Another server counts anew.
    if (store.state !== null && run !== store.state.run) {
      run = store.state.run;
      requests = [];
    }
    const pending = requests.findIndex(({ outcome }) => outcome === 'pending');
    const known = pending >= 0 ? requests.slice(0, pending) : requests;
    const answer = await get<ConsoleRequests>('/console/requests', { after: known.at(-1)?.id ?? 0, limit: 500 });
    requests = [...known, ...answer.requests].slice(-KEPT);
    show();
  });
  return { id: 'requests', title: 'Requests', content, update: poll.due };
}

function pretty(body: string | null): string {
  if (body === null) return 'The answer was not kept (none, or too long).';
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
