// Plays a scenario at ×100,000 and looks at the heap, collected, at equal steps of virtual time: `--days 7 --every 24` (hours).
// Ends with 1 when the last figure is more than 5 % above the first one from hour `--from` on (logs and histories fill for a day and a half).
// Needs --expose-gc: `npm run leak`.
import { parseArgs } from 'node:util';
import { startMockFlink, type MockFlink } from '../src/index.js';

const { values } = parseArgs({ options: { scenario: { type: 'string', default: 'incident-2020-04-09' }, days: { type: 'string', default: '7' }, every: { type: 'string', default: '24' }, from: { type: 'string', default: '0' }, tolerance: { type: 'string', default: '5' }, leak: { type: 'boolean', default: false } } });
const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('run with node --expose-gc');

/** What a dashboard and an operator ask for. */
async function look(flink: MockFlink): Promise<void> {
  const get = async (path: string): Promise<any> => {
    const response = await fetch(flink.url + path);
    const text = await response.text();
    return response.ok && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
  };
  const { jobs = [] } = await get('/jobs/overview');
  for (const path of ['/overview', '/taskmanagers', '/jobmanager/metrics', '/jobmanager/log']) await get(path);
  for (const { jid } of jobs as { jid: string }[]) {
    const { vertices = [] } = await get(`/jobs/${jid}`);
    for (const path of ['/checkpoints', '/exceptions', '/metrics']) await get(`/jobs/${jid}${path}`);
    for (const { id } of vertices as { id: string }[]) for (const path of ['', '/backpressure', '/subtasks/metrics', '/watermarks']) await get(`/jobs/${jid}/vertices/${id}${path}`);
    // An operation a look: their ids have to be forgotten again.
    await fetch(`${flink.url}/jobs/${jid}/savepoints`, { method: 'POST', body: '{"cancel-job":false,"target-directory":"file:///savepoints"}' }).then((response) => response.text());
  }
}

function heapMegabytes(): number {
  for (let i = 0; i < 3; i++) collect!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MEGABYTE;
}

const wallStart = performance.now();
const kept: unknown[] = [];
const figures: number[] = [];
{
  await using flink = await startMockFlink({ scenario: values.scenario, clock: 'real', speed: 100_000, control: true });
  // The trouble goes on: nobody cancels the job.
  for (const { id, action } of flink.events.pending()) if (action.kind === 'cancel-job') flink.events.cancel(id);
  const startMs = flink.clock.nowMs;
  const everyMs = Number(values.every) * HOUR_MS;
  for (let step = 1; step <= (Number(values.days) * 24) / Number(values.every); step++) {
    const untilMs = startMs + step * everyMs;
    while (flink.simulation.nowMs < untilMs) {
      await look(flink);
      // What a leak would do: for the test that this script finds one.
      if (values.leak) kept.push(Array.from({ length: 400_000 }, (_, i) => i + 0.5));
      const nextMs = flink.simulation.nowMs + Math.min(everyMs / 8, HOUR_MS);
      while (flink.simulation.nowMs < Math.min(nextMs, untilMs)) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    flink.clock.pause();
    await look(flink);
    const heap = heapMegabytes();
    if (step * Number(values.every) >= Number(values.from)) figures.push(heap);
    const { checkpoints, lag } = flink.summary().jobs[0]!;
    console.log(`hour ${step * Number(values.every)}: heap ${heap.toFixed(1)} MiB, checkpoints ${checkpoints?.completed}/${checkpoints?.failed}, lag ${Math.round(lag)}, wall ${((performance.now() - wallStart) / 1000).toFixed(0)} s, processor ${((process.cpuUsage().user + process.cpuUsage().system) / 1e6).toFixed(0)} s`);
    if (process.env['HEAP_SNAPSHOT']) (await import('node:v8')).writeHeapSnapshot(`${process.env['HEAP_SNAPSHOT']}-${step}.heapsnapshot`);
    flink.clock.resume();
  }
}
if (figures.length < 2) throw new Error(`${figures.length} figures from hour ${values.from} on: two at least are compared; give --days more, --every or --from less`);
const growth = (figures.at(-1)! / figures[0]! - 1) * 100;
console.log(`growth ${growth.toFixed(1)} % (${kept.length} kept)`);
process.exitCode = growth > Number(values.tolerance) ? 1 : 0;
