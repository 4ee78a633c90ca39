import { bpJob, submissions, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

const survivor = (): ReturnType<typeof bpJob> => bpJob({ name: 'survivor', rate: 1000, iv: 2000 });

/** The only job manager is killed; 10 s later it is started again. */
export function jobManagerCrash(flink: string): Life {
  return {
    name: 'jobmanager-crash-without-ha',
    flink,
    model: twoTaskManagers(flink, { jobs: submissions([survivor()], 1000) }),
    beforeMs: 30_000,
    job: 'survivor',
    actions: [{ atMs: flink === '1.9.3' ? 4_500 : 5_000, action: { kind: 'crash-job-manager', restartAfterMs: 10_000 } }],
  };
}

/** Two job managers with ZooKeeper, whose sessions end after 11 s: the leader is killed. In 1.20.5 it was the other one, and nothing happens. */
export function jobManagerFailover(flink: string): Life {
  const model = twoTaskManagers(flink, { jobs: submissions([survivor()], 1000) });
  return {
    name: 'jobmanager-failover-zookeeper',
    flink,
    model: { ...model, options: { ...model.options, 'high-availability.type': 'zookeeper', 'high-availability': 'zookeeper', 'high-availability.zookeeper.client.session-timeout': '11 s' } },
    beforeMs: 30_000,
    job: 'survivor',
    triggerId: '672daec495fe9066817c9dfb9cfdb111',
    actions: flink === '2.3.0' ? [{ atMs: 5_000, action: { kind: 'fail-over-job-manager' } }] : [],
  };
}

/** Until REST answered and the task managers were registered, ms: the machine was busy, and 1.9 to 1.20 retry after 10 s. */
const STARTS: Readonly<Record<string, { readonly jobManagerMs: number; readonly taskManagersMs: readonly number[] }>> = {
  '1.9.3': { jobManagerMs: 4_500, taskManagersMs: [15_100, 15_600] },
  '1.13.6': { jobManagerMs: 13_300, taskManagersMs: [17_300, 24_000] },
  '1.20.5': { jobManagerMs: 8_600, taskManagersMs: [18_500, 18_600] },
  '2.3.0': { jobManagerMs: 5_700, taskManagersMs: [8_100, 8_200] },
};

/** A cluster whose processes start. */
export function boot(flink: string): Life {
  const model = twoTaskManagers(flink);
  return { name: 'boot', flink, model: { ...model, cluster: { ...model.cluster, startUp: STARTS[flink]! } }, beforeMs: 0, job: null, actions: [] };
}
