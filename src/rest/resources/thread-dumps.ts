import { threadDump } from '../../simulation/threads/index.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { findTaskManager, unknownTaskExecutor } from '../views/known-task-managers.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'GET', url: '/jobmanager/thread-dump', handle: (_request, { state }) => ({ threadInfos: threadDump(state, 'jobmanager') }) }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/thread-dump',
    handle: (request, { state }) => {
      const id = request.params['taskmanagerid']!;
      if (!findTaskManager(state, id)) throw unknownTaskExecutor(id, 'requestThreadDump');
      return { threadInfos: threadDump(state, id) };
    },
  }),
];
