import type { Browser, Page } from 'playwright-core';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { createJobTemplates } from '../../src/scenario/job-templates.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import { parseFlinkVersion, since, valueIn } from '../../src/versions/flink-versions.js';
import { dashboardJar, openWatched } from './chromium.js';
import type { DashboardPage } from './dashboard-pages.js';

/** Text that no field shows that has a value. */
const NO_VALUE = /\bNaN\b|\bundefined\b|\bnull\b|Invalid date|\[object|^[-–—]$|^$/i;

const NO_TEXT = /\bNaN\b|\bundefined\b|Invalid date|\[object/i;

/** Logs, thread dumps and stack traces are the cluster's own words. */
const OUTSIDE_OF_EDITORS = `(() => {
  const editors = [...document.querySelectorAll('nz-content .monaco-editor')].map((editor) => [editor, editor.style.display]);
  for (const [editor] of editors) editor.style.display = 'none';
  const text = document.querySelector('nz-content').innerText;
  for (const [editor, display] of editors) editor.style.display = display;
  return text;
})()`;

/** A page that is left while its editor still loads logs an error, on a real cluster too. */
const EDITORS_STAND = `[...document.querySelectorAll('nz-content nz-code-editor, nz-content flink-monaco-editor')].every((editor) => editor.getClientRects().length === 0 || editor.querySelector('.view-lines'))`;

/** Runs in the page, given a column's title. */
const READ_ROWS = `((column) => {
  const text = (element) => element.innerText.replace(/\\s+/g, ' ').trim();
  for (const table of document.querySelectorAll('nz-content table')) {
    const heads = [...(table.tHead?.rows ?? [])].map((row) => [...row.children].map(text)).find((titles) => titles.includes(column));
    if (!heads || table.getClientRects().length === 0) continue;
    const body = table.querySelector('tbody tr') ? table : table.closest('.ant-table-container, .ant-table');
    const rows = [...body.querySelectorAll('tbody tr')].filter((row) => row.parentElement.tagName === 'TBODY' && (row.closest('table').querySelectorAll('thead').length === 0 || row.closest('table') === table));
    return rows.map((row) => [...row.children]).filter((cells) => cells.length === heads.length && cells.some((cell) => text(cell) !== '')).map((cells) => Object.fromEntries(heads.map((head, at) => [head, text(cells[at])])));
  }
  return [];
})`;

/** Runs in the page: its fields (cells of tables, descriptions) as [where, what it shows], and the text outside of editors. */
const READ_FIELDS = `(() => {
  const seen = (element) => element.getClientRects().length > 0;
  const text = (element) => element.innerText.replace(/\\s+/g, ' ').trim();
  const fields = [];
  for (const cell of document.querySelectorAll('nz-content td')) {
    const row = cell.closest('tr');
    // a row that only measures widths, a table that says that it is empty
    if (!seen(cell) || text(row) === '' || cell.closest('.ant-table-placeholder, .monaco-editor')) continue;
    // rows that open, and cells of a picture or a button
    if (cell.colSpan > 1 || cell.querySelector('svg, i, button, input, nz-progress, table')) continue;
    const cells = [...row.children];
    const at = cells.indexOf(cell);
    const head = cell.closest('table').querySelector('thead tr') ?? cell.closest('.ant-table-container, .ant-table-content, .ant-table')?.querySelector('thead tr');
    const column = head?.children[at] ? text(head.children[at]) : '';
    const first = cells.find((other) => text(other) !== '');
    fields.push([column === '' ? '#' + at : column, first && first !== cell ? text(first) : '', text(cell), !head || head.children[at] === undefined || text(head.children[at]) !== '']);
  }
  return fields;
})()`;

/**
 * Errors of the pages' own scripts, when they are left before they stand: a graph that still zooms, and (1.20) an editor that is gone before its
 * text is there. A real 1.20.5 cluster's pages log them as often: counted in docs/dashboards.md.
 */
const RACES_OF_THE_PAGE = /Could not resolve relative length|Cannot read properties of null \(reading 'layout'\)/;

/** A real dashboard in a browser's page, and what went wrong on it. */
export class Dashboard {
  private inFlight = 0;
  private lastAt = 0;

  private constructor(readonly page: Page, readonly url: string, readonly troubles: string[]) {
    const done = (): void => {
      this.inFlight--;
      this.lastAt = Date.now();
    };
    page.on('request', () => {
      this.inFlight++;
      this.lastAt = Date.now();
    });
    page.on('requestfinished', done);
    page.on('requestfailed', done);
  }

  static async open(browser: Browser, url: string): Promise<Dashboard> {
    const { page, troubles } = await openWatched(browser);
    const dashboard = new Dashboard(page, url, troubles);
    await page.goto(`${url}/`);
    return dashboard;
  }

  /** What went wrong, races of the page's own scripts left out. */
  get faults(): string[] {
    return this.troubles.filter((trouble) => !RACES_OF_THE_PAGE.test(trouble));
  }

  /** Opens a page, waits until it is drawn and nothing is being asked any more, and returns what it shows beside the menu. */
  async show({ hash, shows }: Pick<DashboardPage, 'hash' | 'shows'>): Promise<string> {
    await this.page.goto(`${this.url}/#${hash}`);
    return this.settled(shows);
  }

  /** Waits until the page shows something and has what it asked for. */
  async settled(shows: RegExp): Promise<string> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      await this.page.waitForTimeout(60);
      if (this.inFlight <= 0 && Date.now() - this.lastAt > 120) {
        const text = await this.text();
        if (shows.test(text) && (await this.page.evaluate<boolean>(EDITORS_STAND))) return text;
      }
      if (Date.now() > deadline) throw new Error(`${this.page.url()} did not show ${shows}, but:\n${await this.text()}\n${this.troubles.join('\n')}`);
    }
  }

  async text(): Promise<string> {
    return this.page.evaluate<string>(`[...document.querySelectorAll('nz-content')].map((content) => content.innerText).join('\\n').replaceAll('\\u00a0', ' ')`);
  }

  /** Fields without a value, as `column of row: what stands there`, and lines that hold none where one belongs. */
  async oddFields(): Promise<string[]> {
    const fields = await this.page.evaluate<[string, string, string, boolean][]>(READ_FIELDS);
    const odd = fields.filter(([, , value, hasTitle]) => (value === '' ? hasTitle : NO_VALUE.test(value))).map(([column, row, value]) => `${column} of ${row}: ${value}`);
    const lines = await this.page.evaluate<string>(OUTSIDE_OF_EDITORS);
    return [...odd, ...lines.split('\n').filter((line) => NO_TEXT.test(line)).map((line) => line.trim())];
  }

  /** The rows of the table that has such a column, each by its columns' titles. */
  async rows(column: string): Promise<Readonly<Record<string, string>>[]> {
    return this.page.evaluate<Record<string, string>[]>(`${READ_ROWS}(${JSON.stringify(column)})`);
  }

  /** Chooses a tab by its name, of the innermost ones when there are two. */
  async tab(name: string, shows: RegExp): Promise<string> {
    await this.page.locator('nz-content [role=tab]', { hasText: new RegExp(`^\\s*${name}\\s*$`) }).last().click();
    return this.settled(shows);
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** A scenario behind the real dashboard of a version, its clock held, with all that pages have to be switched on. */
export async function serveDashboard(scenario: string, flinkVersion: string): Promise<RunningServer> {
  const loaded = loadScenario(scenario, { flinkVersion, options: { 'rest.flamegraph.enabled': 'true', 'rest.profiling.enabled': 'true' } });
  return startServer({ ...loaded, port: 0, dashboard: dashboardJar(flinkVersion)!, clock: { mode: 'manual' }, heldMetrics: 'at-once', jobTemplates: createJobTemplates(loaded.jarTemplates) });
}

/** Fields that stay without a value on the real dashboards too: read off the same pages of real clusters, with the same jobs. */
const EMPTY_ON_REAL_ONES: readonly (readonly [ReturnType<typeof since>, RegExp])[] = [
  // what still runs has no end
  [since('1.9'), /^End Time of .*: [-–]$/],
  // a drawing stands in for two rows
  [since('1.13'), /^Flink Memory Model of (Framework|JVM) Heap: $/],
  [since('1.13'), /^Maximum of Non-Heap: -$/],
  // the metrics are called otherwise by now
  [since('2.3'), /^Count of (Available|Total): $/],
  [since('1.13'), /^(Metric of JVM Heap|Effective Configuration of (Off-Heap Memory|JVM Metaspace|JVM Overhead)): -$/],
  [since('1.13'), /^(Count|Time) of (All|G1_\w+|PS_\w+): -$/],
  // a maximum that is not limited
  [since('1.20'), /^NaN%$/],
];

/** Walks pages and says which fields have no value though the real dashboard's would. */
export async function walk(dashboard: Dashboard, flinkVersion: string, pages: readonly DashboardPage[], alsoEmpty: readonly RegExp[] = []): Promise<string[]> {
  const version = parseFlinkVersion(flinkVersion)!;
  const allowed = EMPTY_ON_REAL_ONES.filter(([when]) => valueIn(when, version)).map(([, field]) => field).concat(alsoEmpty);
  const odd: string[] = [];
  for (const page of pages) {
    await dashboard.show(page);
    const wrong = async (): Promise<string[]> => (await dashboard.oddFields()).filter((field) => !allowed.some((known) => known.test(field)));
    // what is asked for in a second round comes a moment later
    const end = Date.now() + 3_000;
    let fields = await wrong();
    while (fields.length > 0 && Date.now() < end) {
      await dashboard.page.waitForTimeout(200);
      fields = await wrong();
    }
    odd.push(...fields.map((field) => `${page.name}: ${field}`));
  }
  return odd;
}
