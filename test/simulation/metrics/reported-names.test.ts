import { describe, expect, it } from 'vitest';
import { enumerateMetrics } from '../../../src/simulation/metrics/index.js';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import { bpJob } from '../fixture.js';
import { chainJob, kafka, operator, recordedMetrics, runFor, runningCluster, sink, windowed } from './running-cluster.js';

/** Not in the model: which sinks write to Kafka, watermark alignment. A summary's count and quantiles are the reporter's work. */
const NOT_OURS = /KafkaProducer|currentSendTime|watermarkAlignmentDrift|pendingRecords|mailboxLatencyMs/;

const kafkaJob = chainJob([
  [kafka('Source: Kafka nlp'), operator('Parse')],
  [operator('Enrich')],
  [windowed('TumblingEventTimeWindows'), sink('Kafka enriched: Writer'), sink('Kafka enriched: Committer')],
]);

/** Names with their label keys, as Flink's Prometheus reporter makes them of scopes, names and variables. */
function reported(version: string, model: JobModel): Record<string, string> {
  const { state, job } = runningCluster(version, model);
  runFor(state, 20, { sourceRecordsIn: 10 });
  for (const { columns } of job.vertices) columns.currentOutputWatermark.fill(state.nowMs - 1000);
  const names: Record<string, string> = {};
  for (const { scope, variables, metrics } of enumerateMetrics(state)) {
    for (const { logicalName, labels } of metrics) names[`flink_${scope}_${logicalName.replace(/[^\w:]/g, '_')}`] = [...Object.keys(variables), ...Object.keys(labels)].sort().join(',');
  }
  return names;
}

const ours = (names: Readonly<Record<string, string>>): Record<string, string> => Object.fromEntries(Object.entries(names).filter(([name]) => !NOT_OURS.test(name)));

describe('metrics as reporters get them', () => {
  it.each([
    ['1.13.6', '1.13.6', bpJob()],
    ['1.20.5', '1.20.5', bpJob()],
    ['2.3.0', '2.3.0', bpJob()],
    ['kafka-1.20.5', '1.20.5', kafkaJob],
    ['kafka-2.3.0', '2.3.0', kafkaJob],
  ])('have the names and labels of the Prometheus reporter: %s', (recording, version, model) => {
    const recorded = recordedMetrics()[`prometheus ${recording}`]!['names'] as unknown as Readonly<Record<string, string>>;
    expect(ours(reported(version, model))).toEqual(ours(recorded));
  });
});
