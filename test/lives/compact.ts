/** Makes the compact copies in test/golden/lives of full recordings: `tsx test/lives/compact.ts <folder of recordings>`. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RecordedEvent, RecordedLife } from './recording.js';
import { shapeOf, withoutIds, type Answer, type Shape } from './shapes.js';

interface FullEvent {
  readonly t?: number;
  readonly what: string;
  readonly request?: [string, string, unknown] | null;
  readonly answer?: [number, unknown] | null;
}
type Shot = Record<string, unknown> & { readonly t: number; readonly tag?: string };

/** Questions by their names in the recordings; one answer may be looked at in two ways. */
const NAMES: Readonly<Record<string, readonly string[]>> = { jobs: ['jobs', 'tasks'], job: ['job', 'vertices', 'stages', 'plan', 'streamgraph'], tms: ['taskmanagers'], exc: ['exceptions'], ck: ['checkpoints'], tm1: ['taskmanager'] };
/** Looked at in batch jobs only. */
const OF_BATCH = new Set(['stages', 'plan', 'streamgraph']);
const KEPT = new Set(['overview', 'jobs', 'job', 'slots', 'tms', 'taskmanagers', 'tm1', 'exc', 'exceptions', 'ck', 'checkpoints', 'requirements', 'rescales', 'history', 'summary', 'rescaleconfig', 'savepoint', 'config', 'index']);

/** Jobs that had ended before the recording are no part of the life. */
function relative(shots: readonly Shot[], name: string): void {
  const first = shots[0]![name] as { body?: Record<string, unknown> } | undefined;
  if (!first?.body || !('jobs-failed' in first.body)) return;
  const before = { ...first.body };
  for (const shot of shots) {
    const body = (shot[name] as { body?: Record<string, unknown> }).body;
    if (body && 'jobs-failed' in body) for (const key of ['jobs-finished', 'jobs-cancelled', 'jobs-failed']) body[key] = (body[key] as number) - (before[key] as number);
  }
}

function withoutEnded(shots: readonly Shot[], name: string): void {
  type Jobs = { body?: { jobs?: { jid: string; state: string }[] } };
  const ended = new Set((shots[0]![name] as Jobs | undefined)?.body?.jobs?.filter(({ state }) => ['FAILED', 'CANCELED', 'FINISHED'].includes(state)).map(({ jid }) => jid));
  for (const shot of shots) {
    const body = (shot[name] as Jobs | undefined)?.body;
    if (body?.jobs) body.jobs = body.jobs.filter(({ jid }) => !ended.has(jid));
  }
}

function compact(flink: string, full: unknown, side: string, isBatch = false): RecordedLife {
  const { events, series } = Array.isArray(full) ? { events: [] as FullEvent[], series: full as Shot[] } : (full as { events: FullEvent[]; series: Shot[] });
  const shots = series.filter((shot) => shot.tag !== 'before');
  const before = series.filter((shot) => shot.tag === 'before').map((shot) => ({ ...shot, t: 0 }));
  const all = [...before, ...shots];
  for (const name of Object.keys(all[0]!)) {
    if (name.endsWith('overview')) relative(all, name);
    if (name.endsWith('jobs')) withoutEnded(all, name);
  }
  const answers: Record<string, [number, Shape][]> = {};
  all.forEach((shot, index) => {
    for (const [name, value] of Object.entries(shot)) {
      const question = name.startsWith(side) ? name.slice(side.length) : null;
      if (question === null || !KEPT.has(question)) continue;
      for (const way of NAMES[question] ?? [question]) {
        if (OF_BATCH.has(way) && !isBatch) continue;
        const { status = null, body = null } = value as Partial<Answer>;
        const shape = shapeOf(way, { status, body });
        const changes = (answers[way] ??= []);
        if (JSON.stringify(changes.at(-1)?.[1]) !== JSON.stringify(shape)) changes.push([index, shape]);
      }
    }
  });
  const kept = events
    .filter((event) => event.t !== undefined)
    .map((event): RecordedEvent => {
      const [method, url, body] = event.request ?? [];
      return {
        atMs: Math.round(event.t! * 1000),
        what: event.what,
        request: method ? { method, path: withoutIds(url!).replace('<id>', ':job'), body: body ?? null } : null,
        answer: event.answer ? errorOrStatus(event.answer) : null,
      };
    });
  return { flink, events: kept, shotsMs: all.map((shot) => Math.round(shot.t * 1000)), answers };
}

function errorOrStatus([status, body]: [number, unknown]): Shape {
  return body !== null && typeof body === 'object' && 'errors' in body ? [status, ...(body as { errors: string[] }).errors[0]!.split('\n').filter((line) => !line.startsWith('\tat'))] : [status];
}

/** Of the batch job's runs, the one in which the parallelism is decided to be more than before, and the one in which a task fails. */
const BATCH_RUNS: Readonly<Record<string, string>> = { batch: 'a failure', 'batch-decided': 'decided parallelism' };

function compactBatch(flink: string, full: unknown, run: string): RecordedLife {
  const shots = (full as { series: (Shot & { slots: number })[] }).series.filter((shot) => shot.tag === run).map(({ t, job, slots }) => ({ t, job, slots: { status: 200, body: { 'slots-available': slots } } }) as unknown as Shot);
  const { job, stages, plan, streamgraph, slots } = compact(flink, shots, '', true).answers;
  return { flink, events: [], shotsMs: shots.map((shot) => Math.round(shot.t * 1000)), answers: { job: job!, stages: stages!, plan: plan!, streamgraph: streamgraph!, slots: slots! } };
}

const folder = process.argv[2]!;
for (const file of readdirSync(folder)) {
  const match = /^(application|batch|boot|taskmanager-loss|jobmanager-crash-without-ha|jobmanager-failover-zookeeper|adaptive)-(.*)\.json\.gz$/.exec(file);
  if (!match) continue;
  const full: unknown = JSON.parse(gunzipSync(readFileSync(path.join(folder, file))).toString());
  const lives: Readonly<Record<string, RecordedLife>> =
    match[1] === 'batch' ? Object.fromEntries(Object.entries(BATCH_RUNS).map(([name, run]) => [name, compactBatch(match[2]!, full, run)])) : { [match[1]!]: compact(match[2]!, full, match[1] === 'jobmanager-failover-zookeeper' ? 'two_' : '') };
  for (const [name, life] of Object.entries(lives)) writeFileSync(new URL(`../golden/lives/${name}-${match[2]}.json.gz`, import.meta.url), gzipSync(JSON.stringify(life), { level: 9 }));
}
