import { defineEndpoint, rawAnswer, type Endpoint, type RawAnswer } from '../endpoint.js';

/** Sent by a handler of its own in Flink, which leaves out the header that lets other origins read the answer. */
function urlAnswer(url: string): RawAnswer {
  return rawAnswer({ status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify({ url }) });
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/jobmanager/log-url',
    handle: (_request, { services }) => urlAnswer(`${services.address()}/#/job-manager/logs`),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/taskmanagers/:taskmanagerid/log-url',
    handle: (request, { services }) => urlAnswer(`${services.address()}/#/task-manager/${request.params['taskmanagerid']}/logs`),
  }),
];
