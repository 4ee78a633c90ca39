import { ControlClient } from '../../src/library/control-client.js';
import { Client } from './client.js';
import type { SoakedServer } from './soaked-server.js';

const CLIENTS = 20;
const UNDER_LOAD_MS = 500;
/** What was sent this long before the signal has been read when it comes, even on a busy machine. */
const READ_WITHIN_MS = 100;
const EXIT_WITHIN_MS = 1_000;
/** Where ordinary answers take longer than this, the machine is too busy for a server that has 700 ms to finish. */
const ABLE_MS = 300;

export interface Shutdown {
  readonly exitMs: number;
  readonly code: number | null;
  /** Answers that were under way when the signal came. */
  readonly inFlight: number;
  /** The slowest ordinary answer before the signal. */
  readonly slowestMs: number;
  /** false: the machine was too busy to tell whether the server is in time. */
  readonly isJudged: boolean;
  readonly complaints: readonly string[];
}

/** SIGTERM while many ask, some of whom are given their answers slowly: each answer that was under way is whole, and the process ends in time. */
export async function stopUnderLoad(server: SoakedServer, targets: readonly string[], isStrict: boolean): Promise<Shutdown> {
  await new ControlClient(server.controlUrl).faults.add({ path: '/config', drip: { over: '300 ms', chunks: 5 } });
  await using client = new Client(server.url);
  const asked: { target: string; fromMs: number; headersMs: number; status: number | null; untilMs: number }[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let turn = index; !isOver; turn++) {
      // A third of the clients wait for slow answers.
      const request = { target: index % 3 === 0 ? '/config' : targets[turn % targets.length]!, fromMs: performance.now(), headersMs: Infinity, status: null as number | null, untilMs: Infinity };
      asked.push(request);
      const outcome = await client.ask('GET', request.target, undefined, () => (request.headersMs = performance.now()));
      request.status = outcome.status;
      request.untilMs = outcome.untilMs;
      if (outcome.status === null) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await new Promise((resolve) => setTimeout(resolve, UNDER_LOAD_MS));
  const signalMs = performance.now();
  server.child.kill('SIGTERM');
  const { code, signal, atMs } = await server.ended;
  isOver = true;
  await Promise.all(clients);
  const inFlight = asked.filter(({ fromMs, untilMs, headersMs }) => untilMs > signalMs && (fromMs < signalMs - READ_WITHIN_MS || headersMs < signalMs));
  const slowestMs = Math.max(...asked.filter(({ target, untilMs, fromMs }) => target !== '/config' && (untilMs < signalMs || fromMs < signalMs - ABLE_MS)).map(({ fromMs, untilMs }) => Math.min(untilMs, signalMs) - fromMs));
  const isJudged = isStrict || slowestMs < ABLE_MS;
  const cut = asked.filter(({ fromMs, untilMs, headersMs, status }) => status === null && (headersMs < Infinity || (untilMs > signalMs && fromMs < signalMs - READ_WITHIN_MS)));
  const late = cut.map(({ target, headersMs, fromMs }) => `${target}, asked ${Math.round(signalMs - fromMs)} ms before SIGTERM, was ${headersMs < Infinity ? 'cut' : 'not answered'}`);
  if (atMs - signalMs > EXIT_WITHIN_MS) late.push(`SIGTERM: the end came after ${Math.round(atMs - signalMs)} ms`);
  const complaints = isJudged ? late : [];
  if (code !== 0) complaints.push(`SIGTERM: exit code ${code ?? signal}`);
  const left = server.leftBehind();
  if (left.length > 0) complaints.push(`left in the temporary folder: ${left.join(', ')}`);
  return { exitMs: atMs - signalMs, code, inFlight: inFlight.length, slowestMs, isJudged, complaints };
}
