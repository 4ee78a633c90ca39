import { describe, expect, it } from 'vitest';
import { markersReceived } from '../../../src/simulation/metrics/latency.js';
import { subtaskNames, subtaskValue } from '../../../src/simulation/metrics/task-names.js';
import { vertexView } from '../../../src/simulation/metrics/index.js';
import { chainJob, generator, operator, runFor, runningCluster, sink } from './running-cluster.js';

const SOURCE = 'Source: documents';
const model = chainJob([[generator(SOURCE)], [operator('Parse'), operator('Enrich')], [sink('Sink')]]);

/** Names of a subtask's latency histograms, without the statistic at their end. */
function histograms(options: Readonly<Record<string, string>>, vertex = 1, seconds = 10): string[] {
  const { state, job } = runningCluster('1.20.5', model, options);
  runFor(state, seconds, {});
  return subtaskNames({ vertex: vertexView(state, job, vertex), subtask: 1 }).filter((name) => name.startsWith('latency.') && name.endsWith('_mean'));
}

describe('latency markers', () => {
  it('are off unless an interval is set, by the cluster or by the job', () => {
    expect(histograms({})).toEqual([]);
    expect(histograms({ 'metrics.latency.interval': '0' })).toEqual([]);
    const { state, job } = runningCluster('1.20.5', { ...model, options: { 'metrics.latency.interval': '500 ms' } });
    expect(subtaskNames({ vertex: vertexView(state, job, 2), subtask: 0 }).some((name) => name.startsWith('latency.'))).toBe(true);
  });

  it('are told apart by source, by its subtasks, or not at all', () => {
    const options = { 'metrics.latency.interval': '1000' };
    const operators = ['Parse', 'Enrich'];
    expect(histograms(options)).toEqual(operators.map((id) => `latency.source_id.${SOURCE}.operator_id.${id}.operator_subtask_index.1.latency_mean`));
    expect(histograms({ ...options, 'metrics.latency.granularity': 'subtask' })).toEqual(
      [0, 1].flatMap((from) => operators.map((id) => `latency.source_id.${SOURCE}.source_subtask_index.${from}.operator_id.${id}.operator_subtask_index.1.latency_mean`)),
    );
    expect(histograms({ ...options, 'metrics.latency.granularity': 'single' })).toEqual(operators.map((id) => `latency.operator_id.${id}.operator_subtask_index.1.latency_mean`));
  });

  it('are not kept by the source that sends them', () => {
    expect(histograms({ 'metrics.latency.interval': '1000' }, 0)).toEqual([]);
    expect(histograms({ 'metrics.latency.interval': '1000', 'metrics.latency.granularity': 'single' }, 0)).toEqual([]);
  });

  it('come one an interval, and wait as long as the records in the queues on the way', () => {
    const { state, job } = runningCluster('1.20.5', model, { 'metrics.latency.interval': '1000' });
    const at = (vertex: number, statistic: string) => Number(subtaskValue({ vertex: vertexView(state, job, vertex), subtask: 1 }, `latency.source_id.${SOURCE}.operator_id.${vertex === 1 ? 'Enrich' : 'Sink'}.operator_subtask_index.1.latency_${statistic}`));
    const received = () => {
      const vertex = vertexView(state, job, 1);
      return markersReceived({ vertex, subtask: 1 }, vertex.latencyStats[0]!);
    };
    expect(received()).toBe(1);
    runFor(state, 300, {});
    expect(received()).toBe(301);
    expect(at(2, 'mean')).toBeLessThan(1);
    job.vertices[1].columns.estimatedTimeToConsumeBuffersMs.fill(2000);
    job.vertices[2].columns.estimatedTimeToConsumeBuffersMs.fill(500);
    expect(at(1, 'median')).toBeGreaterThan(1500);
    expect(at(1, 'median')).toBeLessThan(2500);
    expect(at(2, 'median')).toBeGreaterThan(at(1, 'median'));
  });
});
