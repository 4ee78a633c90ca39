import type { JobModel, JobVertexModel, OperatorModel } from '../../src/simulation/model/job-model.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

const IDS = ['bc764cd8ddf7a0cff126f51c16239658', 'feca28aff5a3958840bee985ee7de4d3', 'b27f31f3e3a199a9981d185a455185be', '353a6b34b8b7f1c1d0fb4616d911049c', 'fee307256decf496d66658de14211781', '7df19f87deec5680128845fd9a6ca18d'] as const;
/** Parallelism of the two vertices for which the recorded program sets none. */
const UNSET = null;

/** The recorded program: Orders and Returns → Sum → Check → Report, every exchange blocking, `n` records a source, of which each takes Sum `sumUs`. */
function batchJob(name: string, n: number, sumUs: number): JobModel {
  const template = bpJob({ iv: 0 });
  const [source, map, , sink] = template.vertices;
  const vertex = (index: number, parallelism: number | null, from: JobVertexModel, operators: readonly (Partial<OperatorModel> & Pick<OperatorModel, 'name'>)[]): JobVertexModel => ({
    ...from,
    id: IDS[index]!,
    name: operators.map((operator) => operator.name).join(' -> '),
    parallelism: parallelism ?? 1,
    ...(parallelism === UNSET ? { decidedAtRunTime: true as const } : {}),
    slotSharingGroup: IDS[index]!,
    // A Tuple2<Integer, Long> and the tag of a record are 21 bytes, with its length 25.
    operators: operators.map((operator, o) => ({ ...from.operators[0]!, id: IDS[index + o]!, outputRecordBytes: 21, ...operator })),
  });
  const bounded = (recordsPerSecond: number): Partial<OperatorModel> => ({
    source: { kind: 'generator', rateSteps: [{ afterMs: 0, recordsPerSecond, rampMs: 0 }], recordLimit: n, legacy: false, maxOutOfOrdernessMs: null },
  });
  const edge = (from: number, to: number, shipStrategy: 'HASH' | 'REBALANCE') => ({ sourceVertexId: IDS[from]!, targetVertexId: IDS[to]!, shipStrategy, exchange: 'blocking' as const, fraction: 1, skew: null });
  return {
    ...template,
    name,
    jobType: 'BATCH',
    vertices: [
      vertex(0, 2, source!, [{ name: 'Source: Orders', ...bounded(n / 4) }]),
      vertex(1, 2, source!, [{ name: 'Source: Returns', ...bounded(n / 2) }]),
      vertex(2, UNSET, map!, [{ name: 'Sum', selectivity: 7_000 / (2 * n), serviceTimeUs: sumUs }]),
      vertex(3, 3, map!, [{ name: 'Check', serviceTimeUs: 1_000 }]),
      vertex(4, UNSET, map!, [{ name: 'Last of ten' }, { ...sink!.operators[0]!, name: 'Report: Writer' }]),
    ],
    edges: [edge(0, 2, 'HASH'), edge(1, 2, 'HASH'), edge(2, 3, 'REBALANCE'), edge(3, 4, 'HASH')],
  };
}

function life(name: string, flink: string, job: JobModel, actions: Life['actions']): Life {
  const model = twoTaskManagers(flink, { jobs: [{ atMs: 9_900, job }] });
  return {
    name,
    flink,
    model: { ...model, options: { ...model.options, 'execution.batch.adaptive.auto-parallelism.max-parallelism': '3', 'execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task': '700kb' } },
    beforeMs: 10_000,
    job: job.name,
    actions,
    // The stream graph told a decision a moment after the vertices.
    passedOver: (question, shape) => question === 'streamgraph' && /-1 [A-Z ,]* false/.test(shape),
  };
}

/** A batch job of which one task fails once. */
export function batch(flink: string): Life {
  const job = 'batch a failure';
  return life('batch', flink, batchJob(job, 20_000, 5), [{ atMs: 5_200, action: { kind: 'fail-subtask', target: { job, operator: 'Check' }, subtask: 0, exceptionClass: 'java.lang.RuntimeException', message: 'synthetic failure' } }]);
}

/** A batch job whose middle is decided to have more subtasks than its sources. */
export function batchDecided(flink: string): Life {
  // It was the program's first run. The machine of 1.20.5 loaded its classes for some seconds.
  const loadingMs = flink === '1.20.5' ? 2_000 : 0;
  const actions = loadingMs === 0 ? [] : ['0', '1'].map((taskManager) => ({ atMs: 0, action: { kind: 'silence-task-manager', taskManager, forMs: loadingMs, cause: 'stopped' } as const }));
  const decided = life('batch-decided', flink, batchJob('batch decided parallelism', 40_000, 25), actions);
  // Nobody looked while both sources ran.
  return flink === '1.20.5' ? { ...decided, passedOver: (question, shape) => question === 'stages' && /Orders RUNNING.*Returns RUNNING/.test(shape) } : decided;
}
