import type { z } from 'zod';
import { backPressureAnswer, checkpointDetailsAnswer, checkpointsAnswer, jobAnswer, metricValuesAnswer, tryRead } from './answers.js';
import { RecorderError } from './recorder-error.js';
import { METRICS_FETCH_MS, type RestClient } from './rest-client.js';
import type { ClusterSurvey, JobSurvey, VertexSurvey } from './survey.js';

/** A vertex at an instant. */
export interface VertexShot {
  /** By metric name: a value for each subtask, NaN where there is none. */
  readonly metrics: ReadonlyMap<string, readonly number[]>;
  /** Back pressure endpoint: part of the time, by subtask; null = no answer, or none yet. */
  readonly backPressured: readonly number[] | null;
}

/** A job at an instant. */
export interface JobShot {
  /** When the metrics were fetched from the task managers, by the cluster's clock, epoch ms. */
  readonly atMs: number;
  readonly vertices: readonly VertexShot[];
}

export interface CheckpointShot {
  readonly id: number;
  readonly durationMs: number;
  /** Bytes of state by vertex id; null = details were not to be had. */
  readonly stateBytes: ReadonlyMap<string, number> | null;
  readonly triggerMs: number;
}

export interface JobWatch {
  readonly shots: JobShot[];
  /** Completed ones of the watched time, oldest first. */
  checkpoints: readonly CheckpointShot[];
  failedCheckpoints: number;
  /** Why it was not watched to the end. */
  ended: string | null;
}

export interface WatchOptions {
  readonly forMs: number;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onShot?: (done: number, of: number) => void;
}

/** Netty's limit of a request line is 4096 bytes. */
const LONGEST_QUERY = 3_500;

const TASK_METRICS = [
  'numRecordsIn',
  'numRecordsOut',
  'numBytesOut',
  'busyTimeMsPerSecond',
  'idleTimeMsPerSecond',
  'backPressuredTimeMsPerSecond',
  'accumulateBusyTimeMs',
  'accumulateIdleTimeMs',
  'accumulateBackPressuredTimeMs',
] as const;

/** Of an operator or its Kafka consumer. */
const OPERATOR_METRIC = /\.(numRecordsIn|numRecordsOut|pendingRecords|currentOffsets?|records-lag-max|records-lag)$/;

function wantedMetrics(vertex: VertexSurvey): string[] {
  // Those of times are not listed before the task has had something to do.
  const tasks = Array.from({ length: vertex.parallelism }, (_, s) => TASK_METRICS.map((name) => `${s}.${name}`)).flat();
  return [...tasks, ...[...vertex.metrics].filter((id) => OPERATOR_METRIC.test(id) && id.split('.').length > 2).sort()];
}

function chunks(ids: readonly string[]): string[] {
  const result: string[] = [];
  let query = '';
  for (const id of ids) {
    const escaped = encodeURIComponent(id);
    if (query !== '' && query.length + escaped.length + 1 > LONGEST_QUERY) {
      result.push(query);
      query = '';
    }
    query += query === '' ? escaped : `,${escaped}`;
  }
  if (query !== '') result.push(query);
  return result;
}

async function shootVertex(client: RestClient, job: JobSurvey, vertex: VertexSurvey): Promise<VertexShot> {
  const path = `/jobs/${job.id}/vertices/${vertex.id}`;
  const metrics = new Map<string, number[]>();
  for (const query of chunks(wantedMetrics(vertex))) {
    for (const { id, value } of tryRead(await client.get(`${path}/metrics?get=${query}`), metricValuesAnswer) ?? []) {
      const dot = id.indexOf('.');
      const name = id.slice(dot + 1);
      let values = metrics.get(name);
      if (!values) metrics.set(name, (values = Array.from({ length: vertex.parallelism }, () => NaN)));
      values[Number(id.slice(0, dot))] = Number(value);
    }
  }
  const back = tryRead(await client.get(`${path}/backpressure`), backPressureAnswer);
  const ratios = back && back.subtasks.length > 0 ? Array.from({ length: vertex.parallelism }, (_, s) => Number(back.subtasks.find(({ subtask }) => subtask === s)?.ratio ?? NaN)) : null;
  return { metrics, backPressured: ratios };
}

async function shootJob(client: RestClient, job: JobSurvey, watch: JobWatch, signal: AbortSignal): Promise<void> {
  const details = tryRead(await client.get(`/jobs/${job.id}`), jobAnswer);
  if (details?.state !== 'RUNNING') {
    watch.ended = `the job was ${details?.state ?? 'gone'}`;
    return;
  }
  // Metrics come through a store that the job manager fills when somebody asks and the last time is long enough ago; the answer to that request is
  // still of the old values. So it is asked once for nothing, and a little later for the values: what is new then is of the first request.
  await client.get(`/jobs/${job.id}/vertices/${job.vertices[0]!.id}/metrics?get=0.numRecordsOut`);
  // The cluster's own clock: ours may be another, and a simulated one runs at a pace of its own.
  const atMs = details.now ?? client.now();
  await client.sleep(METRICS_FETCH_MS, signal);
  const vertices: VertexShot[] = [];
  for (const vertex of job.vertices) vertices.push(await shootVertex(client, job, vertex));
  watch.shots.push({ atMs, vertices });
}

function sizeOf({ checkpointed_size, state_size }: { checkpointed_size?: number | undefined; state_size: number }): number {
  // What an incremental checkpoint wrote is less than the state; the whole is told as state_size.
  return Math.max(state_size, checkpointed_size ?? 0);
}

async function readCheckpoints(client: RestClient, job: JobSurvey, watch: JobWatch): Promise<void> {
  const answer = tryRead(await client.get(`/jobs/${job.id}/checkpoints`), checkpointsAnswer);
  if (!answer) return;
  const completed: CheckpointShot[] = [];
  for (const checkpoint of answer.history.filter(({ status, is_savepoint }) => status === 'COMPLETED' && is_savepoint !== true)) {
    const details = tryRead(await client.get(`/jobs/${job.id}/checkpoints/details/${checkpoint.id}`), checkpointDetailsAnswer);
    const stateBytes = details && new Map(Object.entries(details.tasks).map(([id, task]: [string, z.output<typeof checkpointDetailsAnswer>['tasks'][string]]) => [id, sizeOf(task)]));
    completed.push({ id: checkpoint.id, durationMs: checkpoint.end_to_end_duration, triggerMs: checkpoint.trigger_timestamp, stateBytes });
  }
  watch.checkpoints = completed.sort((a, b) => a.id - b.id);
  watch.failedCheckpoints = answer.history.filter(({ status }) => status === 'FAILED').length;
}

/**
 * Looks at the jobs every so often until the time is over or the signal comes. When the cluster goes away meanwhile, what was seen
 * so far is the result.
 */
export async function watchJobs(client: RestClient, survey: ClusterSurvey, options: WatchOptions): Promise<Map<string, JobWatch>> {
  const watches = new Map(survey.jobs.map((job) => [job.id, { shots: [], checkpoints: [], failedCheckpoints: 0, ended: null } as JobWatch]));
  const total = Math.max(1, Math.floor(options.forMs / options.everyMs) + 1);
  const startMs = client.now();
  const current = (): JobSurvey[] => survey.jobs.filter((job) => watches.get(job.id)!.ended === null);
  // One look at least, however soon it is stopped.
  for (let n = 0; n < total && (n === 0 || !options.signal.aborted) && current().length > 0; n++) {
    await client.sleep(Math.max(0, startMs + n * options.everyMs - client.now()), options.signal);
    if (options.signal.aborted && n > 0) break;
    for (const job of current()) {
      await shootJob(client, job, watches.get(job.id)!, options.signal).catch((error: unknown) => {
        if (!(error instanceof RecorderError)) throw error;
        watches.get(job.id)!.ended = error.message;
      });
    }
    options.onShot?.(n + 1, total);
  }
  for (const job of current()) await readCheckpoints(client, job, watches.get(job.id)!);
  return watches;
}
