import { defineEndpoint, type Endpoint, type EndpointHandler } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';

/** Switched off in every version from 1.9 on, whatever is asked. */
const disabled: EndpointHandler = () => {
  throw new RestHandlerException(503, 'Rescaling is temporarily disabled. See FLINK-12312.');
};

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'PATCH', url: '/jobs/:jobid/rescaling', handle: disabled }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/rescaling/:triggerid', handle: disabled }),
];
