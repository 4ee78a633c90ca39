import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recordSeries } from '../../../src/cli/backfill.js';
import { promtoolTests } from '../../../src/reporters/backfill/promtool-series.js';
import { loadScenario } from '../../../src/scenario/load-scenario.js';
import type { SimulationModel } from '../../../src/simulation/model/simulation-model.js';
import type { TimelineEvent } from '../../../src/simulation/model/timeline-event.js';
import { run, temporaryDirectory } from './real-servers.js';

const RULES = fileURLToPath(new URL('../../../demo/prometheus/alerts.yml', import.meta.url));
const EVERY_MS = 15_000;
/** What the rules read. */
const METRICS = /^(flink_jobmanager_job_(numberOfFailedCheckpoints|numRestarts|fullRestarts)|kafka_consumergroup_lag_sum|flink_taskmanager_job_task_(backPressuredTimeMsPerSecond|buffers_outPoolUsage))$/;

interface Expectation {
  /** From the start of the scenario. */
  readonly minute: number;
  /** Alerts that have fired in the time before. */
  readonly fired: readonly string[];
}

/** Runs `promtool test rules` on the demo's rules with what a scenario gives; fails with promtool's message. */
async function expectFired(model: SimulationModel, expectations: readonly Expectation[]): Promise<void> {
  await using folder = await temporaryDirectory();
  const minutes = Math.max(...expectations.map(({ minute }) => minute));
  const recorder = recordSeries({ model, forMs: minutes * 60_000, everyMs: EVERY_MS, format: 'promtool', isWanted: (name) => METRICS.test(name), out: null });
  const tests = expectations.map(({ minute, fired }) => {
    const samples = fired.map((name) => `          - { labels: '{alertname="${name}"}', value: 1 }\n`).join('');
    return `      - expr: 'group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${minute}m]))'\n        eval_time: ${minute}m\n        exp_samples:${samples === '' ? ' []\n' : `\n${samples}`}`;
  });
  const file = path.join(folder.directory, 'rules.test.yml');
  await writeFile(file, `${[...promtoolTests(recorder, EVERY_MS, [RULES])].join('')}    promql_expr_test:\n${tests.join('')}`);
  expect(await run('promtool', ['test', 'rules', file])).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
}

const scenario = (name: string, flinkVersion?: string) => loadScenario(name, flinkVersion === undefined ? {} : { flinkVersion }).model;

describe("the demo's alert rules", () => {
  it('are rules that promtool accepts, at both speeds', async () => {
    for (const file of [RULES, RULES.replace('.yml', '-x60.yml')]) expect(await run('promtool', ['check', 'rules', file])).toMatchObject({ code: 0 });
  });

  it.each(['1.9.3', '1.20.5'])('fire in the incident, and not in the quiet hour before it: Flink %s', async (version) => {
    await expectFired(scenario('incident-2020-04-09', version), [
      { minute: 58, fired: [] },
      { minute: 120, fired: ['FlinkBackPressureHigh', 'FlinkCheckpointsFailing', 'KafkaLagGrowing'] },
    ]);
  });

  it.each(['healthy', 'empty'])('are silent in %s', async (name) => {
    await expectFired(scenario(name), [{ minute: 60, fired: [] }]);
  });

  it('say that a job restarts when a task manager is lost', async () => {
    const model = scenario('healthy', '1.20.5');
    const loss: TimelineEvent = { atMs: 20 * 60_000, kind: 'kill-task-manager', taskManager: '0' };
    const replacement: TimelineEvent = { atMs: 21 * 60_000, kind: 'add-task-managers', count: 1 };
    const events = [...model.events, loss, replacement].sort((a, b) => a.atMs - b.atMs);
    await expectFired({ ...model, events }, [
      { minute: 19, fired: [] },
      // The checkpoint that was under way fails with it.
      { minute: 40, fired: ['FlinkCheckpointsFailing', 'FlinkJobRestarting'] },
    ]);
  });

  it('are the same at 60 times the speed but for their times', async () => {
    const { demoFiles } = (await import('../../../scripts/make-demo.mjs' as string)) as { demoFiles: (alerts: string) => Record<string, string> };
    const demo = new URL('../../../demo/', import.meta.url);
    const files = demoFiles(await readFile(RULES, 'utf8'));
    for (const [file, text] of Object.entries(files)) expect(await readFile(new URL(file, demo), 'utf8'), `${file}: run \`npm run demo\``).toBe(text);
  });
});
