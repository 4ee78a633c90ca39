import { eachOf, get } from './api.js';

/** Requests at a time: a browser has six connections to a host. */
const PARALLEL = 5;
/** Metrics that the page shows, as Flink names them in every version; which of them there are, the vertex's own list says. */
const TASK_METRICS = [
  'numRecordsInPerSecond',
  'numRecordsOutPerSecond',
  'busyTimeMsPerSecond',
  'backPressuredTimeMsPerSecond',
  'idleTimeMsPerSecond',
  'Shuffle.Netty.Input.Buffers.inPoolUsage',
  'Shuffle.Netty.Input.Buffers.inputQueueLength',
  'Shuffle.Netty.Output.Buffers.outPoolUsage',
  'Shuffle.Netty.Output.Buffers.outputQueueLength',
];
/** Kafka's, without the operator in front: the new source's, then the legacy consumer's. */
const KAFKA_METRIC = /(^|\.)(pendingRecords|records-lag-max|commitsSucceeded|commitsFailed|records-consumed-rate)$/;
const PARTITION_METRIC = /^(\d+)\..*\.topic\.(.+)\.partition\.(\d+)\.(current|committed)Offsets?$/;
/** Paths longer than about 4000 characters are not understood by Flink. */
const MAX_QUERY = 3000;

/** Names of the metrics of each vertex, which do not change while its tasks run. */
const namesByVertex = new Map();

export async function readCluster() {
  const [overview, jobs] = await Promise.all([get('overview'), get('jobs/overview')]);
  return { overview, jobs: (jobs?.jobs ?? []).sort((a, b) => b['start-time'] - a['start-time']) };
}

export async function readJob(jobId) {
  const [job, checkpoints, checkpointConfig, exceptions] = await Promise.all([get(`jobs/${jobId}`), get(`jobs/${jobId}/checkpoints`), get(`jobs/${jobId}/checkpoints/config`), get(`jobs/${jobId}/exceptions`)]);
  if (job === null) return null;
  const vertices = await eachOf(job.vertices, PARALLEL, (vertex) => readVertex(jobId, vertex));
  return { job, checkpoints: checkpoints?.counts ? checkpoints : null, checkpointConfig, exceptions, vertices };
}

async function readVertex(jobId, vertex) {
  const base = `jobs/${jobId}/vertices/${vertex.id}`;
  const alive = vertex.status === 'RUNNING';
  const [backPressure, metrics] = await Promise.all([alive ? get(`${base}/backpressure`) : null, alive ? readMetrics(base, vertex) : {}]);
  return { ...vertex, backPressure: backPressure?.status === 'ok' ? backPressure : null, metrics };
}

async function readMetrics(base, vertex) {
  const key = `${base}@${vertex['start-time']}`;
  let names = namesByVertex.get(key);
  if (names === undefined || names.until < Date.now()) {
    const listed = (await get(`${base}/subtasks/metrics`)) ?? [];
    names = { wanted: listed.map((metric) => metric.id).filter((id) => TASK_METRICS.includes(id) || KAFKA_METRIC.test(id)), until: Date.now() + 30_000 };
    namesByVertex.set(key, names);
  }
  const metrics = {};
  for (const batch of batches(names.wanted)) {
    for (const metric of (await get(`${base}/subtasks/metrics?get=${batch}`)) ?? []) metrics[metric.id] = metric;
  }
  return metrics;
}

function batches(names) {
  const texts = [];
  for (const name of names.map(encodeURIComponent)) {
    if (texts.length > 0 && texts.at(-1).length + name.length < MAX_QUERY) texts[texts.length - 1] += `,${name}`;
    else texts.push(name);
  }
  return texts;
}

/** Subtasks of a vertex: where they run, what they did, their back pressure. */
export async function readSubtasks(jobId, vertexId) {
  return get(`jobs/${jobId}/vertices/${vertexId}`);
}

/** Offsets of a Kafka source by partition, as its subtasks report them. */
export async function readPartitions(jobId, vertexId) {
  const base = `jobs/${jobId}/vertices/${vertexId}/metrics`;
  const wanted = ((await get(base)) ?? []).map((metric) => metric.id).filter((id) => PARTITION_METRIC.test(id));
  const partitions = new Map();
  for (const batch of batches(wanted)) {
    for (const { id, value } of (await get(`${base}?get=${batch}`)) ?? []) {
      const [, subtask, topic, partition, kind] = PARTITION_METRIC.exec(id);
      const name = `${topic}-${partition}`;
      const row = partitions.get(name) ?? { topic, partition: Number(partition), subtask: Number(subtask) };
      row[kind] = Number(value);
      partitions.set(name, row);
    }
  }
  return [...partitions.values()].sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
}

/** Edges of the job graph, out of the plan. */
export function edgesOf(job) {
  return (job.plan?.nodes ?? []).flatMap((node) => (node.inputs ?? []).map((input) => ({ from: input.id, to: node.id, ship: input.ship_strategy })));
}

/** Ratios of a vertex, as averages over its subtasks; null where the version does not measure them. */
export function timesOf(vertex) {
  const share = (name) => {
    const value = Number(vertex.metrics[name]?.avg);
    return Number.isFinite(value) ? value / 1000 : null;
  };
  const blocked = share('backPressuredTimeMsPerSecond');
  const idle = share('idleTimeMsPerSecond');
  if (blocked === null && idle === null) return null;
  const busy = share('busyTimeMsPerSecond') ?? Math.max(0, 1 - (blocked ?? 0) - (idle ?? 0));
  return { busy, blocked: blocked ?? 0, idle: idle ?? 0 };
}

/** A Kafka metric of a vertex, by its last name: the aggregation asked for, null when there is none. */
export function kafkaMetric(vertex, name, aggregation) {
  const found = Object.values(vertex.metrics).find((metric) => metric.id.endsWith(`.${name}`) || metric.id === name);
  const value = Number(found?.[aggregation]);
  return Number.isFinite(value) ? value : null;
}

export const metricOf = (vertex, name, aggregation) => vertex.metrics[name]?.[aggregation] ?? null;
