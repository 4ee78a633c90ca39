import { get } from './api.js';
import { readCluster, readJob, readPartitions, readSubtasks } from './cluster.js';
import { h, render } from './dom.js';
import { clock, count, duration } from './format.js';
import { drawGraph } from './graph.js';
import { startLog } from './log.js';
import { card, checkpointCard, exceptionCard, kafkaCard, subtaskCard, vertexTable } from './views.js';

const ENDED = ['FINISHED', 'CANCELED', 'FAILED'];
const page = { refreshMs: 3_000, zoneMs: 0, data: null, subtasks: null, partitions: new Map(), timer: 0, round: 0 };
const element = (id) => document.getElementById(id);

/** `#/<job>/<vertex>`: a link shows the same to others. */
function address() {
  const [, job, vertex] = location.hash.split('/');
  return { job: job || null, vertex: vertex || null };
}

function showCluster({ overview, jobs }, selected) {
  const facts = overview
    ? [
        ['Task managers', count(overview.taskmanagers)],
        ['Slots free', `${count(overview['slots-available'])} of ${count(overview['slots-total'])}`],
        ['Jobs running', count(overview['jobs-running'])],
        ['failed', count(overview['jobs-failed'])],
        ['ended', count(overview['jobs-finished'] + overview['jobs-cancelled'])],
      ]
    : [];
  render(element('facts'), facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));
  if (overview) element('version').textContent = `Flink ${overview['flink-version']}`;
  render(
    element('jobs'),
    jobs.map((job) => h('a', { href: `#/${job.jid}`, class: `state-${job.state}`, 'aria-current': String(job.jid === selected), 'data-key': `job-${job.jid}` }, h('span', { class: 'dot' }), job.name, h('span', { class: 'muted small' }, `${job.state.toLowerCase()} ${duration(job.duration)}`))),
  );
}

function showJob() {
  const { data, zoneMs } = page;
  const main = element('content');
  if (data === null) {
    render(main, h('section', { class: 'card' }, h('p', { class: 'note' }, 'No job has been submitted to this cluster yet.')));
    return;
  }
  const { job } = data;
  const { vertex: vertexId } = address();
  const selected = data.vertices.find((vertex) => vertex.id === vertexId);
  const select = (id) => {
    location.hash = `#/${job.jid}${id === vertexId ? '' : `/${id}`}`;
  };
  const sources = data.vertices.filter((vertex) => Object.keys(vertex.metrics).some((name) => /(records-lag-max|pendingRecords)$/.test(name)));
  const legend = [['ok', 'back pressure OK'], ['low', 'LOW'], ['high', 'HIGH']].map(([level, text]) => h('span', null, h('i', { class: `swatch-${level}` }), text));
  const parts = [['busy', 'busy'], ['blocked', 'back-pressured'], ['idle', 'idle']].map(([name, text]) => h('span', null, h('i', { class: `part-${name}` }), text));
  const measured = data.vertices.some((vertex) => 'idleTimeMsPerSecond' in vertex.metrics);
  render(
    main,
    card(
      job.name,
      [
        h('span', { class: `state-${job.state}` }, h('span', { class: 'dot', style: 'display:inline-block;margin-right:6px' }), job.state),
        h('span', { class: 'muted small' }, `since ${clock(job['start-time'], zoneMs, true)}, ${duration(job.duration)}`),
        h('span', { class: 'muted small' }, job.jid),
        h('span', { class: 'spacer' }),
        h('span', { class: 'legend', 'aria-hidden': 'true' }, legend, measured ? parts : []),
      ],
      h('div', { class: 'graph scroll', 'data-scroll': 'graph' }, drawGraph(data, vertexId, select)),
    ),
    exceptionCard(data, zoneMs),
    selected ? subtaskCard(selected, page.subtasks) : null,
    vertexTable(data),
    h('div', { class: sources.length > 0 ? 'columns' : undefined }, checkpointCard(data, zoneMs), kafkaCard(sources, page.partitions)),
  );
}

async function refresh() {
  const cluster = await readCluster();
  const wanted = address();
  const jobs = cluster.jobs.map((job) => job.jid);
  const selected = wanted.job !== null && jobs.includes(wanted.job) ? wanted.job : (cluster.jobs.find((job) => !ENDED.includes(job.state))?.jid ?? jobs[0] ?? null);
  showCluster(cluster, selected);
  const data = selected === null ? null : await readJob(selected);
  const vertexId = data?.vertices.some((vertex) => vertex.id === wanted.vertex) ? wanted.vertex : null;
  const subtasks = vertexId === null ? null : await readSubtasks(selected, vertexId);
  const partitions = new Map();
  for (const vertex of data?.vertices ?? []) {
    if (Object.keys(vertex.metrics).some((name) => /(records-lag-max|pendingRecords)$/.test(name))) partitions.set(vertex.id, await readPartitions(selected, vertex.id));
  }
  Object.assign(page, { data, subtasks, partitions });
  showJob();
  const connection = element('connection');
  connection.className = 'connection';
  connection.textContent = data ? `cluster time ${clock(data.job.now, page.zoneMs, true)}` : '';
}

async function poll() {
  clearTimeout(page.timer);
  const round = ++page.round;
  if (document.visibilityState !== 'hidden') {
    await refresh().catch((error) => {
      const connection = element('connection');
      connection.className = 'connection lost';
      connection.textContent = error.message === 'no connection' ? 'The cluster does not answer; trying again.' : `This page failed: ${error.message}`;
    });
  }
  if (round === page.round) page.timer = setTimeout(poll, page.refreshMs);
}

async function start() {
  const config = await get('config').catch(() => null);
  if (config) {
    page.refreshMs = Math.max(1_000, config['refresh-interval'] || 3_000);
    page.zoneMs = config['timezone-offset'] ?? 0;
    element('version').textContent = `Flink ${config['flink-version']}`;
  }
  addEventListener('hashchange', () => {
    if (page.data) showJob();
    void poll();
  });
  document.addEventListener('visibilitychange', () => void poll());
  startLog();
  await poll();
}

void start();
