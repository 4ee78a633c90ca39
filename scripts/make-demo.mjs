// Writes what of the demo follows from other files: Grafana's dashboards out of the tables below, and the alert rules for a clock that runs 60 times as fast.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SPEED = 60;
const JOB = 'job_name=~"$job"';
const T = 'flink_taskmanager_job_task_';
const J = 'flink_jobmanager_job_';

/** A panel: title, unit, and queries with their legends. */
const panel = (title, unit, ...queries) => ({ title, unit, queries });
const stat = (title, unit, expr) => ({ title, unit, stat: true, queries: [[expr, '']] });
const byTask = (metric, fold = 'max') => `${fold} by (task_name) (${T}${metric}{${JOB}})`;
/** Flink 2.0 has its buffers below Shuffle_Netty only. */
const buffers = (direction, name, fold = 'max') => `${fold} by (task_name) (${T}buffers_${name}{${JOB}} or ${T}Shuffle_Netty_${direction}_Buffers_${name}{${JOB}})`;

const DASHBOARDS = {
  'job-overview': {
    title: 'Job overview',
    panels: [
      stat('Running jobs', 'none', 'sum(flink_jobmanager_numRunningJobs)'),
      stat('Free slots', 'none', 'sum(flink_jobmanager_taskSlotsAvailable)'),
      stat('Restarts', 'none', `sum(${J}numRestarts{${JOB}} or ${J}fullRestarts{${JOB}})`),
      stat('Failed checkpoints', 'none', `sum(${J}numberOfFailedCheckpoints{${JOB}})`),
      panel('Up since', 'ms', [`${J}uptime{${JOB}}`, '{{job_name}}']),
      panel('Records into each task', 'ops', [byTask('numRecordsInPerSecond', 'sum'), '{{task_name}}']),
      panel('Records out of each task', 'ops', [byTask('numRecordsOutPerSecond', 'sum'), '{{task_name}}']),
      panel('Records produced and read', 'ops', ['sum by (topic) (rate(kafka_topic_partition_current_offset[$__rate_interval])) / $speed', 'produced: {{topic}}'], [`sum(${T}numRecordsOutPerSecond{task_name=~"Source.*",${JOB}})`, 'read']),
    ],
  },
  'back-pressure': {
    title: 'Back pressure',
    panels: [
      panel('Share of time back-pressured, worst subtask (OK ≤ 0.1, LOW ≤ 0.5, HIGH)', 'percentunit', [`${byTask('backPressuredTimeMsPerSecond')} / 1000`, '{{task_name}}']),
      panel('Share of time busy, worst subtask', 'percentunit', [`${byTask('busyTimeMsPerSecond')} / 1000`, '{{task_name}}']),
      panel('Share of time idle, mean', 'percentunit', [`${byTask('idleTimeMsPerSecond', 'avg')} / 1000`, '{{task_name}}']),
      panel('Output pool in use', 'percentunit', [buffers('Output', 'outPoolUsage'), '{{task_name}}']),
      panel('Input pool in use', 'percentunit', [buffers('Input', 'inPoolUsage'), '{{task_name}}']),
      panel('Skew: busiest subtask over the mean', 'none', [`max by (task_name) (${T}numRecordsInPerSecond{${JOB}}) / avg by (task_name) (${T}numRecordsInPerSecond{${JOB}} > 0)`, '{{task_name}}']),
    ],
  },
  checkpoints: {
    title: 'Checkpoints',
    panels: [
      stat('Completed', 'none', `sum(${J}numberOfCompletedCheckpoints{${JOB}})`),
      stat('Failed', 'none', `sum(${J}numberOfFailedCheckpoints{${JOB}})`),
      stat('In progress', 'none', `sum(${J}numberOfInProgressCheckpoints{${JOB}})`),
      stat('Last size', 'bytes', `max(${J}lastCheckpointSize{${JOB}})`),
      panel('Duration of the last one that completed', 'ms', [`${J}lastCheckpointDuration{${JOB}}`, '{{job_name}}']),
      panel('Completed and failed', 'none', [`${J}numberOfCompletedCheckpoints{${JOB}}`, 'completed: {{job_name}}'], [`${J}numberOfFailedCheckpoints{${JOB}}`, 'failed: {{job_name}}']),
      panel('Alignment, longest subtask', 'ns', [byTask('checkpointAlignmentTime'), '{{task_name}}']),
      panel('How long barriers were on their way, longest subtask', 'ns', [byTask('checkpointStartDelayNanos'), '{{task_name}}']),
    ],
  },
  'kafka-lag': {
    title: 'Kafka lag',
    panels: [
      panel('End of the topic and what is committed', 'none', ['sum by (topic) (kafka_topic_partition_current_offset)', 'end: {{topic}}'], ['sum by (consumergroup, topic) (kafka_consumergroup_current_offset)', 'committed: {{consumergroup}}']),
      panel('Lag', 'none', ['kafka_consumergroup_lag_sum', '{{consumergroup}} in {{topic}}']),
      panel('Lag by partition', 'none', ['kafka_consumergroup_lag', '{{topic}}-{{partition}}']),
      panel('Produced, in records of the simulated second', 'ops', ['sum by (topic) (rate(kafka_topic_partition_current_offset[$__rate_interval])) / $speed', '{{topic}}']),
    ],
  },
  'network-buffers': {
    title: 'Network buffers',
    panels: [
      panel('Buffers queued in front of each task', 'none', [buffers('Input', 'inputQueueLength', 'sum'), '{{task_name}}']),
      panel('Buffers queued behind each task', 'none', [buffers('Output', 'outputQueueLength', 'sum'), '{{task_name}}']),
      panel('Exclusive buffers in use', 'percentunit', [buffers('Input', 'inputExclusiveBuffersUsage'), '{{task_name}}']),
      panel('Floating buffers in use', 'percentunit', [buffers('Input', 'inputFloatingBuffersUsage'), '{{task_name}}']),
      panel('Free segments of each task manager', 'none', ['flink_taskmanager_Status_Shuffle_Netty_AvailableMemorySegments', '{{tm_id}}']),
      panel('Buffers out', 'ops', [byTask('numBuffersOutPerSecond', 'sum'), '{{task_name}}']),
      panel('Bytes in, remote and local', 'Bps', [`sum(${T}numBytesInRemotePerSecond{${JOB}})`, 'remote'], [`sum(${T}numBytesInLocalPerSecond{${JOB}})`, 'local']),
    ],
  },
  'task-managers': {
    title: 'Task managers',
    panels: [
      stat('Task managers', 'none', 'sum(flink_jobmanager_numRegisteredTaskManagers)'),
      panel('CPU load', 'percentunit', ['flink_taskmanager_Status_JVM_CPU_Load', '{{tm_id}}']),
      panel('Heap', 'bytes', ['flink_taskmanager_Status_JVM_Memory_Heap_Used', 'used: {{tm_id}}'], ['flink_taskmanager_Status_JVM_Memory_Heap_Max', 'max: {{tm_id}}']),
      panel('Garbage collection, share of time', 'percentunit', ['flink_taskmanager_Status_JVM_GarbageCollector_All_TimeMsPerSecond / 1000', '{{tm_id}}']),
      panel('Threads', 'none', ['flink_taskmanager_Status_JVM_Threads_Count', '{{tm_id}}']),
      panel('Direct memory', 'bytes', ['flink_taskmanager_Status_JVM_Memory_Direct_MemoryUsed', '{{tm_id}}']),
      panel('Metaspace', 'bytes', ['flink_taskmanager_Status_JVM_Memory_Metaspace_Used', '{{tm_id}}']),
    ],
  },
};

const DATASOURCE = { type: 'prometheus', uid: 'prometheus' };

function panelsOf(panels) {
  let [x, y] = [0, 0];
  return panels.map(({ title, unit, stat: isStat, queries }, index) => {
    const [w, h] = isStat ? [6, 4] : [12, 8];
    if (x + w > 24 || (x > 0 && panels[index - 1].stat && !isStat)) [x, y] = [0, y + (panels[index - 1].stat ? 4 : 8)];
    const gridPos = { x, y, w, h };
    x += w;
    return {
      id: index + 1,
      type: isStat ? 'stat' : 'timeseries',
      title,
      datasource: DATASOURCE,
      gridPos,
      fieldConfig: { defaults: { unit, min: unit === 'percentunit' ? 0 : undefined, custom: isStat ? undefined : { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
      options: isStat ? { reduceOptions: { calcs: ['lastNotNull'] }, graphMode: 'area' } : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
      targets: queries.map(([expr, legendFormat], q) => ({ refId: String.fromCharCode(65 + q), datasource: DATASOURCE, expr, legendFormat })),
    };
  });
}

const dashboard = (uid, { title, panels }) => ({
  uid,
  title,
  tags: ['flink'],
  schemaVersion: 39,
  editable: true,
  refresh: '5s',
  time: { from: 'now-10m', to: 'now' },
  timezone: 'browser',
  templating: {
    list: [
      { name: 'job', label: 'Job', type: 'query', datasource: DATASOURCE, query: { query: `label_values(${J}uptime, job_name)`, refId: 'job' }, refresh: 2, includeAll: true, allValue: '.*', multi: true, current: { text: 'All', value: '$__all' } },
      { name: 'speed', label: 'Virtual seconds a second', type: 'constant', query: String(SPEED), hide: 2, current: { text: String(SPEED), value: String(SPEED) } },
    ],
  },
  links: [{ type: 'dashboards', tags: ['flink'], title: 'Flink', asDropdown: false, keepTime: true }],
  panels: panelsOf(panels),
});

/** Durations divided by the speed, growth a second times it. */
export function fasterRules(text) {
  const MS = { s: 1, m: 60, h: 3600 };
  const faster = (amount, unit) => `${Math.max(1, Math.round((Number(amount) * MS[unit]) / SPEED))}s`;
  return text
    .replace(/^#.*\n/, `# alerts.yml for a clock that runs ${SPEED} times as fast. Written by scripts/make-demo.mjs.\n`)
    .replace(/\[(\d+)([smh])\]/g, (_, amount, unit) => `[${faster(amount, unit)}]`)
    .replace(/^(\s*for: )(\d+)([smh])$/gm, (_, key, amount, unit) => key + faster(amount, unit))
    .replace(/(deriv\([^)]*\) > )(\d+)/g, (_, start, threshold) => start + Number(threshold) * SPEED);
}

/** Files by their path in demo/. */
export function demoFiles(alerts) {
  const dashboards = Object.entries(DASHBOARDS).map(([uid, definition]) => [`grafana/dashboards/${uid}.json`, `${JSON.stringify(dashboard(uid, definition), null, 2)}\n`]);
  return Object.fromEntries([...dashboards, ['prometheus/alerts-x60.yml', fasterRules(alerts)]]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const demo = new URL('../demo/', import.meta.url);
  mkdirSync(new URL('grafana/dashboards/', demo), { recursive: true });
  for (const [file, text] of Object.entries(demoFiles(readFileSync(new URL('prometheus/alerts.yml', demo), 'utf8')))) writeFileSync(new URL(file, demo), text);
}
