import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import { aList, anObject, CLUSTER, CLUSTER_CHANGE, JOB, NOTHING, RATE_CHANGE } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';
import { ControlError } from '../problem.js';

const JOB_PARAMS = z.object({ job: z.string().meta({ description: 'Name or id.' }) });

export function clusterRoutes(routes: ControlRoutes, control: ClusterControl): void {
  const { jobs, cluster } = control;
  routes.get('/state', { schema: { operationId: 'getState', tags: ['cluster'], summary: 'What there is, at a glance', response: { 200: anObject('Scenario, jobs with vertices and levels, task managers, topics.') } } }, () => ({ ...control.summary() }));
  routes.get('/cluster', { schema: { operationId: 'getCluster', tags: ['cluster'], summary: 'How many task managers live', response: { 200: CLUSTER } } }, () => ({ taskManagers: cluster.taskManagers }));
  routes.put('/cluster', { schema: { operationId: 'changeCluster', tags: ['cluster'], summary: 'Start or kill task managers', body: CLUSTER_CHANGE, response: { 200: CLUSTER } } }, ({ body }) => {
    cluster.setTaskManagers(body.taskManagers);
    return { taskManagers: cluster.taskManagers };
  });
  routes.get('/jobs', { schema: { operationId: 'getJobs', tags: ['jobs'], summary: 'All jobs, and the templates there are', response: { 200: aList('jobs', 'Jobs in the order of submission.').extend({ templates: z.array(z.string()) }) } } }, () => ({
    jobs: jobs.list().map((job) => ({ ...job })),
    templates: [...jobs.templateNames()],
  }));
  routes.post('/jobs', { schema: { operationId: 'submitJob', tags: ['jobs'], summary: 'Submit a job, inline or from a template', body: JOB, response: { 201: z.object({ id: z.string() }) } } }, ({ body }, reply) => {
    const { savepointPath, allowNonRestoredState, ...job } = body;
    if (savepointPath !== undefined && typeof savepointPath !== 'string') throw new ControlError(400, '/savepointPath: allowed: text');
    if (allowNonRestoredState !== undefined && typeof allowNonRestoredState !== 'boolean') throw new ControlError(400, '/allowNonRestoredState: allowed: true, false');
    const id = jobs.submit(job, { savepointPath, allowNonRestoredState });
    void reply.code(201);
    return { id };
  });
  routes.get('/jobs/:job', { schema: { operationId: 'getJob', tags: ['jobs'], summary: 'One job', params: JOB_PARAMS, response: { 200: anObject('The job.') } } }, ({ params }) => ({ ...jobs.get(params.job) }));
  routes.patch('/jobs/:job', { schema: { operationId: 'changeRate', tags: ['jobs'], summary: "Change a generator source's rate", params: JOB_PARAMS, body: RATE_CHANGE, response: { 200: anObject('The job.') } } }, ({ params, body }) => {
    jobs.setRate(params.job, body.operator, body.rate, body.ramp);
    return { ...jobs.get(params.job) };
  });
  routes.delete('/jobs/:job', { schema: { operationId: 'cancelJob', tags: ['jobs'], summary: 'Cancel a job', params: JOB_PARAMS, response: { 204: NOTHING } } }, ({ params }, reply) => {
    jobs.cancel(params.job);
    void reply.code(204);
    return null;
  });
}
