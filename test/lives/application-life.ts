import { bpJob, submissions, taskManager, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

/** When REST answered, the task manager was registered and the main method had submitted its job, ms: the machine was busy. */
const STARTS: Readonly<Record<string, { readonly jobManagerMs: number; readonly taskManagerMs: number; readonly jobMs: number }>> = {
  '1.20.5': { jobManagerMs: 10_900, taskManagerMs: 11_000, jobMs: 12_000 },
  '2.3.0': { jobManagerMs: 17_500, taskManagerMs: 23_000, jobMs: 20_000 },
};

/** A cluster that is there for one program: it starts, its job is cancelled, and with that it is gone. */
export function application(flink: string): Life {
  const model = twoTaskManagers(flink, { jobs: submissions([bpJob({ name: 'bp', jobId: '445d493932397419c273b487b91e6725' })], STARTS[flink]!.jobMs) });
  const { jobManagerMs, taskManagerMs } = STARTS[flink]!;
  return {
    name: 'application',
    flink,
    model: { ...model, cluster: { ...model.cluster, application: { entryClass: 'Bp' }, taskManagers: [taskManager(0)], startUp: { jobManagerMs, taskManagersMs: [taskManagerMs] } } },
    beforeMs: 0,
    job: 'bp',
    actions: [],
    passedOver: (question, shape) =>
      // The recorded machine took 4 s to start 8 tasks, and most of a second from a task manager to its slots.
      (question === 'tasks' && flink === '2.3.0' && /deploying|running/.test(shape)) || (question === 'overview' && shape.startsWith('[200,1,0,0')),
  };
}
