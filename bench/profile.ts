// npm run bench:profile [-- --before DIR] [--only requests|start]: where the processor time of requests and of a start goes, and what is
// allocated a request; as tables, and as flame graphs in docs/benchmarks. DIR: a built checkout of an older state, measured in the same run.
import autocannon from 'autocannon';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { flameGraph } from './flame-graph.js';
import { byGroup, total, type Frame } from './frames.js';
import { CONNECTIONS, keepAnswers, namesOf, targets } from './http.js';
import { Inspector } from './inspector.js';
import { machine, round } from './report.js';
import { freePort, ROOT, startNode } from './servers.js';
import { cpuFrames, heapFrames, type CpuProfile, type Span } from './v8-profiles.js';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    out: { type: 'string', default: path.join(ROOT, 'docs', 'benchmarks') },
  },
});
const WARM_UP_REQUESTS = 3_000;
const ALLOCATION_REQUESTS = 10_000;
const STARTS = 60;
const SAMPLING_US = 200;

interface Profiled {
  readonly frames: Frame;
  /** What the profile is divided by: requests, or starts. */
  readonly count: number;
}

interface RequestsProfile {
  readonly cpu: Profiled;
  /** Bytes a request by endpoint. */
  readonly allocated: ReadonlyMap<string, number>;
}

/** Processor time of a process's main thread, µs. */
function mainThreadUs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}

async function load(url: string, paths: readonly string[], span: { amount: number } | { duration: number }): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, requests: paths.map((each) => ({ path: each })), ...span });
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx + result.errors} of ${result.requests.total} requests failed`);
  return result.requests.total;
}

/** Bytes that are allocated in V8's heap for a request, whatever became of them: samples of V8's heap profiler, those included that were collected. */
async function allocatedEach(inspector: Inspector, url: string, target: string): Promise<number> {
  await load(url, [target], { amount: WARM_UP_REQUESTS });
  await inspector.send('HeapProfiler.startSampling', { samplingInterval: 4_096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
  const requests = await load(url, [target], { amount: ALLOCATION_REQUESTS });
  const { profile } = await inspector.send('HeapProfiler.stopSampling');
  return total(heapFrames(profile.head)) / requests;
}

async function profileServer(args: readonly string[], readyPath: string, root: string, targetsOf: (url: string) => Promise<Record<string, string>>): Promise<RequestsProfile> {
  const inspectorPort = await freePort();
  const server = await startNode([`--inspect=127.0.0.1:${inspectorPort}`, '--inspect-publish-uid=http', ...args], readyPath, root);
  try {
    const inspector = await Inspector.connect(inspectorPort);
    const named = await targetsOf(server.url);
    const paths = Object.values(named);
    await load(server.url, paths, { amount: WARM_UP_REQUESTS * paths.length });
    await inspector.send('Profiler.enable');
    await inspector.send('Profiler.setSamplingInterval', { interval: SAMPLING_US });
    await inspector.send('Profiler.start');
    const cpuBefore = mainThreadUs(server.process.pid!);
    const count = await load(server.url, paths, { duration: Number(values.seconds) });
    const cpuUs = mainThreadUs(server.process.pid!) - cpuBefore;
    const { profile } = await inspector.send('Profiler.stop');
    await inspector.send('Profiler.disable');
    const allocated = new Map<string, number>();
    for (const [name, target] of Object.entries(named)) allocated.set(name, await allocatedEach(inspector, server.url, target));
    inspector.close();
    return { cpu: { frames: cpuFrames(profile, cpuUs), count }, allocated };
  } finally {
    await server.stop();
  }
}

/** As modules, not as the bundle, so that each function is seen in its file. */
function profileMock(root: string): Promise<RequestsProfile> {
  return profileServer(['dist/cli/main.js', 'serve', '--port', 'PORT', '--log-level', 'warn'], '/overview', root, async (url) => targets(await namesOf(url)));
}

/** fastify alone with the bytes that our own server sends. */
async function profileBare(directory: string): Promise<RequestsProfile> {
  const mock = await startNode(['dist/cli/main.js', 'serve', '--port', 'PORT', '--log-level', 'warn'], '/overview');
  const named = targets(await namesOf(mock.url));
  const list = await keepAnswers(mock.url, named, directory);
  await mock.stop();
  return profileServer(['bench/bare-server.mjs', 'PORT', list], '/ready', ROOT, async () => named);
}

const START = `
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { loadScenario, startServer } from './dist/index.js';
const [starts, samplingUs, file] = process.argv.slice(1);
const { model } = loadScenario('empty', {});
for (let i = 0; i < 10; i++) await (await startServer({ model, port: 0 })).close();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: Number(samplingUs) });
await session.post('Profiler.start');
const nowUs = () => Number(process.hrtime.bigint()) / 1000;
const threadUs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1000;
const spans = [];
let cpuUs = 0;
for (let i = 0; i < Number(starts); i++) {
  const from = nowUs(), cpuBefore = threadUs();
  const server = await startServer({ model, port: 0 });
  cpuUs += threadUs() - cpuBefore;
  spans.push([from, nowUs()]);
  await server.close();
}
const { profile } = await session.post('Profiler.stop');
writeFileSync(file, JSON.stringify({ profile, cpuUs, spans }));
process.exit(0);
`;

/** Starts of a server within a process, from the library; closing is not part of it. */
function profileStart(root: string, directory: string): Profiled {
  const file = path.join(directory, 'starts.json');
  execFileSync(process.execPath, ['--input-type=module', '-e', START, String(STARTS), String(SAMPLING_US), file], { cwd: root });
  const { profile, cpuUs, spans } = JSON.parse(readFileSync(file, 'utf8')) as { profile: CpuProfile; cpuUs: number; spans: Span[] };
  return { frames: cpuFrames(profile, cpuUs, spans), count: STARTS };
}

function table(title: string, unit: string, columns: ReadonlyMap<string, Profiled>): string {
  const sums = new Map([...columns].map(([name, { frames, count }]) => [name, new Map([...byGroup(frames)].map(([group, us]) => [group, us / count]))]));
  const groups = [...new Set([...sums.values()].flatMap((each) => [...each.keys()]))];
  const most = (group: string): number => Math.max(...[...sums.values()].map((each) => each.get(group) ?? 0));
  const whole = new Map([...columns].map(([name, { frames, count }]) => [name, total(frames) / count]));
  const least = Math.max(...whole.values()) / 100;
  const names = [...columns.keys()];
  const row = (group: string, of: (name: string) => number): string => `| ${group} | ${names.map((name) => round(of(name))).join(' | ')} |`;
  return [
    `### ${title}, ${unit}`,
    '',
    `| self time in | ${names.join(' | ')} |`,
    `| --- | ${names.map(() => '---:').join(' | ')} |`,
    row('all', (name) => whole.get(name)!),
    ...groups.filter((group) => most(group) >= least).sort((a, b) => most(b) - most(a)).map((group) => row(group, (name) => sums.get(name)!.get(group) ?? 0)),
    '',
  ].join('\n');
}

const on = machine();
process.stdout.write(`${on.date}, ${on.cpu}, ${on.cores} cores, ${on.os}, Node ${on.node}, load average ${on.loadAverage} at the start\n\n`);
const directory = mkdtempSync(path.join(tmpdir(), 'bench-'));
const roots = new Map([...(values.before === undefined ? [] : [['before', path.resolve(values.before)] as const]), ['now', ROOT] as const]);
mkdirSync(values.out, { recursive: true });
const draw = (name: string, title: string, { frames, count }: Profiled, unit: string): void => writeFileSync(path.join(values.out, `${name}.svg`), flameGraph(frames, title, count, unit));

async function requestsPart(): Promise<void> {
  const requests = new Map<string, RequestsProfile>();
  for (const [name, root] of roots) requests.set(name, await profileMock(root));
  for (const [name, { cpu }] of requests) draw(`requests-${name}`, `requests to seven endpoints, ${name}`, cpu, 'µs a request');
  requests.set('bare fastify', await profileBare(directory));
  process.stdout.write(`${table(`Requests (${CONNECTIONS} connections, seven endpoints in turn)`, 'µs of processor a request', new Map([...requests].map(([name, { cpu }]) => [name, cpu])))}\n`);
  const columns = [...requests.values()];
  process.stdout.write(`### Allocated in V8's heap, kB a request\n\n| endpoint | ${[...requests.keys()].join(' | ')} |\n| --- | ${columns.map(() => '---:').join(' | ')} |\n`);
  for (const name of columns[0]!.allocated.keys()) process.stdout.write(`| ${name} | ${columns.map(({ allocated }) => round(allocated.get(name)! / 1_000)).join(' | ')} |\n`);
}

function startPart(): void {
  const starts = new Map([...roots].map(([name, root]) => [name, profileStart(root, directory)]));
  for (const [name, start] of starts) draw(`start-${name}`, `a start within a process, ${name}`, start, 'µs a start');
  process.stdout.write(`\n${table('Start within a process, empty scenario', 'µs of processor a start', starts)}\n`);
}

try {
  if (values.only !== 'start') await requestsPart();
  if (values.only !== 'requests') startPart();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
