import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/start-server.js';
import { loadScenario, parseScenario } from '../../src/scenario/load-scenario.js';
import type { Scenario } from '../../src/scenario/scenario.js';

export const SCREENSHOTS = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));

export async function serveScenario(scenario: Scenario | string, options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const loaded = typeof scenario === 'string' ? loadScenario(scenario) : scenario;
  return startServer({ ...loaded, port: 0, ...options });
}

/** So many vertices in chains of ten, each chain joined to the one beside it; every third one has a slow operator. */
export function manyVertices(count: number): Scenario {
  const at = (vertex: number): readonly [chain: number, place: number] => [Math.floor(vertex / 10), vertex % 10];
  const name = (vertex: number): string => {
    const [chain, place] = at(vertex);
    return `${place === 0 ? 'Source' : place === 9 ? 'Sink' : 'Step'}: ${chain}-${place}`;
  };
  const vertices = Array.from({ length: count }, (_, vertex) => {
    const [chain, place] = at(vertex);
    const role = place === 0 ? ', source: { rate: 20/s }' : place === 9 ? ', sink: {}' : '';
    return `      - operators: [{ name: '${name(vertex)}', uid: u${vertex}, serviceTime: ${place === 5 && chain % 3 === 0 ? '100 ms' : '100 us'}, recordSize: 30 KiB${role} }]`;
  });
  const edges = Array.from({ length: count }, (_, vertex) => {
    const [chain, place] = at(vertex);
    const from = [...(place > 0 ? [vertex - 1] : []), ...(place === 4 && chain > 0 ? [vertex - 11] : [])];
    return from.map((other) => `      - { from: '${name(other)}', to: '${name(vertex)}', ship: REBALANCE }`);
  }).flat();
  const yaml = ['title: Many vertices', 'description: A graph as wide as they come', "flink: '1.20'", 'start: 2024-03-04T09:00:00Z', 'openAt: 30 s', 'tick: 250 ms', 'cluster:', '  taskManagers:', '    - { host: taskmanager-1, slots: 4 }', 'options: { taskmanager.numberOfTaskSlots: 4 }', 'jobs:', '  - name: many vertices', '    parallelism: 1', '    vertices:', ...vertices, '    edges:', ...edges].join('\n');
  return parseScenario(yaml, 'many.yaml');
}

/** What no field may show. */
const NOTHING = /\bNaN\b|undefined|\bnull\b|\[object|Infinity/;

/** Everything on the page that is blank or no value: fields that have a place for one, and texts that are none. */
export async function blanks(page: Page): Promise<string[]> {
  const { text, quoted, empty } = await page.evaluate<{ text: string; quoted: string; empty: string[] }>(`({
    text: document.body.innerText,
    quoted: [...document.querySelectorAll('.log, .answer')].map((element) => element.innerText).join('\\n'),
    empty: [...document.querySelectorAll('dd, output, b.value, td, .node text, .sums, .status, option, button:not([hidden])')]
      .filter((element) => element.getClientRects().length > 0 && element.textContent.trim() === '' && element.childElementCount === 0 && !element.closest('.happening'))
      .map((element) => element.outerHTML.slice(0, 120)),
  })`);
  // Logs and answers are the cluster's own words: `rack: null`.
  const itsOwn = new Set(quoted.split('\n'));
  return [...empty, ...text.split('\n').filter((line) => NOTHING.test(line) && !itsOwn.has(line))];
}

/** A colour, or how far two of them differ, is the browser's to say: the ring around what has the focus. */
export async function hasFocusRing(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2; })()`);
}

export async function control<T>(server: RunningServer, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.controlUrl}${path}`, body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export async function texts(locator: Locator): Promise<string[]> {
  return (await locator.allTextContents()).map((text) => text.trim());
}
