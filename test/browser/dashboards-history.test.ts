import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/server/start-server.js';
import { chromiumPath, dashboardJar, launch, skipReason } from './chromium.js';
import { Dashboard, serveDashboard } from './dashboard.js';
import { jobPath } from './dashboard-pages.js';

const chrome = chromiumPath();
const skip = skipReason([chrome, ...['1.20.5', '2.3.0'].map(dashboardJar)], 'Chromium and the dashboards');
let browser: Browser;

beforeAll(async () => {
  if (!skip) browser = await launch(chrome!);
});
afterAll(() => browser?.close());

const two = (value: number): string => String(value).padStart(2, '0');

/** As the pages write an instant: in the browser's zone, which is this machine's. */
function written(epochMs: number, withMs: boolean): string {
  const date = new Date(epochMs);
  const seconds = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return withMs ? `${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}` : seconds;
}

/** `1m 17s 61ms` */
function lasting(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1_000) % 60];
  return `${minutes > 0 ? `${minutes}m ` : ''}${ms >= 1_000 ? `${seconds}s ` : ''}${ms % 1_000}ms`;
}

/** The pages list vertices in the order of their ids. */
const byId = (vertices: Readonly<Record<string, any>>): any[] => Object.values(vertices).toSorted((a, b) => (a.jobVertexId < b.jobVertexId ? -1 : 1));

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

async function opened(scenario: string, version: string, look: (server: RunningServer, dashboard: Dashboard, ask: (path: string, init?: RequestInit) => Promise<any>) => Promise<void>): Promise<void> {
  const server = await serveDashboard(scenario, version);
  try {
    const dashboard = await Dashboard.open(browser, server.url);
    await look(server, dashboard, async (path, init) => (await fetch(server.url + path, init)).json());
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  } finally {
    await server.close();
  }
}

test.skipIf(skip)('the Rescales page of Flink 2.3.0 shows how a job grew and shrank, as the API tells it', async () => {
  await opened('rescale', '2.3.0', async (server, dashboard, ask) => {
    await server.advanceBy(38 * 60_000);
    const { jobs: [{ jid }] } = await ask('/jobs/overview');
    const rescales = (path: string) => ask(`/jobs/${jid}/rescales/${path}`);
    const [overview, history, summary, config] = await Promise.all(['overview', 'history', 'summary', 'config'].map(rescales));
    expect(history.map(({ triggerCause }: any) => triggerCause)).toEqual(['RECOVERABLE_FAILOVER', 'UPDATE_REQUIREMENT', 'NEW_RESOURCE_AVAILABLE', 'NEW_RESOURCE_AVAILABLE', 'INITIAL_SCHEDULE']);

    const { inProgress, completed, failed, ignored } = overview.rescalesCounts;
    const first = flat(await dashboard.show({ hash: `${jobPath('2.3.0', jid)}/rescales`, shows: /Rescale Counts[^]*Scheduler State History[^]*Latest Failed Rescale/ }));
    expect(first).toContain(`Total: ${inProgress + completed + failed + ignored} In Progress: ${inProgress} Completed: ${completed} Failed: ${failed} Ignored: ${ignored}`);
    const latest = overview.latest.completed;
    const details = await rescales(`details/${latest.rescaleUuid}`);
    expect(first).toContain(`Start Time: ${written(latest.startTimestampInMillis, true)} End Time: ${written(latest.endTimestampInMillis, true)} Duration: ${lasting(latest.endTimestampInMillis - latest.startTimestampInMillis)}`);
    expect(first).toContain('Latest Failed Rescale None');
    expect(await dashboard.rows('Acquired Parallelism')).toEqual(
      byId(details.vertices).map((vertex) => ({
        ID: vertex.jobVertexId.slice(0, 8),
        Name: vertex.jobVertexName,
        'Previous Parallelism': String(vertex.preRescaleParallelism),
        'Acquired Parallelism': String(vertex.postRescaleParallelism),
        'Desired Parallelism': String(vertex.desiredParallelism),
        'Sufficient Parallelism': String(vertex.sufficientParallelism),
        'Slot Sharing Group ID': vertex.slotSharingGroupId.slice(0, 8),
      })),
    );
    expect(await dashboard.rows('Leave Time')).toEqual(
      details.schedulerStates.map(({ state, enterTimestampInMillis: enter, leaveTimestampInMillis: leave }: any) => ({ State: state, 'Enter Time': written(enter, true), 'Leave Time': written(leave, true), Duration: expect.stringMatching(/\d+ms$/), Exception: '' })),
    );

    await dashboard.tab('History', /Trigger Cause/);
    expect(await dashboard.rows('Trigger Cause')).toEqual(
      history.map((rescale: any) => ({
        '': '',
        'Rescale UUID': rescale.rescaleUuid.slice(0, 8),
        'Requirements ID': rescale.resourceRequirementsUuid.slice(0, 8),
        'Attempt ID': String(rescale.rescaleAttemptId),
        'Trigger Cause': rescale.triggerCause,
        'Terminal State': rescale.terminalState,
        'Terminated Reason': rescale.terminatedReason,
        'Start Time': written(rescale.startTimestampInMillis, true),
        Duration: lasting(rescale.endTimestampInMillis - rescale.startTimestampInMillis),
        'End Time': written(rescale.endTimestampInMillis, true),
      })),
    );
    const before = await rescales(`details/${history[2].rescaleUuid}`);
    await dashboard.page.locator('nz-content .ant-table-row-expand-icon:visible').nth(2).click();
    await dashboard.settled(/Scheduler State History/);
    expect((await dashboard.rows('Acquired Parallelism')).map((row) => [row['Previous Parallelism'], row['Acquired Parallelism']])).toEqual(byId(before.vertices).map((vertex) => [String(vertex.preRescaleParallelism), String(vertex.postRescaleParallelism)]));
    expect(byId(before.vertices).map((vertex) => vertex.preRescaleParallelism < vertex.postRescaleParallelism)).not.toContain(false);

    const sums = flat(await dashboard.tab('Summary', /Total Rescales[^]*99.9% percentile/));
    const { max, min, avg } = summary.rescalesDurationStatsInMillis;
    expect(sums).toContain(`Completed Rescales ${completed} Failed Rescales ${failed} Rescale Duration Max ${lasting(max)} Rescale Duration Min ${lasting(min)} Rescale Duration Average ${lasting(avg)}`);
    expect(sums).toContain(`50% percentile ${lasting(summary.completedRescalesDurationStatsInMillis.p50)} n/a n/a`);
    expect(flat(await dashboard.tab('Configuration', /History Max/))).toContain(
      `Executing Cooldown Timeout ${lasting(config.executingCooldownTimeoutInMillis)} Executing Resource Stabilization Timeout ${lasting(config.executingResourceStabilizationTimeoutInMillis)} Maximum Delay For Triggering Rescale ${lasting(config.maximumDelayForTriggeringRescaleInMillis)} Rescale On Failed Checkpoint Count ${config.rescaleOnFailedCheckpointCount} History Max ${config.rescaleHistoryMax}`,
    );
  });
});

describe.each([
  ['1.20.5', 'bp-1.jar'],
  ['2.3.0', 'bp-2.jar'],
])('the exceptions page of Flink %s', (version, jar) => {
  test.skipIf(skip)('shows what failed beside the root exception, one to choose', async () => {
    await opened('recorded-script', version, async (server, dashboard, ask) => {
      const form = new FormData();
      form.append('jarfile', new Blob([await readFile(new URL(`../golden/jars/${jar}`, import.meta.url))], { type: 'application/java-archive' }), jar);
      await ask('/jars/upload', { method: 'POST', body: form });
      const [{ id }] = (await ask('/jars')).files;
      const { jobid } = await ask(`/jars/${id}/run`, { method: 'POST', body: JSON.stringify({ entryClass: 'Bp', programArgsList: ['--rate', '200', '--us', '0', '--fail', '300'] }) });
      await server.advanceBy(45_000);
      const { exceptionHistory: { entries } } = await ask(`/jobs/${jobid}/exceptions?maxExceptions=10`);
      const nth = entries.findIndex(({ concurrentExceptions }: any) => concurrentExceptions.length > 0);
      expect(nth).toBeGreaterThanOrEqual(0);
      const entry = entries[nth];
      const [beside] = entry.concurrentExceptions;
      expect(beside.stacktrace).toContain('synthetic failure');
      const taskOf = ({ taskName }: any): string => taskName ?? '(global failure)';

      const { page } = dashboard;
      const editor = (): Promise<string> => page.locator('nz-content .view-lines:visible').last().innerText().then((text) => flat(text.replaceAll('\u00a0', ' ')));
      await dashboard.show({ hash: `${jobPath(version, jobid, 'completed')}/exceptions`, shows: /Root Exception/ });
      await expect.poll(editor).toContain(`${written(entries[0].timestamp, false)} ${flat(entries[0].stacktrace).slice(0, 80)}`);

      await dashboard.tab('Exception History', /Time/);
      const rows = () => dashboard.rows('Time');
      const shown = (each: any) => ({ Time: written(each.timestamp, false), Exception: each.exceptionName, 'Task Name': taskOf(each), Location: each.endpoint ? `${each.taskManagerId}(${each.endpoint})` : '(unassigned)' });
      await expect.poll(rows).toMatchObject(entries.map(shown));
      // only where there is a choice
      const selects = page.locator('nz-content nz-select.exception-select');
      expect(await selects.evaluateAll((all: { classList: { contains(name: string): boolean } }[]) => all.map((each) => each.classList.contains('ant-select-disabled')))).toEqual(entries.map(({ concurrentExceptions }: any) => concurrentExceptions.length === 0));
      await selects.nth(nth).click();
      const options = page.locator('.ant-select-item-option');
      await expect.poll(() => options.allInnerTexts().then((texts) => texts.map((text) => text.trim()))).toEqual([entry, ...entry.concurrentExceptions].map(taskOf));
      await options.nth(1).click();
      await expect.poll(async () => (await rows())[nth]).toMatchObject(shown(beside));
      await page.locator('nz-content .ant-table-row-expand-icon:visible').nth(nth).click();
      await expect.poll(editor).toContain(flat(beside.stacktrace).slice(0, 80));
    });
  });
});
