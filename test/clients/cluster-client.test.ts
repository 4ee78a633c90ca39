import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installFlinkJava, type FlinkJava } from './install/flink-java.js';
import { run, tryInstall, type Installation } from './install/tools.js';
import { MockCluster } from './support/mock-cluster.js';
import { JobNames } from './support/normalize.js';

const UNKNOWN = 'f'.repeat(32);

describe.each(['2.3.0', '1.20.5', '1.13.6', '1.9.3'])('RestClusterClient of Flink %s', (version) => {
  let flink: Installation<FlinkJava>;
  let cluster: MockCluster | undefined;

  beforeAll(async () => {
    flink = await tryInstall(`Flink ${version}'s client`, () => installFlinkJava(version));
    if ('value' in flink) cluster = await MockCluster.start(version, ['--scenario', 'recorded-script', '--speed', '5']);
  }, 300_000);
  afterAll(() => cluster?.stop());

  test('lists, triggers, stops, cancels and reads failures as from a real cluster', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const jar = await cluster!.upload();
    const failing = await cluster!.runBp(jar, 'failing', { fail: 1, p: 1, iv: 0 });
    await cluster!.reaches(failing, 'FAILED');
    const a = await cluster!.runBp(jar, 'a', { us: 0, rate: 500 });
    const b = await cluster!.runBp(jar, 'b', { us: 0, rate: 500 });
    for (const job of [a, b]) await cluster!.reaches(job, 'RUNNING');
    for (const job of [a, b]) await cluster!.hasCheckpoint(job);
    const format = version.startsWith('1.9') || version.startsWith('1.13') ? '' : ' CANONICAL';
    const steps = [
      'listJobs', `getJobStatus ${a}`, `getJobDetails ${a}`, `getAccumulators ${a}`, `triggerSavepoint ${a}${format}`,
      ...(format === '' ? [] : [`triggerCheckpoint ${a} FULL`, `triggerCheckpoint ${a} CONFIGURED`, `triggerSavepoint ${a} NATIVE`]),
      'disposeSavepoint last', 'disposeSavepoint last', 'disposeSavepoint /nope/savepoint', `stopWithSavepoint ${a} false${format}`, `requestJobResult ${a}`,
      `cancelWithSavepoint ${b}${format}`, `requestJobResult ${b}`, `requestJobResult ${failing}`, `getAccumulators ${a}`, `triggerSavepoint ${a}${format}`, `cancel ${a}`,
      `getJobStatus ${UNKNOWN}`, `getJobDetails ${UNKNOWN}`, `triggerSavepoint ${UNKNOWN}${format}`, `stopWithSavepoint ${UNKNOWN} false${format}`, `cancel ${UNKNOWN}`,
      `requestJobResult ${UNKNOWN}`, `getAccumulators ${UNKNOWN}`, 'listJobs',
    ];
    const { stdout, stderr, code } = await run('java', flink.value.command('ClusterClient', [String(cluster!.port), ...steps]));
    expect(code, stderr.slice(-2000)).toBe(0);
    const names = new JobNames({ [a]: 'JOB-A', [b]: 'JOB-B', [failing]: 'JOB-FAILING', [UNKNOWN]: 'JOB-UNKNOWN' });
    await expect(names.normalize(stdout)).toMatchFileSnapshot(`expected/cluster-client-${version}.txt`);
  }, 240_000);
});
