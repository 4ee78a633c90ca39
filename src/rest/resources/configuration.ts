import { defineEndpoint, type Endpoint, type EndpointHandler } from '../endpoint.js';
import { configurationInfo } from '../views/cluster-configuration.js';

/** The job manager's configuration; asked for a job too, whose id Flink does not look at. */
const configuration: EndpointHandler = (_request, { state, version }) => configurationInfo(state, version);

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'GET', url: '/jobmanager/config', handle: configuration }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/jobmanager/config', handle: configuration }),
];
