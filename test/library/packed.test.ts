import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PROGRAM = `
import { ConditionNotMet, ControlClient, ControlError, ScenarioError, Simulation, loadScenario, mockFlinkFixture, parseScenario, startMockFlink, startServer } from 'mock-flink';
import type { AppliedEvent, ClockView, ConditionInput, EventInput, FaultView, FeedEvent, HttpFaultInput, JobSummary, JournalEntry, Mark, MockFlink, MockFlinkOptions, PendingEvent, StateSummary, Verification } from 'mock-flink';

const options: MockFlinkOptions = { scenario: 'slow-sink', openAt: 0, control: { token: 'secret' } };
await using flink: MockFlink = await startMockFlink(options);
const event: EventInput = { setSinkCapacity: { operator: 'Database: Writer', capacity: '50/s' } };
const applied: AppliedEvent = flink.events.apply(event);
const pending: PendingEvent[] = flink.events.pending();
const condition: ConditionInput = { jobStatus: { status: 'RUNNING' } };
await flink.advanceUntil(condition);
const jobs: JobSummary[] = flink.jobs.list();
const fault: HttpFaultInput = { path: '/overview', error: { status: 502 } };
const id: string = flink.faults.add(fault);
const seen: FaultView = flink.faults.get(id);
const status: number = (await fetch(flink.url + '/overview')).status;
const entries: JournalEntry[] = flink.journal.entries();
const verification: Verification = flink.journal.verify({ path: '/overview' }, { exactly: 1 });
const marks: Mark[] = flink.history.listMarks();
const summary: StateSummary = flink.summary();
const client = new ControlClient(flink.controlUrl!, { token: 'secret' });
const clock: ClockView = await client.clock.get();
const feed: FeedEvent[] = [];
const stop: () => void = flink.feed.subscribe((each) => void feed.push(each));
stop();
// @ts-expect-error there is no such event
void ((): unknown => flink.events.apply({ setNothing: {} }));
// @ts-expect-error a level is a word
void ((): unknown => flink.advanceUntil({ vertexLevel: { vertex: 'x', level: 3 } }));
const simulation = new Simulation(loadScenario('empty'));
console.log(JSON.stringify({ status, struck: flink.faults.get(id).struck, passed: verification.passed, jobs: jobs.length, same: clock.nowMs === flink.clock.nowMs, simulation: simulation.nowMs > 0, known: [applied, pending, seen, entries, marks, summary, ConditionNotMet, ControlError, ScenarioError, mockFlinkFixture, parseScenario, startServer].length }));
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mock-flink-consumer-'));
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['xzf', tarball!], { cwd: folder });
  const modules = path.join(folder, 'node_modules');
  await mkdir(modules);
  // What an installation would bring.
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) if (!name.startsWith('.')) await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  await rename(path.join(folder, 'package'), path.join(modules, 'mock-flink'));
  await writeFile(path.join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(path.join(folder, 'program.ts'), PROGRAM);
  const compilerOptions = { target: 'ES2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, lib: ['ES2023', 'ESNext.Disposable'], types: ['node'], outDir: 'out' };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package as it is published', () => {
  it('compiles in a strict project that checks the libraries too, runs, and lets the process end by itself', { timeout: 240_000 }, async () => {
    await run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder }).catch((error: { stdout: string }) => expect.fail(error.stdout));
    const { stdout } = await run(process.execPath, ['out/program.js'], { cwd: folder, timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({ status: 502, struck: 1, passed: true, jobs: 1, same: true, simulation: true, known: 12 });
  });

  it('has source maps with the sources in them', async () => {
    const dist = path.join(folder, 'node_modules/mock-flink/dist');
    for (const file of ['index.js', 'library/start-mock-flink.js', 'simulation/simulation.js']) {
      expect(await readFile(path.join(dist, file), 'utf8')).toMatch(/\/\/# sourceMappingURL=/);
      const { sourcesContent } = JSON.parse(await readFile(path.join(dist, `${file}.map`), 'utf8')) as { sourcesContent: string[] };
      expect(sourcesContent[0]).toMatch(/export /);
    }
  });

  it('passes its examples for node:test', { timeout: 120_000 }, async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'examples/node-test/monitor.test.mjs'], { cwd: ROOT, timeout: 100_000 });
    expect(stdout).toMatch(/^# pass 2$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});
