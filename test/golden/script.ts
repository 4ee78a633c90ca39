import { readFileSync } from 'node:fs';
import { BAD_BODIES, UNKNOWN_THINGS, oddThings } from './requests.js';
import type { RecordedAnswer } from './recording.js';
import type { ScriptClient } from './script-client.js';

/** An endpoint of the version that is asked, as far as the script needs it. */
export interface ScriptEndpoint {
  readonly method: string;
  readonly url: string;
  readonly queryKeys: readonly string[];
}

const ZERO = '0'.repeat(32);
/** Parameters that the sweep has no values for. */
const NOT_SWEPT = [':triggerid', ':jarid', ':filename', ':rescaleuuid', ':applicationid', ':datasetid'];

type Json = Record<string, any>;

/** The script that the recordings were made with, step by step (jobs A to E of `Bp`, every GET endpoint, odd requests). */
export class RecordedScript {
  private readonly sampled: boolean;

  constructor(
    private readonly client: ScriptClient,
    private readonly endpoints: readonly ScriptEndpoint[],
    version: string,
  ) {
    const [major, minor] = version.split('.').map(Number) as [number, number];
    this.sampled = major === 1 && minor < 13;
  }

  async run(jarPath: URL): Promise<void> {
    await this.sweep('empty', null);
    await this.unknownThings();
    const jar = await this.upload(jarPath);
    await this.jarSteps(jar);
    const a = await this.startAndSweepA(jar);
    await this.savepointSteps(a);
    await this.fourMoreJobs(jar, a);
  }

  private ask(method: string, path: string, name?: string, body?: unknown): Promise<RecordedAnswer> {
    return this.client.ask(method, path, { ...(name === undefined ? {} : { name }), ...(body === undefined ? {} : { body }) });
  }

  private async upload(jarPath: URL): Promise<string> {
    const edge = '----capture';
    const head = `--${edge}\r\nContent-Disposition: form-data; name="jarfile"; filename="bp.jar"\r\nContent-Type: application/x-java-archive\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), readFileSync(jarPath), Buffer.from(`\r\n--${edge}--\r\n`)]);
    const answer = await this.client.ask('POST', '/jars/upload', { body, contentType: `multipart/form-data; boundary=${edge}`, name: 'upload jar' });
    return String((answer.json as Json)['filename']).split('/').pop()!;
  }

  private async jarSteps(jar: string): Promise<void> {
    await this.ask('GET', '/jars');
    await this.ask('GET', `/jars/${jar}/plan?entry-class=Bp`, 'jar plan');
    await this.ask('POST', `/jars/${jar}/plan`, 'jar plan POST', { entryClass: 'Bp', programArgsList: ['--p', '3'], parallelism: 3 });
    await this.ask('GET', `/jars/${jar}/plan?entry-class=Nope`, 'jar plan bad class');
    await this.ask('POST', `/jars/${jar}/run`, 'run bad class', { entryClass: 'Nope' });
    await this.ask('POST', `/jars/${jar}/run`, 'run bogus field', { bogus: 1 });
    await this.ask('POST', `/jars/${jar}/run?parallelism=abc`, 'run bad parallelism');
    await this.ask('POST', `/jars/${jar}/run`, 'run bad savepoint', { entryClass: 'Bp', savepointPath: '/nope/sp' });
  }

  private async startJob(jar: string, name: string, args: Record<string, string | number>): Promise<string> {
    const words = ['--name', name, ...Object.entries(args).flatMap(([key, value]) => [`--${key}`, String(value)])];
    const answer = await this.ask('POST', `/jars/${jar}/run`, `run ${name}`, { entryClass: 'Bp', programArgsList: words });
    return String((answer.json as Json | undefined)?.['jobid']);
  }

  private async waitForState(job: string, state: string, seconds = 40): Promise<void> {
    for (let waited = 0; waited < seconds && (await this.client.look(`/jobs/${job}`))['state'] !== state; waited += 0.3) await this.client.sleep(0.3);
  }

  private async waitForCheckpoints(job: string, count: number, seconds = 60): Promise<void> {
    for (let waited = 0; waited < seconds && !((await this.client.look(`/jobs/${job}/checkpoints`))['counts']?.completed >= count); waited += 0.5) await this.client.sleep(0.5);
  }

  /** First and last answer of an asynchronous operation's status. */
  private async poll(path: string, name: string, seconds = 30): Promise<RecordedAnswer> {
    await this.ask('GET', path, `${name} (first poll)`);
    for (let waited = 0; ; waited += 0.3) {
      const answer = await this.client.ask('GET', path, { keep: false });
      if (answer.status !== 200 || (answer.json as Json)?.['status']?.id === 'COMPLETED' || waited > seconds) {
        this.client.records.push({ ...answer, name: `${name} (last poll)` });
        return answer;
      }
      await this.client.sleep(0.3);
    }
  }

  private async trigger(path: string, name: string, body: unknown): Promise<string | undefined> {
    return ((await this.ask('POST', path, name, body)).json as Json | undefined)?.['request-id'];
  }

  private has(method: string, url: string): boolean {
    return this.endpoints.some((endpoint) => endpoint.url === url && endpoint.method === method);
  }

  /** Every GET endpoint of the version, its parameters filled with live identifiers. */
  async sweep(tag: string, job: string | null): Promise<void> {
    const { client } = this;
    const managers: string[] = ((await client.look('/taskmanagers'))['taskmanagers'] ?? []).map((manager: Json) => manager['id']);
    let vertices: string[] = [];
    let checkpoints: number[] = [];
    if (job) {
      vertices = ((await client.look(`/jobs/${job}`))['vertices'] ?? []).map((vertex: Json) => vertex['id']);
      const stats = await client.look(`/jobs/${job}/checkpoints`);
      checkpoints = (stats['history'] ?? []).slice(0, 2).map((entry: Json) => entry['id']);
      const savepoint = stats['latest']?.savepoint;
      if (savepoint) checkpoints.push(savepoint.id);
    }
    const fill: Record<string, (string | number)[]> = {
      ':jobid': [job ?? ''], ':vertexid': vertices, ':taskmanagerid': managers.slice(0, 1), ':checkpointid': checkpoints, ':subtaskindex': [0], ':attempt': [0],
    };
    for (const endpoint of this.endpoints) {
      const { url } = endpoint;
      if (endpoint.method !== 'GET' || url.includes('yarn-') || NOT_SWEPT.some((key) => url.includes(key))) continue;
      if (url.includes(':jobid') !== (job !== null) && !(tag === 'running' && !url.includes(':jobid'))) continue;
      let paths = [url];
      for (const [key, values] of Object.entries(fill)) if (url.includes(key)) paths = paths.flatMap((path) => values.map((value) => path.replace(key, String(value))));
      for (const path of paths) await this.visit(tag, endpoint, path);
    }
  }

  private async visit(tag: string, { url, queryKeys }: ScriptEndpoint, path: string): Promise<void> {
    if (path.endsWith('/backpressure')) {
      for (let i = 0; i < (tag === 'running' ? 8 : 4); i++) {
        const answer = await this.client.ask('GET', path, { keep: i === 0, name: `[${tag}] first GET ${url}` });
        if ((answer.json as Json | undefined)?.['status'] === 'ok') break;
        await this.client.sleep(this.sampled ? 2 : 0.5);
      }
    }
    if (path.endsWith('/flamegraph')) {
      await this.client.ask('GET', path, { keep: false });
      await this.client.sleep(0.2);
    }
    const { json } = await this.ask('GET', path, `[${tag}] ${url}`);
    if (path.endsWith('metrics') && Array.isArray(json) && json.length > 0) await this.visitMetrics(tag, url, path, queryKeys, json);
    if (path.endsWith('/flamegraph')) for (const kind of ['on_cpu', 'off_cpu', 'full', 'bogus']) await this.ask('GET', `${path}?type=${kind}`, `[${tag}] ${url}?type=${kind}`);
  }

  private async visitMetrics(tag: string, url: string, path: string, queryKeys: readonly string[], list: Json[]): Promise<void> {
    const ids = list.slice(0, 400).map((metric) => encodeURIComponent(metric['id']));
    for (let i = 0; i < ids.length; i += 40) await this.ask('GET', `${path}?get=${ids.slice(i, i + 40).join(',')}`, `[${tag}] ${url}?get`);
    if (!queryKeys.includes('agg')) return;
    await this.ask('GET', `${path}?get=${ids[0]}&agg=min,max`, `[${tag}] ${url}?get&agg`);
    await this.ask('GET', `${path}?agg=sum`, `[${tag}] ${url}?agg only`);
    await this.ask('GET', `${path}?get=${ids[0]}&agg=bogus`, `[${tag}] ${url}?agg bogus`);
  }

  private async unknownThings(): Promise<void> {
    for (const [method, path] of UNKNOWN_THINGS) await this.ask(method, path, `error ${method} ${path}`);
    for (const body of BAD_BODIES) {
      await this.client.ask('POST', `/jobs/${ZERO}/savepoints`, { body, contentType: 'application/json', name: `bad body '${body}' POST savepoints` });
    }
    await this.client.ask('POST', '/jars/upload', { body: 'x', contentType: 'text/plain', name: 'upload not multipart' });
    const edge = '----y';
    const body = Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--${edge}--\r\n`);
    await this.client.ask('POST', '/jars/upload', { body, contentType: `multipart/form-data; boundary=${edge}`, name: 'upload not a jar' });
  }

  private async startAndSweepA(jar: string): Promise<string> {
    const a = await this.startJob(jar, 'A exactly once', { rate: 5000, us: 2000, p: 2, mode: 'EXACTLY_ONCE', iv: 4000 });
    await this.ask('GET', `/jobs/${a}`, 'just submitted');
    await this.ask('GET', '/jobs/overview', 'overview just after submit');
    await this.ask('GET', `/jobs/${a}/checkpoints`, 'checkpoints just after submit');
    await this.waitForState(a, 'RUNNING');
    await this.client.sleep(1.5);
    await this.ask('GET', `/jobs/${a}/checkpoints`, 'checkpoints early');
    await this.waitForCheckpoints(a, 3);
    await this.client.sleep(6);
    const vertex = (await this.vertexIds(a))[1]!;
    await this.sweep('running', a);
    await this.unknownThings();
    for (const [method, path] of oddThings(a, vertex)) {
      await this.ask(method, path, `odd ${method} ${path.replaceAll(a, '<job>').replaceAll(vertex, '<vertex>').replaceAll(a.toUpperCase(), '<JOB>')}`);
    }
    return a;
  }

  private async vertexIds(job: string): Promise<string[]> {
    return (await this.client.look(`/jobs/${job}`))['vertices'].map((vertex: Json) => vertex['id']);
  }

  private async savepointSteps(a: string): Promise<void> {
    const savepoint = await this.trigger(`/jobs/${a}/savepoints`, 'savepoint trigger', { 'cancel-job': false });
    if (savepoint) {
      const done = await this.poll(`/jobs/${a}/savepoints/${savepoint}`, 'savepoint status');
      const location = (done.json as Json)?.['operation']?.location;
      await this.sweep('after-savepoint', a);
      for (const [path, name] of [[location, 'dispose savepoint'], ['/nope/x', 'dispose missing']] as const) {
        const disposal = await this.trigger('/savepoint-disposal', name, { 'savepoint-path': path });
        if (disposal) await this.poll(`/savepoint-disposal/${disposal}`, `${name} status`);
      }
    }
    if (this.has('POST', '/jobs/:jobid/checkpoints')) {
      for (const checkpointType of ['CONFIGURED', 'FULL', 'INCREMENTAL', 'bogus']) {
        const trigger = await this.trigger(`/jobs/${a}/checkpoints`, `checkpoint trigger ${checkpointType}`, { checkpointType });
        if (trigger) await this.poll(`/jobs/${a}/checkpoints/${trigger}`, `checkpoint trigger ${checkpointType} status`);
      }
    }
    if (this.has('PUT', '/jobs/:jobid/resource-requirements')) {
      const vertices = await this.vertexIds(a);
      const bounds = { parallelism: { lowerBound: 1, upperBound: 1 } };
      await this.ask('GET', `/jobs/${a}/resource-requirements`, 'resource-requirements');
      await this.ask('PUT', `/jobs/${a}/resource-requirements`, 'put resource-requirements partial', { [vertices[0]!]: bounds });
      await this.ask('PUT', `/jobs/${a}/resource-requirements`, 'put resource-requirements', Object.fromEntries(vertices.map((vertex) => [vertex, bounds])));
    }
  }

  private async fourMoreJobs(jar: string, a: string): Promise<void> {
    const b = await this.startJob(jar, 'B at least once', { rate: 5000, us: 2000, p: 1, mode: 'AT_LEAST_ONCE', iv: 4000 });
    const c = await this.startJob(jar, 'C no checkpoints', { rate: 500, us: 100, p: 1, iv: 0 });
    const d = await this.startJob(jar, 'D fails', { rate: 500, us: 0, p: 1, iv: 2000, fail: 800 });
    const e = await this.startJob(jar, 'E expires', { rate: 20000, us: 20000, p: 1, iv: 2000, timeout: 2000 });
    await this.client.sleep(25);
    for (const [tag, job] of [['B', b], ['C', c], ['D', d], ['E', e]] as const) await this.sweep(tag, job);
    await this.ask('GET', '/overview', 'overview with jobs');
    await this.ask('GET', '/jobs/overview', 'jobs overview');
    await this.ask('GET', '/jobs');
    await this.ask('GET', '/jobs/metrics');
    await this.ask('GET', '/jobs/metrics?get=numRestarts,uptime,numberOfFailedCheckpoints');

    await this.waitForState(d, 'FAILED');
    await this.sweep('failed', d);
    await this.ask('GET', `/jobs/${d}/execution-result`, 'execution-result failed');
    await this.ask('POST', `/jobs/${c}/savepoints`, 'savepoint on job without checkpointing', {});
    await this.ask('PATCH', `/jobs/${c}?mode=stop`, 'patch stop');
    const stop = await this.trigger(`/jobs/${b}/stop`, 'stop with savepoint', { drain: false });
    if (stop) await this.poll(`/jobs/${b}/savepoints/${stop}`, 'stop status', 40);
    await this.waitForState(b, 'FINISHED', 20);
    await this.sweep('finished', b);
    await this.ask('GET', `/jobs/${b}/execution-result`, 'execution-result finished');
    await this.cancelSteps(jar, a, [c, e]);
  }

  private async cancelSteps(jar: string, a: string, rest: readonly string[]): Promise<void> {
    await this.ask('PATCH', `/jobs/${a}`, 'cancel A');
    await this.ask('GET', `/jobs/${a}`, 'cancelling A');
    await this.waitForState(a, 'CANCELED', 20);
    await this.sweep('canceled', a);
    await this.ask('GET', `/jobs/${a}/execution-result`, 'execution-result canceled');
    await this.ask('PATCH', `/jobs/${a}`, 'cancel a canceled job');
    await this.ask('POST', `/jobs/${a}/savepoints`, 'savepoint on canceled', {});
    await this.ask('GET', '/overview', 'overview end');
    await this.ask('GET', '/jobs/overview', 'jobs overview end');
    await this.ask('DELETE', `/jars/${jar}`, 'delete jar');
    await this.ask('GET', '/jars', 'jars after delete');
    for (const job of rest) await this.ask('PATCH', `/jobs/${job}?mode=cancel`, 'cancel rest');
    await this.client.sleep(2);
    await this.ask('GET', '/jobmanager/log', 'jm log');
    await this.ask('GET', '/jobmanager/logs', 'jm logs');
  }
}
