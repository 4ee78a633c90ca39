import autocannon from 'autocannon';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, round, type Row, type Section } from './report.js';
import { cpuMs, get, residentMiB, ROOT, startNode, type Server } from './servers.js';

const CLUSTERS = 1_000;
const CONNECTIONS = 32;
const SCENARIO = path.join(ROOT, 'examples', 'fleet', 'two-jobs.yaml');

const json = async <T>(url: string): Promise<T> => JSON.parse((await get(url))!.body.toString()) as T;

/** What a console asks of a cluster. */
async function lookAt(base: string): Promise<number> {
  await get(`${base}/overview`);
  await get(`${base}/taskmanagers`);
  const { jobs } = await json<{ jobs: { jid: string }[] }>(`${base}/jobs/overview`);
  for (const { jid } of jobs) {
    const { vertices } = await json<{ vertices: { id: string }[] }>(`${base}/jobs/${jid}`);
    await get(`${base}/jobs/${jid}/checkpoints`);
    await get(`${base}/jobs/${jid}/vertices/${vertices[0]!.id}/backpressure`);
    await get(`${base}/jobs/${jid}/vertices/${vertices[0]!.id}/metrics`);
  }
  return 3 + 4 * jobs.length;
}

async function cpuShare({ process: child }: Server, seconds: number): Promise<number> {
  const [before, startedAt] = [cpuMs(child), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return ((cpuMs(child) - before) / (performance.now() - startedAt)) * 100;
}

/** Processor time of a request, µs, in a fleet and by a server that has one cluster, in turns; without what they use when nobody asks. */
async function requestCost(servers: readonly { readonly server: Server; readonly base: string; readonly idlePercent: number }[], target: string, rounds: number): Promise<number[]> {
  const readings: number[][] = servers.map(() => []);
  for (let i = 0; i <= rounds; i++) {
    for (const [index, { server, base, idlePercent }] of servers.entries()) {
      const [before, startedAt] = [cpuMs(server.process), performance.now()];
      const result = await autocannon({ url: `${server.url}${base}${target}`, connections: CONNECTIONS, amount: 20_000 });
      if (result.non2xx + result.errors > 0) throw new Error(`${target}: ${result.non2xx + result.errors} requests failed`);
      // The first is the warm-up.
      if (i > 0) readings[index]!.push(((cpuMs(server.process) - before - ((performance.now() - startedAt) * idlePercent) / 100) * 1_000) / result.requests.total);
    }
  }
  return readings.map(median);
}

/** A thousand clusters of two jobs each in one process: what they cost when nobody asks, and when somebody asks all of them. */
export async function fleetSection(options: { readonly rounds: number; readonly seconds: number }): Promise<Section> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-fleet-'));
  const file = path.join(directory, 'fleet.yaml');
  writeFileSync(file, `clusters: [{ name: 'team-{n}', count: ${CLUSTERS}, scenario: ${JSON.stringify(SCENARIO)} }]\n`);
  const fleet = await startNode(['dist/mock-flink.cjs', 'fleet', file, '--port', 'PORT'], '/_fleet/health');
  const alone = await startNode(['dist/mock-flink.cjs', 'serve', '--scenario', SCENARIO, '--port', 'PORT'], '/overview');
  try {
    const startedMs = fleet.startedInMs;
    const openedAt = performance.now();
    while ((await get(`${fleet.url}/_fleet/ready`))?.status !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
    const openedMs = performance.now() - openedAt + startedMs;
    const opened = residentMiB(fleet.process);
    const idle = await cpuShare(fleet, options.seconds);
    const idleAlone = await cpuShare(alone, Math.min(20, options.seconds));
    const afterIdle = residentMiB(fleet.process);
    const beforeAsking = cpuMs(fleet.process);
    let requests = 0;
    for (let n = 1; n <= CLUSTERS; n += 10) for (const count of await Promise.all(Array.from({ length: 10 }, (_, i) => lookAt(`${fleet.url}/clusters/team-${n + i}`)))) requests += count;
    const asking = cpuMs(fleet.process) - beforeAsking;
    const asked = residentMiB(fleet.process);
    const rows: Row[] = [
      { what: `${CLUSTERS} clusters × 2 jobs, real time, nobody asks: share of a core over ${options.seconds} s`, value: round(idle), unit: '%', target: { max: 100 }, beside: `one such cluster by \`serve\`: ${round(idleAlone, 2)} %` },
      { what: 'resident memory, all clusters open', value: Math.round(afterIdle), unit: 'MiB', target: { max: 1_907 }, beside: `right after opening ${Math.round(opened)} MiB; one such cluster by \`serve\`: ${Math.round(residentMiB(alone.process))} MiB` },
      { what: `resident memory after ${requests} requests, ${requests / CLUSTERS} of each cluster`, value: Math.round(asked), unit: 'MiB', target: { max: 1_907 }, beside: `${round(asking / requests, 2)} ms of processor a request, all answers computed` },
      { what: 'process start to the first answer of the fleet', value: Math.round(startedMs), unit: 'ms', beside: `all histories (2 min each) simulated after ${round(openedMs / 1_000)} s` },
    ];
    for (const target of ['/overview', '/jobs/overview', '/taskmanagers']) {
      const [inFleet, byItself] = await requestCost([{ server: fleet, base: '/clusters/team-500', idlePercent: idle }, { server: alone, base: '', idlePercent: idleAlone }], target, options.rounds);
      rows.push({ what: `${target} of one cluster of ${CLUSTERS}, processor time a request beside the background's`, value: round(inFleet!), unit: 'µs', beside: `\`serve\` ${round(byItself!)} µs` });
    }
    return { title: 'Fleet', rows };
  } finally {
    await Promise.all([fleet.stop(), alone.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}
