import { parseFlinkVersion, since, valueIn, type ByVersion } from '../../src/versions/flink-versions.js';

/** The dashboards that are walked: each is the first of a look, or the last. */
export const DASHBOARD_VERSIONS = ['1.9.3', '1.13.6', '1.20.5', '2.3.0'] as const;

/** A page (or a tab of one) that a user can reach. */
export interface DashboardPage {
  readonly name: string;
  /** Below `#`; `:job`, `:vertex` and `:tm` are to be filled in. */
  readonly hash: string;
  /** What it shows when it has been drawn. */
  readonly shows: RegExp;
}

const ALWAYS = since('1.9');
const FROM_1_13 = since('1.13');
const FROM_1_20 = since('1.20');

const CLUSTER: readonly (readonly [ByVersion<boolean>, string, string, RegExp])[] = [
  [ALWAYS, 'overview', '/overview', /Available Task Slots\s+\d+[^]*Completed (Job|Application) List/],
  [ALWAYS, 'running jobs', '/job/running', /Job Name/],
  [ALWAYS, 'completed jobs', '/job/completed', /Job Name/],
  [since('2.3'), 'running applications', '/application/running', /Application Name/],
  [since('2.3'), 'completed applications', '/application/completed', /Application Name/],
  [ALWAYS, 'task managers', '/task-manager', /Free Slots[^]*tcp:/],
  [ALWAYS, 'task manager: metrics', '/task-manager/:tm/metrics', /Non-Heap\s+[\d.]+ MB[^]*Garbage Collection[^]*(Generation|Concurrent)/],
  [ALWAYS, 'task manager: logs', '/task-manager/:tm/logs', /INFO/],
  [ALWAYS, 'task manager: stdout', '/task-manager/:tm/stdout', /Stdout/],
  [FROM_1_13, 'task manager: log list', '/task-manager/:tm/log-list', /Log Name[^]*\.log\s+[\d.,]+/],
  [FROM_1_13, 'task manager: thread dump', '/task-manager/:tm/thread-dump', /"main".*Id=1/],
  [FROM_1_20, 'task manager: profiler', '/task-manager/:tm/profiler', /Profiling/],
  [FROM_1_13, 'job manager: metrics', '/job-manager/metrics', /Non-Heap\s+[\d.]+ MB/],
  [ALWAYS, 'job manager: configuration', '/job-manager/config', /taskmanager\.numberOfTaskSlots/],
  [ALWAYS, 'job manager: logs', '/job-manager/logs', /INFO/],
  [ALWAYS, 'job manager: stdout', '/job-manager/stdout', /Stdout/],
  [FROM_1_13, 'job manager: log list', '/job-manager/log', /Log Name[^]*\.log\s+[\d.,]+/],
  [FROM_1_20, 'job manager: thread dump', '/job-manager/thread-dump', /"main".*Id=1/],
  [FROM_1_20, 'job manager: profiler', '/job-manager/profiler', /Profiling/],
  [ALWAYS, 'submit', '/submit', /Uploaded Jars[^]*Entry Class/],
];

/** Below the job's own path. */
const JOB: readonly (readonly [ByVersion<boolean>, string, string, RegExp])[] = [
  [ALWAYS, 'job: graph', '/overview', /Parallelism: [^]*Records Sent[^]*(RUNNING|FINISHED|FAILED|CANCELED|CREATED)/],
  [ALWAYS, 'job: exceptions', '/exceptions', /Root Exception/],
  [ALWAYS, 'job: timeline', '/timeline', /Vertex TimeLine/],
  [FROM_1_20, 'job: data skew', '/dataskew', /Data Skew Percentage/],
  [ALWAYS, 'job: configuration', '/configuration', /Object reuse mode\s+(true|false)/],
];

const STREAMING: readonly (readonly [ByVersion<boolean>, string, string, RegExp])[] = [[ALWAYS, 'job: checkpoints', '/checkpoints', /Checkpoint Counts\s+Triggered: \d+/]];

/** Below the vertex's drawer. */
const VERTEX: readonly (readonly [ByVersion<boolean>, string, string, RegExp])[] = [
  [ALWAYS, 'vertex: detail', '/detail', /Task\s+\d+\s+Records Sent\s+[\d,]+/],
  [ALWAYS, 'vertex: subtasks', '/subtasks', /Attempt[^]*0\t[\d.]+ \w?B\t/],
  [ALWAYS, 'vertex: task managers', '/taskmanagers', /(Host|Endpoint)[^]*Bytes received/],
  [ALWAYS, 'vertex: watermarks', '/watermarks', /SubTask\s+Watermark/i],
  [ALWAYS, 'vertex: accumulators', '/accumulators', /SubTask Accumulators/],
  [ALWAYS, 'vertex: back pressure', '/backpressure', /Back Pressure Status/],
  [ALWAYS, 'vertex: metrics', '/metrics', /Add Metric/],
  [FROM_1_13, 'vertex: flame graph', '/flamegraph', /On-CPU/],
];

function those(table: typeof CLUSTER, flinkVersion: string, prefix: string): DashboardPage[] {
  const version = parseFlinkVersion(flinkVersion)!;
  return table.filter(([when]) => valueIn(when, version)).map(([, name, hash, shows]) => ({ name, hash: prefix + hash, shows }));
}

/** Path of a job's pages. */
export function jobPath(flinkVersion: string, job: string, list: 'running' | 'completed' = 'running'): string {
  return valueIn(FROM_1_20, parseFlinkVersion(flinkVersion)!) ? `/job/${list}/${job}` : `/job/${job}`;
}

export function clusterPages(flinkVersion: string, taskManager: string): DashboardPage[] {
  return those(CLUSTER, flinkVersion, '').map((page) => ({ ...page, hash: page.hash.replace(':tm', taskManager) }));
}

/** The tabs of a job; a batch job has no checkpoints. */
export function jobPages(flinkVersion: string, prefix: string, type: 'streaming' | 'batch' = 'streaming'): DashboardPage[] {
  return [...those(JOB, flinkVersion, prefix), ...(type === 'streaming' ? those(STREAMING, flinkVersion, prefix) : [])];
}

/** The tabs of the drawer that opens over the graph. */
export function vertexPages(flinkVersion: string, prefix: string, vertex: string): DashboardPage[] {
  return those(VERTEX, flinkVersion, `${prefix}/overview/${vertex}`);
}
