import { describe, expect, it } from 'vitest';
import { metricFilter } from '../../src/reporters/metric-filter.js';
import { exposition } from '../../src/reporters/prometheus/exposition.js';
import type { ExpositionConfig } from '../../src/reporters/prometheus/families.js';
import type { JobModel } from '../../src/simulation/model/job-model.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';
import { chainJob, kafka, operator, sink, TOPIC, windowed } from '../simulation/metrics/running-cluster.js';
import { parseExposition, recorded, shape, type Exposition } from './recorded-exposition.js';

const CONFIG: ExpositionConfig = { filter: metricFilter('*:*:*', ''), excludedVariables: new Set(), additionalVariables: {}, filterLabelValueCharacters: true };

/** Of connectors that the model knows nothing about: sinks that write to Kafka, watermark alignment. */
const NOT_IN_MODEL = /KafkaProducer|currentSendTime|watermarkAlignmentDrift/;

const kafkaJob = chainJob([
  [kafka('Source: Kafka nlp'), operator('Parse')],
  [operator('Enrich')],
  [windowed('TumblingEventTimeWindows'), sink('Kafka enriched: Writer'), sink('Kafka enriched: Committer')],
]);

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

const topic = { name: TOPIC, partitions: 4, startOffset: 0, backlogPerPartition: 0, rateSteps: [{ afterMs: 0, recordsPerSecond: 200, rampMs: 0 }], partitionShares: null, recordBytes: 224 };

/** What the process shows after half a minute; `taskmanager` is one that runs tasks. */
async function scrape(version: string, model: JobModel, process: 'jobmanager' | 'taskmanager', config = CONFIG): Promise<Exposition> {
  const simulation = new Simulation({ ...twoTaskManagers(version), kafka: { brokers: [{ id: 1, host: 'localhost', port: 9092 }], topics: [topic] }, jobs: [{ atMs: 0, job: model }] });
  simulation.advanceBy(30_000);
  for (const { vertices } of simulation.state.jobs.values()) for (const { columns } of vertices) columns.currentOutputWatermark.fill(simulation.nowMs - 1000);
  const { id } = [...simulation.state.taskManagers.values()].find(({ slots }) => slots.some(({ jobId }) => jobId !== null))!;
  return parseExposition(await textOf(exposition(simulation.state, process === 'taskmanager' ? id : process, config)));
}

const CASES: [recording: string, version: string, model: JobModel][] = [
  ['1.13.6', '1.13.6', bpJob()],
  ['1.20.5', '1.20.5', bpJob()],
  ['2.3.0', '2.3.0', bpJob()],
  ['kafka-1.20.5', '1.20.5', kafkaJob],
  ['kafka-2.3.0', '2.3.0', kafkaJob],
];

const known = (shapes: Readonly<Record<string, string>>): Record<string, string> => Object.fromEntries(Object.entries(shapes).filter(([name]) => !NOT_IN_MODEL.test(name)));

describe('what a Prometheus reporter shows, beside the recorded one', () => {
  it.each(CASES)('a task manager has the same names, types, help texts and labels in the same order: %s', async (recording, version, model) => {
    expect(known(shape(await scrape(version, model, 'taskmanager')))).toEqual(known(shape(recorded(recording, 'taskmanager'))));
  });

  it.each(CASES)('so has the job manager: %s', async (recording, version, model) => {
    expect(shape(await scrape(version, model, 'jobmanager'))).toEqual(shape(recorded(recording, 'jobmanager')));
  });

  it('values are doubles as Java prints them', async () => {
    for (const { samples } of [await scrape('1.20.5', bpJob(), 'taskmanager'), recorded('1.20.5', 'taskmanager')]) {
      for (const { name, value } of samples) expect(value, name).toMatch(/^(-?\d+\.\d+(E-?\d+)?|NaN|[+-]Inf)$/);
    }
  });

  it('summaries have a count and six quantiles', async () => {
    const quantiles = ({ samples }: Exposition): (string | undefined)[] => {
      const first = samples.findIndex(({ name }) => name === 'flink_taskmanager_job_task_mailboxLatencyMs_count');
      return samples.slice(first, first + 7).map(({ labels }) => labels.find(([key]) => key === 'quantile')?.[1]);
    };
    const ours = quantiles(await scrape('1.20.5', bpJob(), 'taskmanager'));
    expect(ours).toEqual(quantiles(recorded('1.20.5', 'taskmanager')));
    expect(ours).toHaveLength(7);
  });

  it('each sample is there once', async () => {
    for (const [, version, model] of CASES) {
      const { samples } = await scrape(version, model, 'taskmanager');
      const keys = samples.map(({ name, labels }) => name + JSON.stringify(labels));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('excluded variables go, additional ones come, values keep their characters when they are not filtered', async () => {
    const { samples } = await scrape('1.20.5', kafkaJob, 'taskmanager', { ...CONFIG, excludedVariables: new Set(['job_id', 'task_attempt_id']), additionalVariables: { region: 'eu-1' }, filterLabelValueCharacters: false });
    const labels = Object.fromEntries(samples.find(({ name }) => name === 'flink_taskmanager_job_task_operator_numRecordsIn')!.labels);
    expect(labels).not.toHaveProperty('job_id');
    expect(labels).not.toHaveProperty('task_attempt_id');
    expect(labels).toMatchObject({ region: 'eu-1', task_name: 'Source: Kafka nlp -> Parse', host: 'localhost' });
  });

  it('filters leave out what they exclude and keep only what they include', async () => {
    const { types } = await scrape('1.20.5', bpJob(), 'taskmanager', { ...CONFIG, filter: metricFilter('taskmanager.job.task*:numRecords*,numBytes*:counter;taskmanager:*', '*.operator:*;taskmanager.Status.JVM.*:*') });
    expect([...types.keys()].sort()).toEqual(['numBytesIn', 'numBytesInLocal', 'numBytesInRemote', 'numBytesOut', 'numRecordsIn', 'numRecordsOut'].flatMap((name) => (/Local|Remote/.test(name) ? [`flink_taskmanager_job_task_Shuffle_Netty_Input_${name}`, `flink_taskmanager_job_task_${name}`] : [`flink_taskmanager_job_task_${name}`])).sort());
  });
});
