import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { largeScenario } from './large-scenario.js';
import { pacedLatency, type PacedLatency } from './paced.js';
import { median, round, type Row, type Section } from './report.js';
import { cpuMs, get, startMock, type Server } from './servers.js';

const PER_SECOND = 500;

async function readings(server: Server, paths: readonly string[], seconds: number): Promise<PacedLatency & { cpuShare: number }> {
  const before = cpuMs(server.process);
  const latency = await pacedLatency(server.url, paths, PER_SECOND, seconds);
  return { ...latency, cpuShare: (cpuMs(server.process) - before) / (seconds * 1000) };
}

interface BigAnswer {
  readonly ms: number;
  readonly bytes: number;
  readonly othersMs: number;
}

/** What is known for a while is made anew: copies of jobs for 3 s of Flink's, answers for some ms of ours. */
const FORGOTTEN_AFTER_MS = 3_100;

/** How long one request of a large job takes, and the longest that others wait meanwhile (one asks every 5 ms), ms. */
async function bigAnswer(server: Server, target: string): Promise<BigAnswer> {
  await new Promise((resolve) => setTimeout(resolve, FORGOTTEN_AFTER_MS));
  let running = true;
  let othersMs = 0;
  const others = (async () => {
    while (running) {
      const askedAt = performance.now();
      await get(`${server.url}/config`);
      othersMs = Math.max(othersMs, performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const askedAt = performance.now();
  const answer = (await get(server.url + target))!;
  const ms = performance.now() - askedAt;
  running = false;
  await others;
  return { ms, bytes: answer.body.length, othersMs };
}

/** The id of a job's first checkpoint, once there is one. */
async function firstCheckpoint(jobUrl: string): Promise<number> {
  for (;;) {
    const { history } = JSON.parse((await get(`${jobUrl}/checkpoints`))!.body.toString()) as { history: { id: number }[] };
    if (history.length > 0) return history[0]!.id;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Latency while a job of 10,000 subtasks is simulated in real time, and what big answers do to others. */
export async function latencySection({ seconds, rounds }: { seconds: number; rounds: number }): Promise<Section> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const rows: Row[] = [];
  try {
    const [large, wide] = [[50, 200], [2, 2000]].map(([vertices, parallelism]) => {
      const file = path.join(directory, `large-${parallelism}.yaml`);
      writeFileSync(file, largeScenario(vertices!, parallelism!));
      return file;
    });
    const empty = await startMock('--scenario', 'empty');
    const beside = await readings(empty, ['/overview', '/jobs/overview'], seconds);
    await empty.stop();

    const server = await startMock('--scenario', large!);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const id = (JSON.parse((await get(`${server.url}/jobs`))!.body.toString()) as { jobs: { id: string }[] }).jobs[0]!.id;
    const { p50Ms, p99Ms, maxMs, cpuShare } = await readings(server, ['/overview', '/jobs/overview', `/jobs/${id}/checkpoints`], seconds);
    await server.stop();
    rows.push({
      what: `p99 at ${PER_SECOND} requests/s while 10,000 subtasks are simulated`,
      value: round(p99Ms),
      unit: 'ms',
      target: { max: 10 },
      beside: `p50 ${round(p50Ms)} ms, longest ${round(maxMs)} ms, ${round(cpuShare * 100)} % of a core; empty cluster: p99 ${round(beside.p99Ms)} ms, longest ${round(beside.maxMs)} ms, ${round(beside.cpuShare * 100)} %`,
    });

    const wideServer = await startMock('--scenario', wide!);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const job = JSON.parse((await get(`${wideServer.url}/jobs`))!.body.toString()) as { jobs: { id: string }[] };
    const jobPath = `/jobs/${job.jobs[0]!.id}`;
    const vertexId = (JSON.parse((await get(wideServer.url + jobPath))!.body.toString()) as { vertices: { id: string }[] }).vertices[1]!.id;
    const checkpointId = await firstCheckpoint(wideServer.url + jobPath);
    const vertexPath = `${jobPath}/vertices/${vertexId}`;
    const checkpointPath = `${jobPath}/checkpoints/details/${checkpointId}`;
    const targets = [jobPath, vertexPath, `${vertexPath}/metrics`, `${vertexPath}/subtasktimes`, `${vertexPath}/taskmanagers`, checkpointPath, `${checkpointPath}/subtasks/${vertexId}`, '/taskmanagers'];
    const answersTo = new Map(targets.map((target) => [target, [] as BigAnswer[]]));
    for (let i = 0; i < rounds; i++) for (const target of targets) answersTo.get(target)!.push(await bigAnswer(wideServer, target));
    for (const [target, answers] of answersTo) {
      const waits = answers.map(({ othersMs }) => othersMs);
      const name = target.replace(job.jobs[0]!.id, ':id').replace(vertexId, ':vertex').replace(`details/${checkpointId}`, 'details/:checkpoint');
      rows.push({
        what: `2,000 subtasks: what others wait while ${name} is answered`,
        value: round(median(waits)),
        unit: 'ms',
        target: { max: 20 },
        beside: `longest ${round(Math.max(...waits))} ms; ${Math.round(answers[0]!.bytes / 1000)} kB in ${round(median(answers.map(({ ms }) => ms)))} ms`,
      });
    }
    await wideServer.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { title: 'Latency', rows };
}
