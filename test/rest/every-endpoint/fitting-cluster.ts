import { readFileSync } from 'node:fs';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { applyAction, submitJob } from '../../../src/simulation/commands.js';
import type { RecordedAnswer } from '../../golden/recording.js';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import { ScriptClient } from '../../golden/script-client.js';
import { BP_VERTICES, bpJob, submissions, twoTaskManagers, type BpArguments } from '../../simulation/fixture.js';
import { BP_TEMPLATES } from '../cluster/bp-templates.js';

type Json = Record<string, any>;

export const JOBS = {
  running: 'a0'.repeat(16),
  failing: 'b0'.repeat(16),
  finished: 'c0'.repeat(16),
  expiring: 'd0'.repeat(16),
} as const;

/** The job with a source that has a coordinator (FLIP-27). */
function withNewSource(job: JobModel): JobModel {
  const [source, ...others] = job.vertices;
  const [operator] = source!.operators;
  return { ...job, vertices: [{ ...source!, operators: [{ ...operator!, source: { ...operator!.source!, legacy: false } as typeof operator.source }] }, ...others] };
}

/** A cluster in which every endpoint has something to tell: jobs that run, failed, finished, and whose checkpoints expire. */
export class FittingCluster implements AsyncDisposable {
  readonly client: ScriptClient;
  private jar: string | undefined;

  private constructor(
    readonly release: string,
    readonly server: RunningServer,
  ) {
    this.client = new ScriptClient(Number(new URL(server.url).port), (seconds) => this.pass(seconds), () => Promise.resolve());
  }

  static async start(release: string, scheduler: 'default' | 'adaptive'): Promise<FittingCluster> {
    const model = twoTaskManagers(release);
    const options = {
      ...model.options,
      'rest.profiling.enabled': 'true',
      ...(scheduler === 'adaptive' ? { 'jobmanager.scheduler': 'adaptive', 'web.adaptive-scheduler.rescale-history.size': '10' } : {}),
    };
    const jobs = [
      bpJob({ jobId: JOBS.running, name: 'running', us: 500, p: 2, iv: 2000 }),
      ...(scheduler === 'adaptive'
        ? []
        : [
            bpJob({ jobId: JOBS.failing, name: 'failing', rate: 500, us: 0, p: 1, iv: 500, fail: 1500 }),
            bpJob({ jobId: JOBS.finished, name: 'finished', rate: 500, us: 0, p: 1, iv: 2000, recordLimit: 5000 }),
            withNewSource(bpJob({ jobId: JOBS.expiring, name: 'expiring', rate: 20_000, us: 20_000, p: 1, iv: 2000, timeoutMs: 2000 })),
          ]),
    ];
    const server = await startServer({ model: { ...model, options, jobs: submissions(jobs) }, port: 0, clock: { mode: 'manual' }, openAtMs: 60_000, jobTemplates: BP_TEMPLATES });
    const cluster = new FittingCluster(release, server);
    if (scheduler === 'default') await cluster.operation('POST', `/jobs/${JOBS.running}/savepoints`, { 'cancel-job': false }, (id) => `/jobs/${JOBS.running}/savepoints/${id}`);
    return cluster;
  }

  pass(seconds: number): Promise<void> {
    return this.server.advanceBy(seconds * 1000);
  }

  ask(method: string, path: string, body?: unknown): Promise<RecordedAnswer> {
    return this.client.ask(method, path, body === undefined ? {} : { body });
  }

  get(path: string): Promise<RecordedAnswer> {
    return this.ask('GET', path);
  }

  async json(path: string): Promise<Json> {
    return (await this.get(path)).json as Json;
  }

  /** Starts another job, which runs a few seconds later. */
  async submit(args: BpArguments = {}): Promise<string> {
    const id = submitJob(this.server.simulation.state, bpJob({ rate: 500, us: 0, p: 1, ...args }));
    await this.pass(5);
    return id;
  }

  /** Asks for an asynchronous operation and gives what its status is once it is over. */
  async operation(method: string, path: string, body: unknown, statusPath: (id: string) => string): Promise<RecordedAnswer[]> {
    const { 'request-id': id } = (await this.ask(method, path, body)).json as Json;
    const early = await this.get(statusPath(id as string));
    for (let i = 0; i < 50; i++) {
      const answer = await this.get(statusPath(id as string));
      if ((answer.json as Json)['status']['id'] === 'COMPLETED') return [early, answer];
      await this.pass(0.5);
    }
    throw new Error(`${path} did not end`);
  }

  async jarId(): Promise<string> {
    this.jar ??= ((await this.upload()).json as Json)['filename'].split('/').at(-1) as string;
    return this.jar;
  }

  upload(): Promise<RecordedAnswer> {
    const edge = '----edge';
    const head = `--${edge}\r\nContent-Disposition: form-data; name="jarfile"; filename="bp.jar"\r\nContent-Type: application/x-java-archive\r\n\r\n`;
    const jar = readFileSync(new URL(`../../golden/jars/bp-${this.release.startsWith('2.') ? 2 : 1}.jar`, import.meta.url));
    const body = Buffer.concat([Buffer.from(head), jar, Buffer.from(`\r\n--${edge}--\r\n`)]);
    return this.client.ask('POST', '/jars/upload', { body, contentType: `multipart/form-data; boundary=${edge}` });
  }

  async taskManager(): Promise<string> {
    return (await this.json('/taskmanagers'))['taskmanagers'][0].id as string;
  }

  /** Kills one of two task managers (it had a slot of the running job, or not) and waits until the job runs again. */
  async loseTaskManager(): Promise<void> {
    applyAction(this.server.simulation.state, { kind: 'kill-task-manager', taskManager: await this.taskManager() });
    await this.pass(70);
  }

  get vertex(): string {
    return BP_VERTICES.enrich;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}
