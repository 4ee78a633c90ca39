import { flinkRelease } from '../../versions/flink-releases.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { knownTaskManagers } from '../views/known-task-managers.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/overview',
    handle: (_request, { state, version }) => {
      const taskManagers = knownTaskManagers(state);
      const slots = taskManagers.flatMap((taskManager) => taskManager.slots);
      const statuses = [...state.jobs.values()].map((job) => job.status);
      const count = (status: string) => statuses.filter((other) => other === status).length;
      const [finished, cancelled, failed] = [count('FINISHED'), count('CANCELED'), count('FAILED')];
      return {
        taskmanagers: taskManagers.length,
        'taskmanagers-blocked': 0,
        'slots-total': slots.length,
        'slots-available': slots.filter((slot) => slot.jobId === null).length,
        'slots-free-and-blocked': 0,
        'jobs-running': statuses.length - finished - cancelled - failed,
        'jobs-finished': finished,
        'jobs-cancelled': cancelled,
        'jobs-failed': failed,
        'flink-version': version.full,
        'flink-commit': flinkRelease(version).commit,
      };
    },
  }),
];
