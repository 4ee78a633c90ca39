import { h } from './dom.js';
import { bytes, clock, count, duration, percent, rate } from './format.js';
import { kafkaMetric, metricOf, timesOf } from './cluster.js';
import { levelOf, sumOf } from './graph.js';

export const meter = (parts) => h('span', { class: 'meter', 'aria-hidden': 'true' }, parts.map(([name, share]) => h('span', { class: `part-${name}`, style: `width:${Math.max(0, Math.min(1, Number(share) || 0)) * 100}%` })));

const usage = (value) => (value === null || !Number.isFinite(Number(value)) ? '–' : [meter([['usage', value]]), h('span', { class: 'meter-value' }, percent(value))]);
const levelBadge = (level) => h('span', { class: `level level-${level}` }, level === 'unknown' ? 'no sample' : level.toUpperCase());

const LEFT = ['Status', 'Host'];

export function table(caption, heads, rows) {
  return h(
    'div',
    { class: 'scroll', 'data-scroll': caption, tabindex: 0, role: 'region', 'aria-label': caption, 'data-key': `table-${caption}` },
    h('table', null, h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col', class: LEFT.includes(head) ? 'left' : undefined }, head)))), h('tbody', null, rows)),
  );
}

export function card(title, aside, ...body) {
  return h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('h2', null, title), ...[aside].flat()), ...body);
}

/** Rates, ratios, queues and pools of each vertex. */
export function vertexTable({ vertices }) {
  const measured = vertices.some((vertex) => timesOf(vertex) !== null);
  const rows = vertices.map((vertex) => {
    const times = timesOf(vertex);
    const ratio = vertex.backPressure ? Math.max(...vertex.backPressure.subtasks.map((subtask) => Number(subtask.ratio))) : null;
    return h(
      'tr',
      null,
      h('th', { scope: 'row', title: vertex.name }, vertex.name),
      h('td', null, levelBadge(levelOf(vertex)), h('span', { class: 'meter-value' }, percent(ratio))),
      measured ? h('td', null, times ? [meter([['busy', times.busy], ['blocked', times.blocked], ['idle', times.idle]]), h('span', { class: 'meter-value' }, percent(times.busy))] : '–') : null,
      h('td', null, rate(sumOf(vertex, 'numRecordsInPerSecond'))),
      h('td', null, rate(sumOf(vertex, 'numRecordsOutPerSecond'))),
      h('td', null, usage(metricOf(vertex, 'Shuffle.Netty.Input.Buffers.inPoolUsage', 'max'))),
      h('td', null, usage(metricOf(vertex, 'Shuffle.Netty.Output.Buffers.outPoolUsage', 'max'))),
      h('td', null, count(sumOf(vertex, 'Shuffle.Netty.Input.Buffers.inputQueueLength'))),
      h('td', null, count(sumOf(vertex, 'Shuffle.Netty.Output.Buffers.outputQueueLength'))),
    );
  });
  const sampled = !measured && vertices.some((vertex) => vertex.backPressure !== null);
  return card('Vertices', !sampled ? null : h('span', { class: 'muted small' }, 'ratios are samples of the threads, up to a minute old'), table('Vertices', ['Vertex', 'Back pressure', ...(measured ? ['Busy'] : []), 'In', 'Out', 'In pool (max)', 'Out pool (max)', 'Queue in', 'Queue out'], rows));
}

/** Checkpoints, newest first, each with a bar for its duration. */
export function checkpointCard({ checkpoints, checkpointConfig }, zone) {
  if (checkpoints === null) return card('Checkpoints', null, h('p', { class: 'note' }, 'Checkpointing is off for this job.'));
  const { counts, latest, history } = checkpoints;
  const longest = Math.max(1, ...history.map((checkpoint) => checkpoint.end_to_end_duration), checkpointConfig?.timeout < 10 * 60_000 ? checkpointConfig.timeout : 0);
  const failure = latest.failed;
  const rows = history.map((checkpoint) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, String(checkpoint.id), checkpoint.is_savepoint ? ' savepoint' : ''),
      h('td', { class: 'left' }, h('span', { class: `level level-${{ COMPLETED: 'ok', FAILED: 'high' }[checkpoint.status] ?? 'low'}` }, checkpoint.status.toLowerCase().replace('_', ' '))),
      h('td', null, clock(checkpoint.trigger_timestamp, zone)),
      h('td', { class: 'duration' }, meter([[checkpoint.status, checkpoint.end_to_end_duration / longest]]), h('span', { class: 'meter-value' }, duration(checkpoint.end_to_end_duration))),
      h('td', null, bytes(checkpoint.state_size)),
      h('td', null, `${count(checkpoint.num_acknowledged_subtasks)} / ${count(checkpoint.num_subtasks)}`),
    ),
  );
  const config = checkpointConfig ? [checkpointConfig.mode.replaceAll('_', ' '), `every ${duration(checkpointConfig.interval)}`, `time-out ${duration(checkpointConfig.timeout)}`].join(', ') : '';
  return card(
    'Checkpoints',
    [h('span', { class: 'muted small' }, config), h('span', { class: 'spacer' }), h('span', { class: 'small' }, `${count(counts.completed)} completed, ${count(counts.failed)} failed, ${count(counts.in_progress)} in progress`)],
    failure ? h('p', { class: 'failure' }, h('strong', null, `Checkpoint ${failure.id} failed at ${clock(failure.failure_timestamp, zone)}. `), failure.failure_message ?? '') : null,
    rows.length > 0 ? table('Checkpoints', ['Id', 'Status', 'Triggered', 'Duration', 'State', 'Acknowledged'], rows) : h('p', { class: 'note' }, 'None yet.'),
  );
}

/** What the Kafka sources of the job say of themselves. */
export function kafkaCard(sources, partitionsBySource) {
  if (sources.length === 0) return null;
  const summary = sources.map((vertex) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row', title: vertex.name }, vertex.name),
      h('td', null, count(kafkaMetric(vertex, 'records-lag-max', 'max'))),
      h('td', null, count(kafkaMetric(vertex, 'pendingRecords', 'sum'))),
      h('td', null, rate(kafkaMetric(vertex, 'records-consumed-rate', 'sum'))),
      h('td', null, `${count(kafkaMetric(vertex, 'commitsSucceeded', 'sum'))} / ${count(kafkaMetric(vertex, 'commitsFailed', 'sum'))}`),
    ),
  );
  const offset = (value) => (value === undefined || value < 0 ? '–' : count(value));
  const partitions = sources.flatMap((vertex) =>
    (partitionsBySource.get(vertex.id) ?? []).map((row) =>
      h(
        'tr',
        null,
        h('th', { scope: 'row' }, `${row.topic} ${row.partition}`),
        h('td', null, String(row.subtask)),
        h('td', null, offset(row.current)),
        h('td', null, offset(row.committed)),
        h('td', null, row.current >= 0 && row.committed >= 0 ? count(Math.max(0, row.current - row.committed)) : '–'),
      ),
    ),
  );
  return card(
    'Kafka',
    h('span', { class: 'muted small' }, 'lag as the consumers’ last fetches saw it'),
    table('Kafka sources', ['Source', 'Max. lag of a partition', 'Pending records', 'Consumed', 'Commits done / failed'], summary),
    partitions.length > 0 ? table('Kafka partitions', ['Partition', 'Subtask', 'Emitted', 'Committed', 'Uncommitted'], partitions) : null,
  );
}

/** The subtasks of the vertex that is selected. */
export function subtaskCard(vertex, details) {
  const rows = (details?.subtasks ?? []).map((subtask) => {
    const pressure = vertex.backPressure?.subtasks.find((one) => one.subtask === subtask.subtask);
    const { metrics } = subtask;
    return h(
      'tr',
      null,
      h('th', { scope: 'row' }, String(subtask.subtask)),
      h('td', { class: 'left' }, subtask.status.toLowerCase()),
      h('td', { class: 'left' }, subtask.endpoint ?? subtask.host ?? '–'),
      h('td', null, String(subtask.attempt)),
      h('td', null, levelBadge(pressure?.['backpressure-level'] ?? 'unknown'), h('span', { class: 'meter-value' }, percent(pressure?.ratio))),
      h('td', null, count(metrics['read-records'])),
      h('td', null, count(metrics['write-records'])),
      h('td', null, bytes(metrics['read-bytes'])),
      h('td', null, bytes(metrics['write-bytes'])),
    );
  });
  return card(`Subtasks of ${vertex.name}`, null, table('Subtasks', ['Subtask', 'Status', 'Host', 'Attempt', 'Back pressure', 'Records in', 'Records out', 'Bytes in', 'Bytes out'], rows));
}

/** The failure that took the job down last; versions keep it in different places. */
export function exceptionCard({ exceptions }, zone) {
  const entry = exceptions?.exceptionHistory?.entries?.[0];
  const text = exceptions?.['root-exception'] ?? entry?.stacktrace;
  if (!text) return null;
  const lines = text.split('\n');
  return card('Last failure', h('span', { class: 'muted small' }, clock(exceptions.timestamp ?? entry.timestamp, zone, true)), h('p', { class: 'failure' }, lines[0]), lines.length > 1 ? h('details', { class: 'note' }, h('summary', null, 'Stack trace'), h('pre', { class: 'scroll small' }, lines.slice(1, 60).join('\n'))) : null);
}
