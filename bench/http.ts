import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { median, round, type Row, type Section } from './report.js';
import { cpuMs, get, startBare, startMock, type Server } from './servers.js';

export const CONNECTIONS = 32;
const WARM_UP_REQUESTS = 10_000;

interface Reading {
  readonly perSecond: number;
  /** Of the server, a request. */
  readonly cpuUs: number;
}

/** `amount`: so many requests, the same warm-up for all however busy the machine is; autocannon ends such runs at whole seconds only, so that measuring takes a `duration`, s. */
async function load(server: Server | { url: string }, target: string, span: { amount: number } | { duration: number }): Promise<Reading> {
  const child = 'process' in server ? server.process : null;
  const before = child ? cpuMs(child) : 0;
  const result = await autocannon({ url: server.url + target, connections: CONNECTIONS, ...span });
  const failures = result.non2xx + result.errors;
  if (failures > 0) throw new Error(`${server.url}${target}: ${failures} of ${result.requests.total} requests failed`);
  return { perSecond: result.requests.average, cpuUs: child ? ((cpuMs(child) - before) * 1000) / result.requests.total : NaN };
}

interface Names {
  readonly jobId: string;
  readonly vertexId: string;
  readonly metrics: string;
}

async function json(url: string): Promise<any> {
  return JSON.parse((await get(url))!.body.toString());
}

/** Names of what there is to be asked for; metrics come behind the first question about them, and are waited for. */
export async function namesOf(url: string): Promise<Names> {
  const jobId = ((await json(`${url}/jobs`)).jobs as { id: string; status: string }[]).find(({ status }) => status === 'RUNNING')!.id;
  const vertexId = (await json(`${url}/jobs/${jobId}`)).vertices[1].id as string;
  for (let asked = 0; asked < 60; asked++) {
    const metrics = ((await json(`${url}/jobs/${jobId}/vertices/${vertexId}/metrics`)) as { id: string }[]).slice(0, 20).map(({ id }) => id);
    if (metrics.length === 20) return { jobId, vertexId, metrics: metrics.map(encodeURIComponent).join(',') };
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(`${url} knows no metrics of ${vertexId}`);
}

export function targets({ jobId, vertexId, metrics }: Names): Record<string, string> {
  const vertex = `/jobs/${jobId}/vertices/${vertexId}`;
  return {
    '/overview': '/overview',
    '/jobs/overview': '/jobs/overview',
    '/jobs/:id': `/jobs/${jobId}`,
    backpressure: `${vertex}/backpressure`,
    checkpoints: `/jobs/${jobId}/checkpoints`,
    'vertex metrics, 20 names': `${vertex}/metrics?get=${metrics}`,
    'aggregated metrics': `${vertex}/subtasks/metrics?get=numRecordsIn,numRecordsOut,numRecordsInPerSecond`,
  };
}

async function bytesOf(url: string, target: string): Promise<number> {
  return (await get(url + target))!.body.length;
}

/** Writes a server's answers into a folder, for bare-server.mjs to send the same bytes; gives the list that it reads. */
export async function keepAnswers(url: string, named: Record<string, string>, directory: string): Promise<string> {
  const files: Record<string, { contentType: string; file: string }> = {};
  for (const [i, target] of Object.values(named).entries()) {
    const { body, contentType } = (await get(url + target))!;
    const file = path.join(directory, `answer-${i}`);
    writeFileSync(file, body);
    files[target.split('?')[0]!] = { contentType, file };
  }
  const list = path.join(directory, 'answers.json');
  writeFileSync(list, JSON.stringify(files));
  return list;
}

/** Requests a second on each endpoint, beside bare fastify that sends the same bytes and, where there is one, a real job manager. */
export async function httpSection(options: { rounds: number; seconds: number; real: string | null }): Promise<Section> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const mock = await startMock();
  const rows: Row[] = [];
  try {
    const named = targets(await namesOf(mock.url));
    const realTargets = options.real === null ? null : targets(await namesOf(options.real));
    const list = await keepAnswers(mock.url, named, directory);
    const bare = await startBare(list);
    try {
      for (const [name, target] of Object.entries(named)) {
        const readings = { mock: [] as Reading[], bare: [] as Reading[], real: [] as Reading[] };
        await load(mock, target, { amount: WARM_UP_REQUESTS });
        await load(bare, target, { amount: WARM_UP_REQUESTS });
        for (let i = 0; i < options.rounds; i++) {
          readings.bare.push(await load(bare, target, { duration: options.seconds }));
          readings.mock.push(await load(mock, target, { duration: options.seconds }));
          if (realTargets) readings.real.push(await load({ url: options.real! }, realTargets[name]!, { duration: options.seconds }));
        }
        const of = (list: readonly Reading[], key: keyof Reading): number => median(list.map((reading) => reading[key]));
        const cpuShare = round((of(readings.bare, 'cpuUs') / of(readings.mock, 'cpuUs')) * 100);
        const real = realTargets ? `, real job manager ${Math.round(of(readings.real, 'perSecond'))}/s (${await bytesOf(options.real!, realTargets[name]!)} bytes; ${await bytesOf(mock.url, target)} here)` : '';
        rows.push({
          what: name,
          value: round((of(readings.mock, 'perSecond') / of(readings.bare, 'perSecond')) * 100),
          unit: '% of bare fastify',
          target: { min: 85 },
          beside: `${Math.round(of(readings.mock, 'perSecond'))}/s, ${round(of(readings.mock, 'cpuUs'))} µs of processor a request (bare fastify needs ${cpuShare} % of that); bare fastify ${Math.round(of(readings.bare, 'perSecond'))}/s, ${round(of(readings.bare, 'cpuUs'))} µs${real}`,
        });
      }
    } finally {
      await bare.stop();
    }
  } finally {
    await mock.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return { title: `Requests a second (${CONNECTIONS} connections, default scenario in real time)`, rows };
}
