import { booleanOption, type KnownOption } from '../versions/flink-options.js';
import { rawAnswer, type EndpointContext, type EndpointHandler, type EndpointRequest, type RawAnswer } from './endpoint.js';
import { bareError, notFoundAnswer } from './protocol.js';

/** The answer where Flink has not registered the route. */
function routeAbsent({ method, path }: EndpointRequest, { features }: EndpointContext): RawAnswer {
  const answer = method === 'GET' ? bareError(404, `Unable to load requested file ${path}.`) : notFoundAnswer(path, features);
  return rawAnswer({
    status: answer.status,
    headers: { 'content-type': answer.contentType!, ...(answer.allowOrigin ? { 'access-control-allow-origin': '*' } : {}) },
    body: answer.body as string,
  });
}

/** A handler whose route is there only where the option says so. */
export function whereEnabled(option: KnownOption, handle: EndpointHandler): EndpointHandler {
  return (request, context) => (booleanOption(context.state.options, option) ? handle(request, context) : routeAbsent(request, context));
}
