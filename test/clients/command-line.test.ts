import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installFlinkJava, type FlinkJava } from './install/flink-java.js';
import { tryInstall, type Installation } from './install/tools.js';
import { FlinkCli } from './support/flink-cli.js';
import { MockCluster } from './support/mock-cluster.js';
import { JobNames } from './support/normalize.js';

const UNKNOWN = 'f'.repeat(32);

describe.each(['2.3.0', '1.20.5', '1.13.6', '1.9.3'])('flink command line of %s', (version) => {
  let flink: Installation<FlinkJava>;
  let cluster: MockCluster | undefined;
  let cli: FlinkCli | undefined;

  beforeAll(async () => {
    flink = await tryInstall(`Flink ${version}'s command line`, () => installFlinkJava(version));
    if ('skipped' in flink) return;
    cluster = await MockCluster.start(version, ['--scenario', 'recorded-script', '--speed', '5']);
    cli = FlinkCli.start(flink.value, cluster.port);
  }, 300_000);
  afterAll(async () => {
    await cli?.stop();
    await cluster?.stop();
  });

  test('runs, lists, takes savepoints and checkpoints, stops, cancels and fails as with a real cluster', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const jobs: Record<string, string> = { [UNKNOWN]: 'JOB-UNKNOWN' };
    const transcript: string[] = [];
    let savepoint = '';
    const flinkCommand = async (...words: string[]) => {
      const { code, stdout, stderr } = await cli!.run(...words.map((word) => (word === 'SAVEPOINT' ? savepoint : word)));
      savepoint = /(file:\S*\/savepoint-\w+-\w+)/.exec(stdout)?.[1] ?? savepoint;
      // instants and the order of jobs that started in one second differ from run to run
      const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '' && !/^\s*(at |\.\.\. )|WARN|INFO|SLF4J|log4j/.test(line));
      transcript.push(`$ flink ${words.join(' ')} [${code}]`, ...lines.map((line) => line.replace(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d : /, 'INSTANT : ')), '');
      return stdout;
    };
    const start = async (name: string): Promise<string> => {
      const output = await flinkCommand('run', '-d', '-c', 'Bp', fileURLToPath(cluster!.jar), '--name', name, '--us', '0', '--rate', '500', '--iv', '3000');
      const job = /JobID ([0-9a-f]{32})/.exec(output)?.[1];
      expect(job, output).toBeDefined();
      jobs[job!] = `JOB-${name.toUpperCase()}`;
      await cluster!.reaches(job!, 'RUNNING');
      await cluster!.hasCheckpoint(job!);
      return job!;
    };

    await flinkCommand('list');
    const a = await start('a');
    await flinkCommand('list', '-r');
    const b = await start('b');
    await flinkCommand('savepoint', a);
    await flinkCommand('savepoint', '-d', 'SAVEPOINT');
    if (!/^1\.(9|13)\./.test(version)) {
      await flinkCommand('savepoint', '-type', 'native', a);
      await flinkCommand('checkpoint', a);
      await flinkCommand('checkpoint', '-full', a);
      await flinkCommand('savepoint', '-detached', a);
      await sleep(1000);
    }
    await flinkCommand('stop', a);
    await flinkCommand('cancel', '-s', `${cluster!.data}/savepoints`, b);
    const c = await start('c');
    await flinkCommand('cancel', c);
    await cluster!.reaches(c, 'CANCELED');
    await flinkCommand('list', '-s');
    await flinkCommand('list', '-a');
    await flinkCommand('savepoint', UNKNOWN);
    await flinkCommand('stop', UNKNOWN);
    await flinkCommand('cancel', UNKNOWN);
    await flinkCommand('savepoint', '-d', '/nope/savepoint');
    const names = new JobNames(jobs);
    const text = transcript.join('\n').replaceAll(fileURLToPath(cluster!.jar), 'JAR').replaceAll(cluster!.data, '/data/flink');
    await expect(names.normalize(text)).toMatchFileSnapshot(`expected/command-line-${version}.txt`);
    const overview = await cluster!.get('/jobs/overview');
    expect(overview.jobs.map((job: any) => [job.name, job.state]).sort()).toEqual([['a', 'FINISHED'], ['b', 'CANCELED'], ['c', 'CANCELED']]);
    expect(overview.jobs.find((job: any) => job.jid === a).tasks.total).toBe(8);
  }, 240_000);
});
