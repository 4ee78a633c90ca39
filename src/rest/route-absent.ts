import { rawAnswer, type EndpointContext, type EndpointRequest, type RawAnswer } from './endpoint.js';
import { bareError, notFoundAnswer } from './protocol.js';

/** The answer where Flink has not registered the route, because an option switched it off. */
export function routeAbsent({ method, path }: EndpointRequest, { features }: EndpointContext): RawAnswer {
  const answer = method === 'GET' ? bareError(404, `Unable to load requested file ${path}.`) : notFoundAnswer(path, features);
  return rawAnswer({
    status: answer.status,
    headers: { 'content-type': answer.contentType!, ...(answer.allowOrigin ? { 'access-control-allow-origin': '*' } : {}) },
    body: answer.body as string,
  });
}
