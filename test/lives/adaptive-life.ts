import { bpJob, submissions, taskManager, twoTaskManagers } from '../simulation/fixture.js';
import type { Life } from './replay.js';

/** The adaptive scheduler is asked for less, more, too much and nonsense; a task manager is lost and another one joins. */
export function adaptive(flink: string): Life {
  const model = twoTaskManagers(flink, { jobs: submissions([bpJob({ name: 'elastic', rate: 1000, iv: 3000 })], 1000) });
  const isFirstKilled = flink === '1.20.5';
  return {
    name: 'adaptive',
    flink,
    model: {
      ...model,
      cluster: { ...model.cluster, taskManagers: [taskManager(0, { slots: 2 }), taskManager(1, { slots: 2 })] },
      options: {
        ...model.options,
        'taskmanager.numberOfTaskSlots': '2',
        'jobmanager.scheduler': 'adaptive',
        'web.adaptive-scheduler.rescale-history.size': '10',
        'jobmanager.adaptive-scheduler.submission.resource-wait-timeout': '10 s',
        'jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout': '1 s',
        'jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling': '2 s',
        'jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout': '1 s',
      },
    },
    beforeMs: 33_100,
    job: 'elastic',
    passedOver: (question, shape) =>
      // Taken in the quarter of a second between the last request and the failure that followed it.
      (question === 'history' && shape.startsWith('[200,"UPDATE_REQUIREMENT IGNORED')) ||
      // The recorded machine took 4 s to start 16 tasks.
      (question === 'tasks' && /deploying|running.{1,3}16/.test(shape)) ||
      // A copy of the fraction of a second in which the new tasks were being deployed.
      (question === 'vertices' && shape.includes('CREATED × 1')),
    actions: [
      {
        atMs: 48_180,
        // The job went on where its first slot was, or where it was not: chance decides which task manager dies under it.
        action: ({ state }) => {
          const taskManagers = [...state.taskManagers.values()];
          const killed = taskManagers[isFirstKilled ? 0 : 1]!;
          killed.lastHeartbeatMs = state.nowMs - (isFirstKilled ? 4_000 : 7_700);
          return { kind: 'kill-task-manager', taskManager: killed.id };
        },
      },
      { atMs: 72_500, action: { kind: 'add-task-managers', count: 1 } },
    ],
  };
}
