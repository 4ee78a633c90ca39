import { describe, expect, it } from 'vitest';
import { Histogram, enumerateMetrics, jobMetrics, restNames, restValue, subtaskValue, taskManagerMetrics, taskManagerViews, vertexView } from '../../../src/simulation/metrics/index.js';
import type { JobState } from '../../../src/simulation/state/job-state.js';
import { EXECUTION_STATE_INDEX, JOB_STATUSES } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { versionOf } from '../../../src/simulation/version.js';
import { bpJob } from '../fixture.js';
import { chainJob, generator, kafka, operator, runFor, runningCluster, sink } from './running-cluster.js';

function value(state: SimulationState, job: JobState, vertex: number, name: string, subtask = 0): string | null {
  return subtaskValue({ vertex: vertexView(state, job, vertex), subtask }, name);
}

function jobValue(state: SimulationState, job: JobState, name: string): string | null {
  const view = { job, atMs: state.nowMs, version: versionOf(state) };
  const found = jobMetrics(view.version).flatMap(restNames).find((each) => each.name === name);
  return found ? restValue(found, view) : null;
}

describe('a task', () => {
  it('is busy for what is left of a second, also before the first update', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    expect(value(state, job, 2, 'busyTimeMsPerSecond')).toBe('1000.0');
    runFor(state, 5, { idleMs: 300, busyMs: 450, softBackPressuredMs: 50, hardBackPressuredMs: 200 });
    expect(value(state, job, 2, 'idleTimeMsPerSecond')).toBe('300');
    expect(value(state, job, 2, 'backPressuredTimeMsPerSecond')).toBe('250');
    expect(value(state, job, 2, 'busyTimeMsPerSecond')).toBe('450.0');
    expect(value(state, job, 2, 'accumulateBusyTimeMs')).toBe('2251.0');
    expect(value(state, job, 2, 'accumulateBackPressuredTimeMs')).toBe('1250');
  });

  it('of a legacy source has no busy time', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    expect(value(state, job, 0, 'busyTimeMsPerSecond')).toBe('NaN');
    expect(value(state, job, 0, 'accumulateBusyTimeMs')).toBe('NaN');
  });

  it('had its idle time as a meter in 1.11 and 1.12', () => {
    const { state, job } = runningCluster('1.12.5', bpJob());
    runFor(state, 5, { idleMs: 300 });
    expect(value(state, job, 2, 'idleTimeMsPerSecond')).toBe('25.0');
  });

  it('adds up local and remote bytes', () => {
    const { state, job } = runningCluster('1.9.3', bpJob());
    runFor(state, 5, { numBytesInLocal: 100, numBytesInRemote: 50 });
    expect(value(state, job, 2, 'numBytesIn')).toBe('750');
    expect(value(state, job, 2, 'numBytesInPerSecond')).toBe('12.5');
    expect(value(state, job, 2, 'Shuffle.Netty.Input.numBytesInRemote')).toBe('250');
  });

  it('tells how long it was initialized', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    expect(value(state, job, 2, 'initializationTime')).toBe('200');
  });

  it('has mails wait while it is back-pressured, and not while it idles', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    runFor(state, 60, { hardBackPressuredMs: 1000, numBuffersOut: 6 });
    expect(Number(value(state, job, 2, 'mailboxLatencyMs_mean'))).toBeGreaterThan(50);
    runFor(state, 60, { idleMs: 1000 });
    expect(Number(value(state, job, 2, 'mailboxLatencyMs_mean'))).toBeLessThan(1);
    expect(value(state, job, 2, 'mailboxLatencyMs_min')).toBe('0');
    expect(Number(value(state, job, 2, 'mailboxMailsPerSecond'))).toBeGreaterThan(0.5);
  });

  it('has no value under a name that is not its own', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    for (const name of ['nope', 'Enrich.nope', 'Nope.numRecordsIn', 'latency.x', '']) expect(value(state, job, 2, name)).toBeNull();
  });

  it('shows debloating where that is on', () => {
    const { state, job } = runningCluster('1.20.5', bpJob(), { 'taskmanager.network.memory.buffer-debloat.enabled': 'true' });
    job.vertices[1]!.columns.debloatedBufferSizeBytes.fill(4096);
    expect(value(state, job, 1, 'Shuffle.Netty.Input.0.debloatedBufferSize')).toBe('4096');
    expect(value(state, job, 1, 'estimatedTimeToConsumeBuffersMs')).toBe('0');
    expect(value(state, job, 0, 'estimatedTimeToConsumeBuffersMs')).toBeNull();
  });
});

describe('operators of a chain', () => {
  const chain = (source = generator('Source: numbers')) => chainJob([[source, operator('Filter', { selectivity: 0.5 }), operator('Split', { selectivity: 3 }), operator('Map')], [operator('Half', { selectivity: 0.5 }), sink('Sink: Out')]]);

  it('count what the selectivities before them let through', () => {
    const { state, job } = runningCluster('1.20.5', chain());
    runFor(state, 10, { sourceRecordsIn: 10, numRecordsOut: 15 });
    expect(value(state, job, 0, 'Source__numbers.numRecordsIn')).toBe('0');
    expect(value(state, job, 0, 'Source__numbers.numRecordsOut')).toBe('100');
    expect(value(state, job, 0, 'Filter.numRecordsIn')).toBe('100');
    expect(value(state, job, 0, 'Filter.numRecordsOut')).toBe('50');
    expect(value(state, job, 0, 'Split.numRecordsOut')).toBe('150');
    expect(value(state, job, 0, 'Map.numRecordsOutPerSecond')).toBe('2.5');
  });

  it('end in a sink that emits nothing', () => {
    const { state, job } = runningCluster('1.20.5', chain());
    runFor(state, 10, { numRecordsIn: 10, numRecordsOut: 0 });
    expect(value(state, job, 1, 'Half.numRecordsIn')).toBe('100');
    expect(value(state, job, 1, 'Sink__Out.numRecordsIn')).toBe('50');
    expect(value(state, job, 1, 'Sink__Out.numRecordsOut')).toBe('0');
  });

  it('that read Kafka count records and their bytes', () => {
    const { state, job } = runningCluster('1.20.5', chain(kafka('Source: Kafka nlp')));
    runFor(state, 10, { sourceRecordsIn: 10 });
    expect(value(state, job, 0, 'Source__Kafka_nlp.numRecordsIn')).toBe('100');
    expect(value(state, job, 0, 'Source__Kafka_nlp.numBytesIn')).toBe('22400');
    expect(value(state, job, 0, 'numRecordsIn')).toBe('0');
  });

  it('have their lag behind event time', () => {
    const { state, job } = runningCluster('1.20.5', chain());
    expect(value(state, job, 0, 'Source__numbers.currentEmitEventTimeLag')).toBe('-1');
    expect(value(state, job, 0, 'Source__numbers.watermarkLag')).toBeNull();
    const { columns } = job.vertices[0]!;
    columns.lastRecordMs[0] = state.nowMs;
    columns.lastEventTimeMs[0] = state.nowMs - 40;
    columns.currentOutputWatermark[0] = state.nowMs - 1040;
    state.nowMs += 7000;
    expect(value(state, job, 0, 'Source__numbers.currentEmitEventTimeLag')).toBe('40');
    expect(value(state, job, 0, 'Source__numbers.watermarkLag')).toBe('1040');
    expect(value(state, job, 0, 'Source__numbers.sourceIdleTime')).toBe('7000');
  });
});

describe('a job', () => {
  it('tells how long it is up or down', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    state.nowMs += 9750;
    expect(jobValue(state, job, 'uptime')).toBe('10000');
    expect(jobValue(state, job, 'runningTime')).toBe('10000');
    expect(jobValue(state, job, 'downtime')).toBe('0');
    job.status = 'RESTARTING';
    job.statusTimestamps[JOB_STATUSES.indexOf('RESTARTING')] = state.nowMs;
    state.nowMs += 1500;
    expect(jobValue(state, job, 'uptime')).toBe('0');
    expect(jobValue(state, job, 'downtime')).toBe('1500');
    expect(jobValue(state, job, 'restartingTime')).toBe('1500');
    job.status = 'RUNNING';
    job.statusTimestamps[JOB_STATUSES.indexOf('RUNNING')] = state.nowMs;
    expect(jobValue(state, job, 'restartingTime')).toBe('0');
  });

  it('kept the time of its last restart until 1.14', () => {
    const { state, job } = runningCluster('1.14.6', bpJob());
    job.statusTimestamps[JOB_STATUSES.indexOf('RESTARTING')] = state.nowMs;
    job.statusTimestamps[JOB_STATUSES.indexOf('RUNNING')] = state.nowMs + 2400;
    state.nowMs += 60_000;
    expect(jobValue(state, job, 'restartingTime')).toBe('2400');
  });

  it('without checkpoints says so', () => {
    const { state, job } = runningCluster('2.3.0', bpJob());
    expect(jobValue(state, job, 'lastCheckpointDuration')).toBe('-1');
    expect(jobValue(state, job, 'lastCheckpointExternalPath')).toBe('n/a');
    expect(jobValue(state, job, 'lastCheckpointRestoreTimestamp')).toBe(String(state.model.startMs - 300));
    const old = runningCluster('1.13.6', bpJob());
    expect(jobValue(old.state, old.job, 'lastCheckpointRestoreTimestamp')).toBe('-1');
  });

  it('is deploying while one of its tasks is', () => {
    const { state, job } = runningCluster('2.3.0', bpJob());
    state.nowMs += 5000;
    expect(jobValue(state, job, 'allSubTasksRunningOrFinishedTime')).toBe('5000');
    const { current } = job.vertices[1]!.subtasks[0]!;
    current.state = 'DEPLOYING';
    current.timestamps[EXECUTION_STATE_INDEX.DEPLOYING] = state.nowMs - 40;
    expect(jobValue(state, job, 'deployingTime')).toBe('40');
    expect(jobValue(state, job, 'allSubTasksRunningOrFinishedTime')).toBe('0');
  });
});

describe('a task manager', () => {
  it('says how much of its network memory was asked for', () => {
    const { state } = runningCluster('1.20.5', bpJob());
    const usage = (index: number): string | null => {
      const view = taskManagerViews(state)[index]!;
      return restValue(taskManagerMetrics(versionOf(state), view).flatMap(restNames).find(({ name }) => name === 'Status.Shuffle.Netty.RequestedMemoryUsage')!, view);
    };
    // Six outputs of two subpartitions (12 buffers) and six gates (8 floating): 120 of 2048.
    expect(usage(0)).toBe('5');
    expect(usage(1)).toBe('0');
  });
});

describe('enumerateMetrics', () => {
  it('gives every scope its variables', () => {
    const { state } = runningCluster('1.20.5', bpJob({ p: 1 }));
    const scopes = [...enumerateMetrics(state)];
    expect(scopes.map(({ scope }) => scope)).toEqual(['jobmanager', 'taskmanager', 'taskmanager', 'jobmanager_job', ...Array<string[]>(4).fill(['taskmanager_job_task', 'taskmanager_job_task_operator']).flat()]);
    expect(scopes.at(-1)!.variables).toEqual({
      host: 'localhost',
      tm_id: 'tm-0',
      job_id: 'a'.repeat(32),
      job_name: 'A exactly once',
      task_id: '2e588ce1c86a9d46e2e85186773ce4fd',
      task_name: 'Sink: Kafka Sink',
      task_attempt_id: 'attempt-2e588ce1c86a9d46e2e85186773ce4fd-0',
      task_attempt_num: '0',
      subtask_index: '0',
      operator_id: '2e588ce1c86a9d46e2e85186773ce4fd',
      operator_name: 'Sink: Kafka Sink',
    });
  });

  it('takes key-value groups out of the logical name', () => {
    const { state } = runningCluster('1.20.5', chainJob([[kafka('Source: Kafka nlp')]]));
    const offset = [...enumerateMetrics(state)].flatMap(({ metrics }) => [...metrics]).find(({ name }) => name.endsWith('.currentOffset'))!;
    expect(offset.logicalName).toBe('KafkaSourceReader.topic.partition.currentOffset');
    expect(offset.labels).toEqual({ topic: 'mf_streaming_nlp_documents', partition: offset.labels['partition'] });
  });

  it('leaves out what a dead task manager would report, and jobs that have ended', () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    state.taskManagers.get('tm-0')!.status = 'LOST';
    expect([...enumerateMetrics(state)].map(({ scope }) => scope)).toEqual(['jobmanager', 'taskmanager', 'jobmanager_job']);
    job.endMs = state.nowMs;
    expect([...enumerateMetrics(state)].map(({ scope }) => scope)).toEqual(['jobmanager', 'taskmanager']);
  });

  it('gives histograms as a whole', () => {
    const { state } = runningCluster('1.20.5', bpJob());
    const mailbox = [...enumerateMetrics(state)].flatMap(({ metrics }) => [...metrics]).find(({ kind }) => kind === 'histogram')!;
    expect(mailbox.name).toBe('mailboxLatencyMs');
    expect(mailbox.value).toBeInstanceOf(Histogram);
  });
});

describe('a histogram', () => {
  it('has the statistics that commons-math gives', () => {
    const histogram = new Histogram([1, 2, 3, 4, 10]);
    expect(['min', 'max', 'mean', 'median', 'p75', 'p90', 'p999'].map((name) => histogram.statistic(name as 'min'))).toEqual([1, 10, 4, 3, 7, 10, 10]);
    expect(histogram.statistic('stddev')).toBeCloseTo(3.5355339, 6);
  });

  it('without samples has none', () => {
    const histogram = new Histogram([]);
    expect(histogram.statistic('min')).toBe(0);
    expect(histogram.statistic('mean')).toBeNaN();
    expect(histogram.statistic('p99')).toBeNaN();
  });
});

describe('a Kafka consumer', () => {
  function consuming(version: string, legacy = false) {
    const { state, job } = runningCluster(version, chainJob([[kafka('Source: Kafka nlp', legacy)]], 1));
    runFor(state, 120, { sourceRecordsIn: 50 });
    // The first look makes the consumer; what it has done since is set by hand.
    value(state, job, 0, 'Source__Kafka_nlp.KafkaConsumer.fetch-total');
    const source = state.kafka.sources.get(`${job.id}/0`)!;
    Object.assign(source.consumers[0]!, { startedMs: state.model.startMs, recordsConsumedTotal: 6000, bytesConsumedTotal: 6000 * 224, fetchTotal: 1000, commitsSucceeded: 30, disconnects: 2, lagWindowMax: 700, lagWindowStartMs: state.nowMs });
    source.emitted.set([10, 20, 30, 40]);
    source.committed.set([5, -1, 7, 8]);
    return { state, job, of: (name: string) => value(state, job, 0, `Source__Kafka_nlp.${name}`) };
  }

  it('has rates, sizes and lags of what it fetched', () => {
    const { of } = consuming('1.20.5');
    expect(of('KafkaSourceReader.KafkaConsumer.records-consumed-rate')).toBe('50.0');
    expect(of('KafkaSourceReader.KafkaConsumer.bytes-consumed-rate')).toBe('11200.0');
    expect(of('KafkaSourceReader.KafkaConsumer.records-per-request-avg')).toBe('6.0');
    expect(of('KafkaSourceReader.KafkaConsumer.records-lag-max')).toBe('700.0');
    expect(of('KafkaSourceReader.KafkaConsumer.records-lead-min')).toBe('10.0');
    expect(of('KafkaSourceReader.KafkaConsumer.connection-close-total')).toBe('2.0');
    expect(of('KafkaSourceReader.commitsSucceeded')).toBe('30');
    expect(of('KafkaSourceReader.KafkaConsumer.version')).toBe('3.4.0');
  });

  it('has no sample of what it never does', () => {
    const { of } = consuming('1.20.5');
    expect(of('KafkaSourceReader.KafkaConsumer.join-time-max')).toBe('NaN');
    expect(of('KafkaSourceReader.KafkaConsumer.rebalance-latency-avg')).toBe('NaN');
    expect(of('KafkaSourceReader.KafkaConsumer.rebalance-total')).toBe('0.0');
    expect(of('KafkaSourceReader.KafkaConsumer.last-rebalance-seconds-ago')).toBe('-1.0');
  });

  it('tells the offsets of its partitions: the last record emitted, the next to read committed', () => {
    const { of } = consuming('1.20.5');
    expect(of('KafkaSourceReader.topic.mf_streaming_nlp_documents.partition.2.currentOffset')).toBe('29');
    expect(of('KafkaSourceReader.topic.mf_streaming_nlp_documents.partition.2.committedOffset')).toBe('7');
    expect(of('KafkaSourceReader.topic.mf_streaming_nlp_documents.partition.1.committedOffset')).toBe('-1');
  });

  it('of a legacy source tells them under both of their names', () => {
    const { of } = consuming('1.9.3', true);
    for (const name of ['KafkaConsumer.topic.mf_streaming_nlp_documents.partition.3.currentOffsets', 'KafkaConsumer.current-offsets.mf_streaming_nlp_documents-3']) expect(of(name)).toBe('39');
    expect(of('KafkaConsumer.committed-offsets.mf_streaming_nlp_documents-1')).toBe('-915623761776');
    expect(of('records-consumed-total')).toBe(of('KafkaConsumer.records-consumed-total'));
    expect(of('KafkaConsumer.version')).toBe('0.0');
  });
});
