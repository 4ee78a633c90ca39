import { readFileSync } from 'node:fs';
import { startServer } from '../../../src/server/start-server.js';
import { restSpec } from '../../../src/versions/rest-spec.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import type { RecordedAnswer } from '../../golden/recording.js';
import { ScriptClient } from '../../golden/script-client.js';
import { twoTaskManagers } from '../../simulation/fixture.js';
import { BP_TEMPLATES } from './bp-templates.js';

const ZERO = '0'.repeat(32);
/** Between two requests of the real script a few milliseconds passed; a held clock has to be told. */
const MS_BETWEEN_REQUESTS = 10;
const JOB_INDEPENDENT = ['/config', '/overview', '/jars', '/datasets', '/taskmanagers', '/jobmanager/config', '/jobmanager/environment', '/jobmanager/logs', '/jobmanager/profiler', '/jobmanager/thread-dump', '/applications/overview'];
const OF_TASK_MANAGER = ['', '/log', '/stdout', '/logs', '/profiler', '/thread-dump'].map((rest) => `/taskmanagers/:taskmanagerid${rest}`);
const OF_JOB = ['/jobmanager/config', '/jobmanager/environment', '/jobmanager/log-url', '/taskmanagers/:taskmanagerid/log-url'].map((rest) => `/jobs/:jobid${rest}`);
const ERRORS: readonly (readonly [string, string])[] = [
  ['GET', '/taskmanagers/nope'], ['GET', '/taskmanagers/nope/thread-dump'], ['GET', '/taskmanagers/nope/logs'], ['GET', '/taskmanagers/nope/log'],
  ['GET', '/jobmanager/log'], ['GET', '/jobmanager/logs/nope.log'], ['GET', '/jobmanager/logs/..%2Fconf'], ['GET', '/jobmanager/stdout'],
  ['GET', '/jars/nope.jar/plan'], ['POST', '/jars/nope.jar/run'], ['DELETE', '/jars/nope.jar'],
  ['POST', `/jobs/${ZERO}/savepoints`], ['POST', `/jobs/${ZERO}/stop`], ['GET', `/jobs/${ZERO}/savepoints/${ZERO}`], ['GET', `/jobs/${ZERO}/savepoints/xyz`],
  ['GET', `/savepoint-disposal/${ZERO}`], ['POST', '/savepoint-disposal'], ['GET', `/jobs/${ZERO}/rescaling/${ZERO}`], ['PATCH', `/jobs/${ZERO}/rescaling`],
  ['GET', '/datasets'], ['DELETE', `/datasets/${ZERO}`], ['GET', `/datasets/delete/${ZERO}`], ['GET', `/jobs/${ZERO}/checkpoints/${ZERO}`], ['GET', '/config'],
  ['GET', `/applications/${ZERO}`], ['GET', '/applications/overview'],
];

/** The recorded script's steps that ask for the cluster, its jars and operations, against a server of the version. */
export async function runClusterScript(version: string): Promise<RecordedAnswer[]> {
  const model = twoTaskManagers(version);
  // As the recorded clusters were configured.
  const options = { ...model.options, 'rest.profiling.enabled': 'true', 'web.upload.dir': '/data/flink/upload', 'web.tmpdir': '/data/flink/upload' };
  await using server = await startServer({ model: { ...model, options }, port: 0, clock: { mode: 'manual' }, jobTemplates: BP_TEMPLATES, openAtMs: 5_000 });
  const client = new ScriptClient(Number(new URL(server.url).port), (seconds) => server.advanceBy(seconds * 1000), () => server.advanceBy(MS_BETWEEN_REQUESTS));
  await runSteps(client, version);
  return client.records;
}

async function runSteps(client: ScriptClient, version: string): Promise<void> {
  const { endpoints } = restSpec(parseFlinkVersion(version)!);
  const has = (method: string, url: string) => endpoints.some((endpoint) => endpoint.method === method && endpoint.url === url);
  const ask = client.ask.bind(client);
  const sweep = async (tag: string, job?: string) => {
    const [manager] = (await client.look('/taskmanagers'))['taskmanagers'] as { id: string }[];
    for (const url of [...JOB_INDEPENDENT, ...OF_TASK_MANAGER, ...(job ? OF_JOB : [])]) {
      if (has('GET', url)) await ask('GET', url.replace(':taskmanagerid', manager!.id).replace(':jobid', job ?? ''), { name: `[${tag}] ${url}` });
    }
  };
  const poll = async (path: string, name: string) => {
    await ask('GET', path, { name: `${name} (first poll)` });
    for (let i = 0; i < 100; i++) {
      const { json } = await ask('GET', path, { keep: false });
      if ((json as { status?: { id: string } }).status?.id === 'COMPLETED') break;
      await client.sleep(0.3);
    }
    return ask('GET', path, { name: `${name} (last poll)` });
  };
  const requestId = (answer: RecordedAnswer) => (answer.json as { 'request-id'?: string } | undefined)?.['request-id'];

  const askForWhatIsNotThere = async () => {
    for (const [method, path] of ERRORS) await ask(method, path, { name: `error ${method} ${path}` });
  };

  // Shows interest in metrics: the first answer about them comes before any were fetched.
  await client.look('/jobs/metrics');
  await sweep('empty');
  await askForWhatIsNotThere();
  const edge = '----capture';
  const form = (name: string, file: string, bytes: Buffer) => ({
    body: Buffer.concat([Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: application/x-java-archive\r\n\r\n`), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${edge}`,
  });
  await ask('POST', '/jars/upload', { ...form('f', 'a.txt', Buffer.from('hello')), name: 'upload not a jar' });
  const bytes = readFileSync(new URL('../../golden/jars/bp-1.jar', import.meta.url));
  const uploaded = (await ask('POST', '/jars/upload', { ...form('jarfile', 'bp.jar', bytes), name: 'upload jar' })).json as { filename: string };
  const jar = uploaded.filename.split('/').at(-1)!;
  await ask('GET', '/jars');
  await ask('GET', `/jars/${jar}/plan?entry-class=Bp`, { name: 'jar plan' });
  await ask('POST', `/jars/${jar}/plan`, { body: { entryClass: 'Bp', programArgsList: ['--p', '3'], parallelism: 3 }, name: 'jar plan POST' });
  await ask('GET', `/jars/${jar}/plan?entry-class=Nope`, { name: 'jar plan bad class' });
  await ask('POST', `/jars/${jar}/run`, { body: { entryClass: 'Nope' }, name: 'run bad class' });
  await ask('POST', `/jars/${jar}/run?parallelism=abc`, { name: 'run bad parallelism' });
  await ask('POST', `/jars/${jar}/run`, { body: { entryClass: 'Bp', savepointPath: '/nope/sp' }, name: 'run bad savepoint' });
  const run = async (name: string, args: string) => {
    const answer = await ask('POST', `/jars/${jar}/run`, { body: { entryClass: 'Bp', programArgsList: ['--name', name, ...args.split(' ')] }, name: `run ${name}` });
    return (answer.json as { jobid: string }).jobid;
  };
  const a = await run('A exactly once', '--rate 5000 --us 2000 --p 2 --mode EXACTLY_ONCE --iv 4000');
  await client.sleep(20);
  await client.look('/jobs/metrics');
  await sweep('running', a);
  await askForWhatIsNotThere();
  await ask('GET', `/jobs/${a}/savepoints/${ZERO}`, { name: `odd GET /jobs/<job>/savepoints/${ZERO}` });
  await ask('PATCH', `/jobs/${a}/rescaling?parallelism=2`, { name: 'odd PATCH /jobs/<job>/rescaling?parallelism=2' });

  const savepoint = requestId(await ask('POST', `/jobs/${a}/savepoints`, { body: { 'cancel-job': false }, name: 'savepoint trigger' }));
  const done = await poll(`/jobs/${a}/savepoints/${savepoint}`, 'savepoint status');
  const location = (done.json as { operation: { location: string } }).operation.location;
  for (const [path, name] of [[location, 'dispose savepoint'], ['/nope/x', 'dispose missing']] as const) {
    const trigger = requestId(await ask('POST', '/savepoint-disposal', { body: { 'savepoint-path': path }, name }));
    await poll(`/savepoint-disposal/${trigger}`, `${name} status`);
  }
  if (has('POST', '/jobs/:jobid/checkpoints')) {
    for (const kind of ['CONFIGURED', 'FULL', 'INCREMENTAL', 'bogus']) {
      const trigger = requestId(await ask('POST', `/jobs/${a}/checkpoints`, { body: { checkpointType: kind }, name: `checkpoint trigger ${kind}` }));
      if (trigger) await poll(`/jobs/${a}/checkpoints/${trigger}`, `checkpoint trigger ${kind} status`);
    }
  }
  const b = await run('B at least once', '--rate 5000 --us 2000 --p 1 --mode AT_LEAST_ONCE --iv 4000');
  const c = await run('C no checkpoints', '--rate 500 --us 100 --p 1 --iv 0');
  await client.sleep(10);
  await ask('GET', '/overview', { name: 'overview with jobs' });
  await ask('POST', `/jobs/${c}/savepoints`, { body: {}, name: 'savepoint on job without checkpointing' });
  const stop = requestId(await ask('POST', `/jobs/${b}/stop`, { body: { drain: false }, name: 'stop with savepoint' }));
  await poll(`/jobs/${b}/savepoints/${stop}`, 'stop status');
  await ask('DELETE', `/jars/${jar}`, { name: 'delete jar' });
  await ask('GET', '/jars', { name: 'jars after delete' });
  await ask('GET', '/jobmanager/log', { name: 'jm log' });
  await ask('GET', '/jobmanager/logs', { name: 'jm logs' });
}
