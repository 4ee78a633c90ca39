import { bpJob, submissions, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

/** Where the heartbeats of the resource manager and of the job stood when the task manager was killed, ms since the last one: chance, not Flink. */
const PHASES: Readonly<Record<string, { readonly resourceManagerMs: number; readonly jobMs: number }>> = {
  '1.9.3': { resourceManagerMs: 3_300, jobMs: 9_500 },
  '1.13.6': { resourceManagerMs: 4_500, jobMs: 9_000 },
  '1.20.5': { resourceManagerMs: 4_800, jobMs: 0 },
  '2.3.0': { resourceManagerMs: 5_300, jobMs: 0 },
};

/** One of two task managers is killed under a job of parallelism 4 and another job. */
export function taskManagerLoss(flink: string): Life {
  const { resourceManagerMs, jobMs } = PHASES[flink]!;
  // Both jobs had tasks on both task managers in the older recordings, in the newer ones the other job was on the killed one alone.
  const bothSpread = /^1\.(9|13)/.test(flink);
  const other = bothSpread ? bpJob({ name: 'no checkpoints', p: 4, iv: 0, restartStrategy: { kind: 'fixed-delay', attempts: 3, delayMs: 2000 } }) : bpJob({ name: 'bp', p: 2 });
  const jobs = [other, bpJob({ name: 'survives', p: 4, iv: 2000, rate: 1000 })];
  const heartbeatMs = 5_000;
  const beforeMs = 40_000 + heartbeatMs;
  const model = twoTaskManagers(flink, {
    jobs: submissions(jobs, beforeMs - 20_000 - jobMs).map((submission, index) => ({ ...submission, atMs: submission.atMs - index * 900 })),
    // The cluster had been up for longer than its start-up period.
    options: { ...twoTaskManagers(flink).options, 'resourcemanager.standalone.start-up-time': '10 s', ...(bothSpread ? { 'cluster.evenly-spread-out-slots': 'true' } : {}) },
  });
  return {
    name: 'taskmanager-loss',
    flink,
    model,
    beforeMs,
    job: 'survives',
    actions: [
      {
        atMs: 0,
        action: ({ state }) => {
          const [first] = state.taskManagers.values();
          first!.lastHeartbeatMs = state.nowMs - resourceManagerMs;
          return { kind: 'kill-task-manager', taskManager: '0' };
        },
      },
    ],
  };
}
