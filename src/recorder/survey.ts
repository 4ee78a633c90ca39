import type { z } from 'zod';
import {
  ask,
  checkpointConfigAnswer,
  configAnswer,
  jobAnswer,
  jobConfigAnswer,
  jobsAnswer,
  metricNamesAnswer,
  metricValuesAnswer,
  optionsAnswer,
  planAnswer,
  taskManagerAnswer,
  taskManagersAnswer,
  tryRead,
  vertexAnswer,
} from './answers.js';
import { RecorderError } from './recorder-error.js';
import { METRICS_FETCH_MS, type RestClient } from './rest-client.js';

type PlanNode = z.output<typeof planAnswer>['plan']['nodes'][number];

/** A vertex as the plan and the job tell it. */
export interface VertexSurvey {
  readonly id: string;
  readonly name: string;
  readonly parallelism: number;
  /** null where the version does not tell (before 1.13). */
  readonly maxParallelism: number | null;
  readonly slotSharingGroup: string;
  /** As the plan writes it, with its HTML. */
  readonly description: string;
  readonly inputs: PlanNode['inputs'];
  /** Task manager id of each subtask; null = not known. */
  readonly taskManagers: readonly (string | null)[];
  /** Names of its metrics, `<subtask>.<name>`. */
  readonly metrics: ReadonlySet<string>;
}

/** What is known of a job before it is watched. */
export interface JobSurvey {
  readonly id: string;
  readonly name: string;
  readonly startMs: number;
  readonly jobType: 'STREAMING' | 'BATCH';
  readonly maxParallelism: number | null;
  readonly config: z.output<typeof jobConfigAnswer>['execution-config'];
  /** null = checkpointing is off. */
  readonly checkpointing: z.output<typeof checkpointConfigAnswer> | null;
  readonly vertices: readonly VertexSurvey[];
}

export type TaskManagerSurvey = z.output<typeof taskManagersAnswer>['taskmanagers'][number] & {
  /** Buffers of its network memory; null = not told. */
  readonly networkSegments: number | null;
};

/** What is known of a cluster before it is watched. */
export interface ClusterSurvey {
  readonly flinkVersion: string;
  readonly timeZoneName: string | null;
  readonly timeZoneOffsetMs: number;
  readonly options: readonly { readonly key: string; readonly value: string }[];
  readonly jobManagerHeapBytes: number | null;
  readonly taskManagers: readonly TaskManagerSurvey[];
  readonly jobs: readonly JobSurvey[];
  /** Jobs that are there and are not recorded, `name (state)`. */
  readonly otherJobs: readonly string[];
}

async function surveyVertex(client: RestClient, jobId: string, vertex: z.output<typeof jobAnswer>['vertices'][number], node: PlanNode | undefined, dataPorts: ReadonlyMap<string, string>): Promise<VertexSurvey> {
  const path = `/jobs/${jobId}/vertices/${vertex.id}`;
  const { subtasks } = await ask(client, path, vertexAnswer);
  const metrics = await ask(client, `${path}/metrics`, metricNamesAnswer);
  return {
    id: vertex.id,
    name: vertex.name,
    parallelism: vertex.parallelism,
    maxParallelism: vertex.maxParallelism ?? null,
    slotSharingGroup: vertex.slotSharingGroupId ?? 'default',
    description: node?.description ?? '',
    inputs: node?.inputs ?? [],
    taskManagers: Array.from({ length: vertex.parallelism }, (_, index) => {
      const found = subtasks.find(({ subtask }) => subtask === index);
      // Before 1.10 a subtask names its host and data port only.
      return found?.['taskmanager-id'] ?? dataPorts.get(found?.endpoint ?? found?.host ?? '') ?? null;
    }),
    metrics: new Set(metrics.map(({ id }) => id)),
  };
}

async function surveyJob(client: RestClient, jobId: string, taskManagers: readonly TaskManagerSurvey[]): Promise<JobSurvey> {
  const job = await ask(client, `/jobs/${jobId}`, jobAnswer);
  const { plan } = await ask(client, `/jobs/${jobId}/plan`, planAnswer);
  const config = await ask(client, `/jobs/${jobId}/config`, jobConfigAnswer);
  const checkpointing = tryRead(await client.get(`/jobs/${jobId}/checkpoints/config`), checkpointConfigAnswer);
  const dataPorts = new Map(taskManagers.map((taskManager) => [`${hostOf(taskManager.path) ?? 'localhost'}:${taskManager.dataPort}`, taskManager.id]));
  const vertices: VertexSurvey[] = [];
  for (const vertex of job.vertices) vertices.push(await surveyVertex(client, jobId, vertex, plan.nodes.find(({ id }) => id === vertex.id), dataPorts));
  return {
    id: jobId,
    name: job.name,
    startMs: job['start-time'],
    jobType: (job['job-type'] ?? plan.type) === 'BATCH' ? 'BATCH' : 'STREAMING',
    maxParallelism: job.maxParallelism !== undefined && job.maxParallelism > 0 ? job.maxParallelism : null,
    config: config['execution-config'],
    checkpointing,
    vertices,
  };
}

/** `akka.tcp://flink@host:37805/user/…`: host and port of the RPC system. */
export function rpcAddress(path: string): { host: string; port: number } | null {
  const match = /@([^/]+):(\d+)\//.exec(path);
  return match ? { host: match[1]!, port: Number(match[2]) } : null;
}

function hostOf(path: string): string | null {
  return rpcAddress(path)?.host ?? null;
}

async function surveyTaskManagers(client: RestClient): Promise<TaskManagerSurvey[]> {
  const { taskmanagers } = await ask(client, '/taskmanagers', taskManagersAnswer);
  const result: TaskManagerSurvey[] = [];
  for (const taskManager of taskmanagers) {
    const details = taskManager.memoryConfiguration ? null : tryRead(await client.get(`/taskmanagers/${encodeURIComponent(taskManager.id)}`), taskManagerAnswer);
    result.push({ ...taskManager, networkSegments: details?.metrics?.nettyShuffleMemorySegmentsTotal || details?.metrics?.memorySegmentsTotal || null });
  }
  return result;
}

type JobList = z.output<typeof jobsAnswer>['jobs'];
/** Every job that runs, no job at all, or the running one of a name or id. */
export type WantedJobs = 'all' | 'none' | { readonly job: string };

function chooseJobs(jobs: JobList, wanted: WantedJobs): JobList {
  if (wanted === 'none') return [];
  const name = wanted === 'all' ? null : wanted.job;
  const running = jobs.filter((job) => (name === null || job.jid === name || job.name === name) && job.state === 'RUNNING');
  if (running.length > 0) return [...running].sort((a, b) => a['start-time'] - b['start-time']);
  const there = jobs.map(({ name, state }) => `${name} (${state})`).join(', ');
  throw new RecorderError(name === null ? `no job runs there${there && `; there are: ${there}`}` : `no job ${JSON.stringify(name)} runs there; there are: ${there || 'none'}`);
}

/** Asks all that does not change. */
export async function surveyCluster(client: RestClient, wanted: WantedJobs, signal: AbortSignal): Promise<ClusterSurvey> {
  const config = await ask(client, '/config', configAnswer);
  const options = await ask(client, '/jobmanager/config', optionsAnswer);
  const heap = tryRead(await client.get('/jobmanager/metrics?get=Status.JVM.Memory.Heap.Max'), metricValuesAnswer);
  const { jobs } = await ask(client, '/jobs/overview', jobsAnswer);
  const running = chooseJobs(jobs, wanted);
  // Nobody may have asked for metrics yet: the job manager has none before somebody does.
  for (const { jid } of running) await client.get(`/jobs/${jid}`);
  await client.sleep(METRICS_FETCH_MS, signal);
  const taskManagers = await surveyTaskManagers(client);
  const surveys: JobSurvey[] = [];
  for (const { jid } of running) surveys.push(await surveyJob(client, jid, taskManagers));
  return {
    flinkVersion: config['flink-version'],
    timeZoneName: config['timezone-name'] ?? null,
    timeZoneOffsetMs: config['timezone-offset'] ?? 0,
    options,
    jobManagerHeapBytes: heap?.[0] ? Number(heap[0].value) : null,
    taskManagers,
    jobs: surveys,
    otherJobs: jobs.filter((job) => !running.includes(job)).map(({ name, state }) => `${name} (${state})`),
  };
}
