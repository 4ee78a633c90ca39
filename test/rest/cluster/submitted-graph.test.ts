import { describe, expect, it } from 'vitest';
import { jobIdInFileName, readSubmittedGraph } from '../../../src/rest/jars/submitted-graph.js';
import { BP_VERTICES } from '../../simulation/fixture.js';
import { loadSubmission } from './submission-sample.js';

describe('the graph that `flink run` sends', () => {
  it.each(['1.9.3', '1.20.5', '2.3.0'])('tells job, vertices, edges and checkpointing (client %s)', (version) => {
    const { graph, request } = loadSubmission(version);
    const submitted = readSubmittedGraph(graph)!;
    const { job } = submitted;
    expect(job.name).toBe('Graph sample');
    expect(job.jobId).toMatch(/^[0-9a-f]{32}$/);
    const inName = jobIdInFileName(String(request['jobGraphFileName'] ?? request['executionPlanFileName']));
    expect(inName).toBe(version === '1.9.3' ? null : job.jobId);
    expect(job.vertices.map(({ id, name, parallelism, maxParallelism, operators }) => [id, name, parallelism, maxParallelism, operators.map(({ kind }) => kind)])).toEqual([
      [BP_VERTICES.source, 'Source: Source: Kafka nlp', 2, 128, ['source']],
      [BP_VERTICES.parse, 'Parse', 2, 128, ['map']],
      [BP_VERTICES.enrich, 'Enrich', 2, 128, ['map']],
      [BP_VERTICES.sink, 'Sink: Kafka Sink', 2, 128, ['sink']],
    ]);
    expect(job.edges.map(({ sourceVertexId, targetVertexId, shipStrategy }) => [sourceVertexId, targetVertexId, shipStrategy]).sort()).toEqual(
      [
        [BP_VERTICES.source, BP_VERTICES.parse, 'REBALANCE'],
        [BP_VERTICES.parse, BP_VERTICES.enrich, 'HASH'],
        [BP_VERTICES.enrich, BP_VERTICES.sink, 'REBALANCE'],
      ].sort(),
    );
    expect(job.checkpointing).toMatchObject({ intervalMs: 4000, mode: 'EXACTLY_ONCE', retention: 'RETAIN_ON_CANCELLATION', maxConcurrent: 1 });
    expect([submitted.savepointPath, submitted.allowNonRestoredState]).toEqual([null, false]);
  });

  it('tells the savepoint to begin with', () => {
    expect(readSubmittedGraph(loadSubmission('1.9.3-savepoint').graph)).toMatchObject({ savepointPath: '/nope/sp', allowNonRestoredState: true });
  });

  it('names the job in its file from 1.20 on only', () => {
    expect(jobIdInFileName('flink-jobgraph-da572a128cede6f5c5b260dd57461d53123456.bin')).toBe('da572a128cede6f5c5b260dd57461d53');
    expect(jobIdInFileName('flink-jobgraph5243523452345.bin')).toBeNull();
    expect(jobIdInFileName('../flink-jobgraph-da572a128cede6f5c5b260dd57461d53.bin')).toBeNull();
  });
});
