import type { JobModel, JobVertexModel, OperatorModel } from '../../src/simulation/model/job-model.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

const IDS = ['bc764cd8ddf7a0cff126f51c16239658', 'feca28aff5a3958840bee985ee7de4d3', 'b27f31f3e3a199a9981d185a455185be', '353a6b34b8b7f1c1d0fb4616d911049c', 'fee307256decf496d66658de14211781'] as const;

/** Orders and Returns → Sum → Check → Report, every exchange blocking, as the recorded program with its parallelism decided. */
function batchJob(): JobModel {
  const template = bpJob({ iv: 0 });
  const [source, map, , sink] = template.vertices;
  const vertex = (index: number, name: string, parallelism: number, from: JobVertexModel, operator: Partial<OperatorModel>): JobVertexModel => ({
    ...from,
    id: IDS[index]!,
    name,
    parallelism,
    operators: [{ ...from.operators[0]!, id: IDS[index]!, name, outputRecordBytes: 12, ...operator }],
  });
  const bounded = (recordsPerSecond: number): Partial<OperatorModel> => ({
    source: { kind: 'generator', rateSteps: [{ afterMs: 0, recordsPerSecond, rampMs: 0 }], recordLimit: 20_000, legacy: false, maxOutOfOrdernessMs: null },
  });
  const edge = (from: number, to: number, shipStrategy: 'HASH' | 'REBALANCE') => ({ sourceVertexId: IDS[from]!, targetVertexId: IDS[to]!, shipStrategy, exchange: 'blocking' as const, fraction: 1, skew: null });
  return {
    ...template,
    name: 'batch a failure',
    jobType: 'BATCH',
    vertices: [
      vertex(0, 'Source: Orders', 2, source!, bounded(5_000)),
      vertex(1, 'Source: Returns', 2, source!, bounded(10_000)),
      vertex(2, 'Sum', 2, map!, { selectivity: 0.175, serviceTimeUs: 5 }),
      vertex(3, 'Check', 3, map!, { serviceTimeUs: 1_000 }),
      vertex(4, 'Last of ten -> Report: Writer', 1, sink!, { selectivity: 0 }),
    ],
    edges: [edge(0, 2, 'HASH'), edge(1, 2, 'HASH'), edge(2, 3, 'REBALANCE'), edge(3, 4, 'HASH')],
  };
}

/** A batch job of which one task fails once. */
export function batch(flink: string): Life {
  return {
    name: 'batch',
    flink,
    model: twoTaskManagers(flink, { jobs: [{ atMs: 9_700, job: batchJob() }] }),
    beforeMs: 10_000,
    job: 'batch a failure',
    actions: [{ atMs: 5_200, action: { kind: 'fail-subtask', target: { job: 'batch a failure', operator: 'Check' }, subtask: 0, exceptionClass: 'java.lang.RuntimeException', message: 'synthetic failure' } }],
  };
}
