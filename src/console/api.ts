import type { ControlRequest } from '../control/console/console-types.js';
import { h } from './dom.js';

const TOKEN = 'mock-flink-token';
const TIMEOUT_MS = 600_000;

/** What the server refused, in its words. */
export class Refused extends Error {}
/** Nobody answered. */
export class NoConnection extends Error {}

let asking: Promise<void> | null = null;

/** An answer of the control API, below the page's own path; asks for the token where one is needed. */
export async function request(path: string, { headers, ...init }: RequestInit & { readonly headers?: Readonly<Record<string, string>> }): Promise<Response> {
  for (;;) {
    const token = sessionStorage.getItem(TOKEN);
    const response = await fetch(`.${path}`, { ...init, headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) } }).catch(() => null);
    if (response === null) throw new NoConnection('The server does not answer; trying again.');
    if (response.status !== 401) return response;
    await (asking ??= askForToken(token !== null).finally(() => (asking = null)));
  }
}

export async function send<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const response = await request(path, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(detailOf(text) ?? `${method} ${path} was answered with ${response.status}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

function detailOf(text: string): string | null {
  try {
    return (JSON.parse(text) as { detail?: string }).detail ?? null;
  } catch {
    return null;
  }
}

export type Query = Readonly<Record<string, string | number>>;

export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

export function get<T>(path: string, query: Query = {}): Promise<T> {
  return send<T>('GET', withQuery(path, query));
}

export function perform({ method, path, body }: ControlRequest): Promise<unknown> {
  return send(method, path, body);
}

/** A token is asked for before the first request where the server was started with one: a 401 would stand in the browser's log as an error. */
export async function ensureToken(): Promise<void> {
  if (document.documentElement.dataset['token'] !== undefined && sessionStorage.getItem(TOKEN) === null) await askForToken(false);
}

/** Asks until there is something to try; it is kept as long as the browser's tab is open. */
function askForToken(wasWrong: boolean): Promise<void> {
  return new Promise((resolve) => {
    const input = h('input', { type: 'password', name: 'token', autocomplete: 'off', required: true, 'aria-describedby': 'token-hint' });
    const dialog = h(
      'dialog',
      { class: 'dialog', 'aria-label': 'Token' },
      h(
        'form',
        {
          method: 'dialog',
          onsubmit: () => {
            sessionStorage.setItem(TOKEN, input.value.trim());
            dialog.remove();
            resolve();
          },
        },
        h('h2', {}, 'Token'),
        h('p', { id: 'token-hint' }, wasWrong ? 'The token is wrong. Give the one that the server was started with.' : 'The server was started with a token: give it to go on. It is kept in this tab only.'),
        h('label', {}, 'Token ', input),
        h('div', { class: 'dialog-actions' }, h('button', { type: 'submit', class: 'primary' }, 'Go on')),
      ),
    );
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
  });
}
