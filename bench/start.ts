import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median, round, type Row, type Section } from './report.js';
import { get, ROOT, startBare, startMock, type Server } from './servers.js';

/** Processor time of a process's main thread, ms: what a start would take on a machine that has nothing else to do. */
function mainThreadMs({ process: { pid } }: Server): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const IN_PROCESS = `
import { fastify } from 'fastify';
import { loadScenario, startServer } from './dist/index.js';
const time = async (start, stop) => { const t = performance.now(); const s = await start(); const ms = performance.now() - t; await stop(s); return ms; };
const { model } = loadScenario('empty', {});
const mock = [], bare = [];
for (let i = 0; i < 11; i++) {
  bare.push(await time(async () => { const app = fastify(); app.get('/', async () => ''); await app.listen({ port: 0, host: '127.0.0.1' }); return app; }, (app) => app.close()));
  mock.push(await time(() => startServer({ model, port: 0 }), (server) => server.close()));
}
const median = (values) => values.slice(1).sort((a, b) => a - b)[5];
console.log(JSON.stringify({ mock: median(mock), bare: median(bare) }));
`;

/** From the start of a process, or of a server within one, to the first answer. */
export async function startSection(rounds: number): Promise<Section> {
  const readings = new Map<string, { ms: number[]; cpu: number[] }>();
  for (let i = 0; i < rounds; i++) {
    for (const [name, start] of [['bare', () => startBare()], ['default', () => startMock()], ['empty', () => startMock('--scenario', 'empty')]] as const) {
      const server = await start();
      const reading = readings.get(name) ?? { ms: [], cpu: [] };
      readings.set(name, reading);
      reading.ms.push(server.startedInMs);
      reading.cpu.push(mainThreadMs(server));
      await server.stop();
    }
  }
  const text = (name: string): string => `${Math.round(median(readings.get(name)!.ms))} ms (main thread ${Math.round(median(readings.get(name)!.cpu))} ms)`;
  const inProcess = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', IN_PROCESS], { cwd: ROOT, encoding: 'utf8' })) as { mock: number; bare: number };
  const rows: Row[] = [
    { what: 'process start to the first 200 on /overview, default scenario', value: Math.round(median(readings.get('default')!.ms)), unit: 'ms', target: { max: 350 }, beside: `main thread ${Math.round(median(readings.get('default')!.cpu))} ms; without a job ${text('empty')}; bare fastify ${text('bare')}` },
    { what: 'start within a process, from the library', value: round(inProcess.mock), unit: 'ms', target: { max: 20 }, beside: `fastify() alone ${round(inProcess.bare)} ms` },
  ];
  return { title: 'Start', rows };
}

/** Memory after an hour of virtual time, with requests all the while. */
export async function memorySection(residentMiB: (server: Server) => number): Promise<Section> {
  const server = await startMock('--clock', 'manual');
  try {
    const id = (JSON.parse((await get(`${server.url}/jobs`))!.body.toString()) as { jobs: { id: string }[] }).jobs[0]!.id;
    const first = residentMiB(server);
    const paths = ['/overview', '/jobs/overview', `/jobs/${id}`, `/jobs/${id}/checkpoints`, '/taskmanagers', `/jobs/${id}/exceptions`];
    for (let minute = 0; minute < 60; minute++) {
      await fetch(`${server.url}/_mock/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advanceMs: 60_000 }) }).then((response) => {
        if (!response.ok) throw new Error(`POST /_mock/clock: ${response.status}`);
      });
      for (let i = 0; i < 10; i++) await Promise.all(paths.map((path) => get(server.url + path)));
    }
    return {
      title: 'Memory',
      rows: [{ what: 'resident, default scenario, an hour of virtual time later, 3,600 requests', value: Math.round(residentMiB(server)), unit: 'MiB', target: { max: 110 }, beside: `${Math.round(first)} MiB at the start` }],
    };
  } finally {
    await server.stop();
  }
}
