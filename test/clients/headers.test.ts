import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installFlinkJava, type FlinkJava } from './install/flink-java.js';
import { run, tryInstall, type Installation } from './install/tools.js';
import { contextsOfScenario, playAdaptiveJob, playHeaderJobs, type Context } from './support/header-contexts.js';
import { MockCluster } from './support/mock-cluster.js';
import { VERSIONS, isRefusedByFlink } from './support/header-expectations.js';

describe.each(VERSIONS)('message classes of Flink $version', ({ version, atLeast }) => {
  let flink: Installation<FlinkJava>;
  let cluster: MockCluster | undefined;
  let contexts: Context[];
  const folder = mkdtempSync(path.join(tmpdir(), 'headers-'));

  beforeAll(async () => {
    flink = await tryInstall(`Flink ${version}'s client`, () => installFlinkJava(version));
    if ('skipped' in flink) return;
    cluster = await MockCluster.start(version, ['--scenario', 'recorded-script', '--clock', 'manual']);
    contexts = await playHeaderJobs(cluster);
  }, 300_000);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every GET answer is read by the strict mapper and written back as it came', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const file = path.join(folder, 'contexts.json');
    writeFileSync(file, JSON.stringify(contexts));
    const { stdout, stderr, code } = await run('java', flink.value.command('Headers', [String(cluster!.port), file]));
    expect(code, stderr.slice(-2000)).toBe(0);
    const lines = stdout.trim().split('\n');
    const passed = lines.filter((line) => line.startsWith('PASS '));
    console.log(`Flink ${version}: ${passed.length} answers read and written back`);
    expect(lines.filter((line) => !line.startsWith('PASS ') && !isRefusedByFlink(line))).toEqual([]);
    expect(passed.length).toBeGreaterThanOrEqual(atLeast);
  }, 240_000);
});

describe.each(['2.3.0', '1.20.5'])('message classes of Flink %s and the adaptive scheduler', (version) => {
  test('requirements and rescales are read by the strict mapper and written back as they came', async (context) => {
    const flink = await tryInstall(`Flink ${version}'s client`, () => installFlinkJava(version));
    if ('skipped' in flink) return context.skip(flink.skipped);
    const cluster = await MockCluster.start(version, ['--scenario', 'recorded-script', '--clock', 'manual', '--config', 'jobmanager.scheduler=adaptive', '--config', 'web.adaptive-scheduler.rescale-history.size=5']);
    const folder = mkdtempSync(path.join(tmpdir(), 'headers-'));
    try {
      const file = path.join(folder, 'contexts.json');
      writeFileSync(file, JSON.stringify(await playAdaptiveJob(cluster)));
      const { stdout, stderr, code } = await run('java', flink.value.command('Headers', [String(cluster.port), file]));
      expect(code, stderr.slice(-2000)).toBe(0);
      const lines = stdout.trim().split('\n');
      expect(lines.filter((line) => !/^(PASS|UNSENT) /.test(line))).toEqual([]);
      const asked = lines.filter((line) => /^PASS \S*\/(resource-requirements|rescales\/\w+)/.test(line));
      expect(asked.length).toBeGreaterThanOrEqual(version === '2.3.0' ? 6 : 1);
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 240_000);
});

describe.each(['2.3.0', '1.9.3'])('message classes of Flink %s and the default scenario', (version) => {
  test('every GET answer is read by the strict mapper and written back as it came', async (context) => {
    const flink = await tryInstall(`Flink ${version}'s client`, () => installFlinkJava(version));
    if ('skipped' in flink) return context.skip(flink.skipped);
    const cluster = await MockCluster.start(version, ['--clock', 'manual', '--config', 'rest.profiling.enabled=true']);
    const folder = mkdtempSync(path.join(tmpdir(), 'headers-'));
    try {
      const file = path.join(folder, 'contexts.json');
      writeFileSync(file, JSON.stringify(await contextsOfScenario(cluster)));
      const { stdout, stderr, code } = await run('java', flink.value.command('Headers', [String(cluster.port), file]));
      expect(code, stderr.slice(-2000)).toBe(0);
      const lines = stdout.trim().split('\n');
      expect(lines.filter((line) => !/^(PASS|UNSENT) /.test(line) && !isRefusedByFlink(line))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('PASS ')).length).toBeGreaterThanOrEqual(50);
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
