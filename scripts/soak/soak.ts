import { Client } from './client.js';
import { Directory } from './directory.js';
import { Disturbances } from './disturbances.js';
import { complaintAbout, type Outcome } from './judge.js';
import { Perturber } from './perturber.js';
import { Random } from './random.js';
import { stopUnderLoad, type Shutdown } from './shutdown.js';
import { SoakedServer, type Sample } from './soaked-server.js';
import { streamClients } from './stream-clients.js';
import { Traffic, type Kind } from './traffic.js';
import { Watcher } from './watcher.js';

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Requests a second. */
  readonly rate: number;
  readonly speed: number;
  /** Judges what a busy machine may be the cause of. */
  readonly strict?: boolean;
  readonly onComplaint?: (complaint: string) => void;
  readonly onSample?: (minute: number, sample: Sample, soFar: { readonly requests: number; readonly wrong: number; readonly virtualHours: number }) => void;
}

export interface SoakResult {
  readonly seconds: number;
  readonly virtualHours: number;
  readonly requests: Readonly<Record<Kind | 'watcher', number>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests that were due and not sent, as too many were under way. */
  readonly notSent: number;
  readonly done: Readonly<Record<string, number>>;
  readonly comparisons: number;
  readonly streamEvents: number;
  readonly samples: readonly Sample[];
  readonly latency: { readonly p50Ms: number; readonly p99Ms: number };
  readonly shutdown: Shutdown;
  readonly complaints: readonly string[];
  /** Of all that went wrong, also what is not listed. */
  readonly wrong: number;
}

const TURN_MS = 10;
const UNDER_WAY = 300;
const LISTED = 50;
const SAMPLES = 30;
const LATENCIES = 200_000;
const STREAMS = 5;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves, asks, disturbs and watches for so long; everything that was neither ordinary nor asked for is a complaint. */
export async function soak({ minutes, seed, rate, speed, strict = false, onSample, onComplaint }: SoakOptions): Promise<SoakResult> {
  await using server = await SoakedServer.start(speed, seed);
  await using flink = new Client(server.url);
  await using control = new Client(server.controlUrl);
  await using watching = new Client(server.url);

  const disturbances = new Disturbances();
  const directory = new Directory();
  await directory.refresh(watching);
  for (const { id } of directory.jobs) directory.baseJobs.add(id);

  const complaints: string[] = [];
  let wrong = 0;
  const complain = (text: string): void => {
    wrong++;
    if (complaints.length < LISTED) {
      complaints.push(text);
      onComplaint?.(text);
    }
  };
  const requests = { dashboard: 0, prometheus: 0, control: 0, operations: 0, watcher: 0 };
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  const judge = (kind: Kind | 'watcher', outcome: Outcome): void => {
    requests[kind]++;
    const key = String(outcome.status ?? 'cut off');
    statuses[key] = (statuses[key] ?? 0) + 1;
    if (latencies.length < LATENCIES && outcome.status !== null) latencies.push(outcome.untilMs - outcome.fromMs);
    if (outcome.target.startsWith('/_mock')) {
      // A process may have gone since its name was read.
      if (outcome.status !== 200 && !(outcome.status === 404 && outcome.target.startsWith('/_mock/metrics/')) && !disturbances.isOut(outcome.fromMs, outcome.untilMs)) complain(`${outcome.target}: ${outcome.status ?? outcome.failure} ${outcome.text.slice(0, 200)}`);
      return;
    }
    const complaint = complaintAbout(outcome, disturbances, directory.baseJobs);
    if (complaint !== null) complain(complaint);
  };

  const random = new Random(seed);
  const traffic = new Traffic(flink, control, directory, random);
  const perturber = new Perturber(server.controlUrl, watching, disturbances, new Random(seed + 1), speed, directory.baseJobs);
  const watcher = new Watcher(watching, disturbances, (outcome) => judge('watcher', outcome));
  const streams = streamClients(server.controlUrl, STREAMS);

  const startMs = performance.now();
  const endMs = startMs + minutes * 60_000;
  const isOn = (): boolean => performance.now() < endMs && server.isAlive;
  const samples: Sample[] = [];
  let notSent = 0;

  const load = async (): Promise<void> => {
    let underWay = 0;
    for (let launched = 0; isOn(); await pause(TURN_MS)) {
      const due = Math.floor(((performance.now() - startMs) / 1000) * rate);
      for (; launched < due; launched++) {
        if (underWay >= UNDER_WAY) {
          notSent++;
          continue;
        }
        const { kind, outcome } = traffic.next();
        underWay++;
        void outcome.then((told) => (underWay--, judge(kind, told)));
      }
    }
    while (underWay > 0 && server.isAlive) await pause(TURN_MS);
  };
  const refresh = async (): Promise<void> => {
    for (; isOn(); await pause(300)) await directory.refresh(watching);
  };
  const watch = async (): Promise<void> => {
    for (; isOn(); await pause(200)) for (const text of await watcher.look()) complain(text);
  };
  const perturb = async (): Promise<void> => {
    const paces = new Random(seed + 2);
    for (; isOn(); await pause(paces.between(50, 500))) await perturber.next();
    if (server.isAlive) await perturber.finish();
  };
  const look = async (): Promise<void> => {
    for (let turn = 1; turn <= SAMPLES && isOn(); turn++) {
      await pause(startMs + ((endMs - startMs) * turn) / SAMPLES - performance.now() - (turn === SAMPLES ? 500 : 0));
      if (!server.isAlive) return;
      const sample = await server.sample();
      samples.push(sample);
      onSample?.((performance.now() - startMs) / 60_000, sample, { requests: Object.values(requests).reduce((sum, each) => sum + each, 0), wrong, virtualHours: perturber.virtualMs / 3_600_000 });
    }
  };
  await Promise.all([load(), refresh(), watch(), perturb(), look()]);
  const seconds = (performance.now() - startMs) / 1000;
  const streamEvents = await streams.close();
  for (const text of perturber.complaints) complain(text);
  for (const text of samples.at(-1)?.complaints ?? []) complain(text);
  if (!server.isAlive) throw new Error(`the server ended:\n${server.output}\n${complaints.join('\n')}`);
  const shutdown = await stopUnderLoad(server, ['/overview', '/jobs/overview', '/taskmanagers', ...[...directory.baseJobs].flatMap((id) => [`/jobs/${id}`, `/jobs/${id}/checkpoints`])], strict);
  for (const text of shutdown.complaints) complain(text);
  for (const line of server.logged) complain(`logged: ${line.slice(0, 1_000)}`);
  latencies.sort((one, other) => one - other);
  const latency = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? NaN;
  return { seconds, virtualHours: perturber.virtualMs / 3_600_000, requests, statuses, notSent, done: perturber.done, comparisons: watcher.compared, streamEvents, samples, latency: { p50Ms: latency(0.5), p99Ms: latency(0.99) }, shutdown, complaints, wrong };
}
