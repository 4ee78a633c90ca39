import { FormData } from 'undici';
import { zip } from '../../test/rest/framework/zip.js';
import type { Client } from './client.js';
import type { Directory } from './directory.js';
import type { Outcome } from './judge.js';
import type { Random } from './random.js';

/** Who asks. */
export type Kind = 'dashboard' | 'prometheus' | 'control' | 'operations';

interface Asked {
  readonly weight: number;
  readonly target: string;
}

const asked = (weight: number, ...targets: readonly string[]): Asked[] => targets.map((target) => ({ weight, target }));

/** Every GET of Flink's API, as often as a dashboard that stands open asks for it. */
const DASHBOARD: readonly Asked[] = [
  ...asked(30, '/overview', '/jobs/overview', '/jobs/:jobid'),
  ...asked(15, '/taskmanagers', '/jobs/:jobid/vertices/:vertexid', '/jobs/:jobid/vertices/:vertexid/metrics', '/jobs/:jobid/vertices/:vertexid/metrics?get=0.numRecordsInPerSecond,0.busyTimeMsPerSecond', '/jobs/:jobid/vertices/:vertexid/subtasks/metrics?get=numRecordsOut', '/jobs/:jobid/checkpoints', '/jobs/:jobid/vertices/:vertexid/backpressure'),
  ...asked(8, '/jobs/:jobid/exceptions', '/jobs/:jobid/vertices/:vertexid/watermarks', '/jobs/:jobid/vertices/:vertexid/subtasktimes', '/jobs/:jobid/vertices/:vertexid/taskmanagers', '/taskmanagers/:taskmanagerid', '/taskmanagers/:taskmanagerid/metrics', '/jobmanager/metrics', '/jobs', '/jobs/:jobid/checkpoints/details/:checkpointid', '/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid'),
  ...asked(3, '/config', '/jobs/:jobid/config', '/jobs/:jobid/plan', '/jobs/:jobid/checkpoints/config', '/jobs/:jobid/accumulators', '/jobs/:jobid/metrics', '/jobs/:jobid/metrics?get=lastCheckpointDuration', '/jobs/:jobid/status', '/jobs/:jobid/execution-result', '/jobs/:jobid/resource-requirements', '/jobs/metrics', '/taskmanagers/metrics', '/jars', '/datasets'),
  ...asked(3, '/jobs/:jobid/vertices/:vertexid/accumulators', '/jobs/:jobid/vertices/:vertexid/subtasks/accumulators', '/jobs/:jobid/vertices/:vertexid/subtasks/:subtask', '/jobs/:jobid/vertices/:vertexid/subtasks/:subtask/metrics', '/jobs/:jobid/vertices/:vertexid/jm-operator-metrics', '/jobs/:jobid/savepoints/:trigger'),
  ...asked(1, '/jobmanager/config', '/jobmanager/environment', '/jobmanager/logs', '/jobmanager/log', '/jobmanager/stdout', '/jobmanager/thread-dump', '/jobmanager/profiler', '/jobs/:jobid/jobmanager/config', '/jobs/:jobid/jobmanager/environment', '/jobs/:jobid/jobmanager/log-url'),
  ...asked(1, '/taskmanagers/:taskmanagerid/logs', '/taskmanagers/:taskmanagerid/log', '/taskmanagers/:taskmanagerid/stdout', '/taskmanagers/:taskmanagerid/thread-dump', '/taskmanagers/:taskmanagerid/profiler', '/jobs/:jobid/vertices/:vertexid/flamegraph?type=full', '/', '/jars/:jarid/plan'),
];

const CONTROL: readonly Asked[] = asked(1, '/_mock/health', '/_mock/state', '/_mock/clock', '/_mock/events', '/_mock/faults', '/_mock/jobs', '/_mock/marks', '/_mock/snapshots', '/_mock/journal?limit=20', '/_mock/logs?process=jobmanager&offset=0&limit=4000', '/_mock/openapi.json', '/_mock/reporters', '/_mock/kafka/metrics');

const CLIENTS: readonly { readonly kind: Kind; readonly weight: number }[] = [
  { kind: 'dashboard', weight: 940 },
  { kind: 'prometheus', weight: 10 },
  { kind: 'control', weight: 35 },
  { kind: 'operations', weight: 15 },
];

const JAR = zip({ 'META-INF/MANIFEST.MF': 'Main-Class: org.example.Ticks\n', 'org/example/Ticks.class': 'x'.repeat(2_000) });
/** So many jars and jobs of jars there are at a time. */
const KEPT_JARS = 5;
const KEPT_JOBS = 4;
const KEPT_TRIGGERS = 10;

/** What clients do, one request after the other, chosen by weight. */
export class Traffic {
  constructor(
    private readonly flink: Client,
    private readonly control: Client,
    private readonly directory: Directory,
    private readonly random: Random,
  ) {}

  /** The next request of one of the clients; those to the control API are judged by status alone. */
  next(): { readonly kind: Kind; readonly outcome: Promise<Outcome> } {
    const { kind } = this.random.weighted(CLIENTS);
    if (kind === 'dashboard') return { kind, outcome: this.flink.ask('GET', this.directory.fill(this.random.weighted(DASHBOARD).target, this.random) ?? '/overview') };
    if (kind === 'control') return { kind, outcome: this.control.ask('GET', this.random.weighted(CONTROL).target) };
    if (kind === 'prometheus') return { kind, outcome: this.control.ask('GET', this.directory.fill(this.random.pick(['/_mock/metrics/jobmanager', '/_mock/metrics/:taskmanagerid', '/_mock/metrics/:taskmanagerid', '/_mock/metrics']), this.random) ?? '/_mock/metrics') };
    return { kind, outcome: this.operation() };
  }

  private operation(): Promise<Outcome> {
    const { directory, random } = this;
    const submitted = directory.submitted();
    const choice = random.next();
    if (choice < 0.15 && directory.jars.length < KEPT_JARS) return this.upload();
    if (choice < 0.25 && directory.jars.length > 1) return this.deleteJar();
    if (choice < 0.5 && directory.jars.length > 0 && submitted.length < KEPT_JOBS) return this.flink.ask('POST', `/jars/${encodeURIComponent(random.pick(directory.jars))}/run`, JSON.stringify({ programArgsList: ['--rate', '20'], parallelism: 1 }));
    if (choice < 0.7 && submitted.length > 0) return this.flink.ask('PATCH', `/jobs/${random.pick(submitted).id}?mode=cancel`);
    if (choice < 0.75 && submitted.length > 0) return this.flink.ask('POST', `/jobs/${random.pick(submitted).id}/stop`, '{"drain":false}');
    return this.savepoint();
  }

  private async upload(): Promise<Outcome> {
    const form = new FormData();
    form.append('jarfile', new Blob([JAR], { type: 'application/x-java-archive' }), 'ticks.jar');
    const outcome = await this.flink.ask('POST', '/jars/upload', form);
    if (outcome.status === 200 && outcome.text.startsWith('{"filename"')) this.directory.jars.push((JSON.parse(outcome.text) as { filename: string }).filename.split('/').at(-1)!);
    return outcome;
  }

  private deleteJar(): Promise<Outcome> {
    return this.flink.ask('DELETE', `/jars/${encodeURIComponent(this.directory.jars.shift()!)}`);
  }

  private async savepoint(): Promise<Outcome> {
    const { directory, random } = this;
    const target = directory.fill(random.pick(['/jobs/:jobid/savepoints', '/jobs/:jobid/checkpoints']), random);
    if (target === null) return this.flink.ask('GET', '/overview');
    const outcome = await this.flink.ask('POST', target, target.endsWith('savepoints') ? '{"cancel-job":false}' : '{"checkpointType":"FULL"}');
    const id = outcome.status === 202 ? /"request-id":"([0-9a-f]{32})"/.exec(outcome.text)?.[1] : undefined;
    if (id !== undefined) directory.triggers.push(id);
    if (directory.triggers.length > KEPT_TRIGGERS) directory.triggers.shift();
    return outcome;
  }
}
