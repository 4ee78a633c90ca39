import { describe, expect, it } from 'vitest';
import { coordinatorMetrics, jobManagerMetrics, jobMetrics, restNames, restValue, subtaskNames, subtaskValue, taskManagerMetrics, taskManagerViews, vertexView, type Metric } from '../../../src/simulation/metrics/index.js';
import { versionOf } from '../../../src/simulation/version.js';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import { BP_VERTICES, bpJob } from '../fixture.js';
import { chainJob, generator, kafka, operator, recordedMetrics, runFor, runningCluster, sink, windowed } from './running-cluster.js';

const RECORDED = recordedMetrics();

function printed<View>(metrics: readonly Metric<View>[], view: View): Record<string, string | null> {
  return Object.fromEntries(metrics.flatMap(restNames).map((each) => [each.name, restValue(each, view)]));
}

/** What a value is, as far as its text tells: a whole number, a decimal, a word. */
function kindOf(text: string | null): string {
  if (text === null) return 'absent';
  if (/^-?\d+$/.test(text)) return 'whole';
  if (text === 'NaN' || /^-?\d+\.\d+(E-?\d+)?$/.test(text)) return 'decimal';
  return text === 'true' || text === 'false' ? 'boolean' : 'text';
}

function kinds(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kindOf(value)]));
}

const LOAD = { numRecordsIn: 100, numRecordsOut: 100, sourceRecordsIn: 100, idleMs: 400, busyMs: 500, hardBackPressuredMs: 100, numBytesOut: 5000, numBuffersOut: 3 };

function vertexValues(version: string, model: JobModel, vertexIndex: number, options: Readonly<Record<string, string>> = {}, subtask = 0, aligned = false): Record<string, string | null> {
  const { state, job } = runningCluster(version, model, options);
  runFor(state, 30, LOAD);
  for (const { columns } of job.vertices) {
    columns.currentInputWatermark.fill(state.nowMs - 1000);
    columns.currentOutputWatermark.fill(state.nowMs - 1000);
    columns.lastRecordMs.fill(state.nowMs);
    columns.lastEventTimeMs.fill(state.nowMs - 5);
    if (aligned) columns.watermarkAlignmentDriftMs.fill(-4000);
  }
  const task = { vertex: vertexView(state, job, vertexIndex), subtask };
  return Object.fromEntries(subtaskNames(task).map((name) => [name, subtaskValue(task, name)]));
}

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('metrics of the recorded job in %s', (version) => {
  const recorded = RECORDED[version]!;

  it('are those of the recorded job manager', () => {
    const { state } = runningCluster(version, bpJob());
    expect(kinds(printed(jobManagerMetrics(state), state))).toEqual(kinds(recorded['jobmanager']!));
  });

  it('are those of a recorded task manager', () => {
    const { state } = runningCluster(version, bpJob());
    const view = taskManagerViews(state)[0]!;
    expect(kinds(printed(taskManagerMetrics(versionOf(state), view), view))).toEqual(kinds(recorded['taskmanager']!));
  });

  it('are those of the recorded job', () => {
    const { state, job } = runningCluster(version, bpJob());
    const values = printed(jobMetrics(versionOf(state)), { job, atMs: state.nowMs, version: versionOf(state) });
    expect(kinds(values)).toEqual(kinds(recorded['job']!));
  });

  it.each(Object.entries(BP_VERTICES).map(([name, id], index) => ({ name, id, index })))('are those of the recorded $name tasks', ({ id, index }) => {
    expect(kinds(vertexValues(version, bpJob(), index))).toEqual(kinds(recorded[`vertex ${id}`]!));
  });
});

/** Not in the model: which sinks write to Kafka. */
const NOT_MODELLED = /KafkaProducer|currentSendTime/;
const without = (values: Readonly<Record<string, string>>, pattern: RegExp): Record<string, string> => Object.fromEntries(Object.entries(values).filter(([name]) => !pattern.test(name)));

describe('metrics of a job on Kafka', () => {
  const source = (version: string): Readonly<Record<string, string>> => RECORDED[`kafka-${version}`]!['vertex e5a72f353fc1e6bbf3bd96a41384998c']!;
  const last = (version: string): Readonly<Record<string, string>> => RECORDED[`kafka-${version}`]!['vertex 01203aa9a12dc1ec725e03853dd7c8f2']!;
  const writing = [windowed('TumblingEventTimeWindows'), sink('Kafka enriched: Writer'), sink('Kafka enriched: Committer')];

  it.each([
    ['1.9.3', [kafka('Source: Kafka nlp', true), operator('Parse')]],
    ['1.20.5', [kafka('Source: Kafka nlp'), operator('Parse')]],
    ['2.3.0', [kafka('Source: Kafka nlp'), operator('Parse'), operator('Enrich')]],
  ])('%s: the source has its partitions and its consumer', (version, chain) => {
    // The job recorded on 2.3.0 aligned its sources.
    const values = without(vertexValues(version, chainJob([chain]), 0, {}, 0, version === '2.3.0') as Record<string, string>, /partition\.\d|documents-\d|pendingRecords/);
    expect(Object.keys(values).sort()).toEqual(Object.keys(without(source(version), /partition\.\d|documents-\d|pendingRecords/)).sort());
    // Without a sample the client says NaN.
    const decimals = without(values, /\.count$|version|commit-id/);
    expect(kinds(decimals)).toEqual(kinds(without(source(version), /partition\.\d|documents-\d|pendingRecords|\.count$|version|commit-id/)));
  });

  it.each(['1.9.3', '1.20.5', '2.3.0'])('%s: each partition is named after the topic where its owner is', (version) => {
    const model = chainJob([[kafka('Source: Kafka nlp', version === '1.9.3'), operator('Parse')]]);
    const pattern = /partition\.\d|documents-\d/;
    const shape = (names: readonly string[]): string[] => [...new Set(names.filter((name) => pattern.test(name)).map((name) => name.replace(/partition\.\d+/, 'partition.#').replace(/documents-\d+/, 'documents-#')))].sort();
    expect(shape([0, 1].flatMap((subtask) => Object.keys(vertexValues(version, model, 0, {}, subtask))))).toEqual(shape(Object.keys(source(version))));
  });

  it.each(['1.20.5', '2.3.0'])('%s: the window, the writer and the committer', (version) => {
    const values = vertexValues(version, chainJob([[kafka('Source: Kafka nlp')], writing]), 1);
    expect(kinds(values)).toEqual(kinds(without(last(version), NOT_MODELLED)));
  });

  it('1.9.3: the window and the sink function', () => {
    const chain = [windowed('Window(TumblingEventTimeWindows(5000), EventTimeTrigger, Count)'), sink('Sink: Kafka enriched')];
    expect(kinds(vertexValues('1.9.3', chainJob([[kafka('Source: Kafka nlp', true)], chain]), 1))).toEqual(kinds(without(last('1.9.3'), NOT_MODELLED)));
  });
});

describe.each(['1.20.5', '2.3.0'])('metrics of operators in %s', (version) => {
  const recorded = RECORDED[`operators-${version}`]!;
  const DOCUMENTS = 'cbc357ccb763df2852fee8c4fc7d55f2';
  const job = chainJob([[generator('Source: documents'), operator('Lookup')], [windowed('Sliding'), sink('Sink: Writer')]]);
  const options = { 'metrics.latency.interval': '1000' };

  it('of a FLIP-27 source and what is chained to it', () => {
    expect(kinds(without(vertexValues(version, job, 0, options) as Record<string, string>, /^latency/))).toEqual(kinds(without(recorded[`vertex ${DOCUMENTS}`]!, /^latency/)));
  });

  it('of a window and a sink without latency markers', () => {
    expect(kinds(vertexValues(version, job, 1))).toEqual(kinds(without(recorded['vertex fc5659eabe2d30ea0d19ddd8ea59922d']!, /^latency/)));
  });

  it('has eleven statistics of latency for each source and operator', () => {
    const model = chainJob([[generator('Source: documents')], [generator('Source: updates')], [generator('Source: rules')], [windowed('Sliding'), sink('Sink: Writer')]], 2, [[0, 3], [1, 3], [2, 3]]);
    const count = (values: Readonly<Record<string, unknown>>): number => Object.keys(values).filter((name) => name.startsWith('latency.source_id.')).length;
    expect(count(vertexValues(version, model, 3, options))).toBe(count(recorded['vertex fc5659eabe2d30ea0d19ddd8ea59922d']!));
    expect(count(vertexValues(version, job, 0, options))).toBe(count(recorded[`vertex ${DOCUMENTS}`]!));
  });

  it('has the enumerator of a source at the job manager', () => {
    const { state, job: running } = runningCluster(version, job);
    expect(printed(coordinatorMetrics(versionOf(state), running.vertices[0]!), running.vertices[0]!)).toEqual(recorded[`coordinators ${DOCUMENTS}`]);
    expect(coordinatorMetrics(versionOf(state), running.vertices[1]!)).toEqual([]);
  });
});
