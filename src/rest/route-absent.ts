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

/** Jars and jobs can be submitted: not where the option says no, nor in a cluster that is there for one program. */
export function canSubmit({ state }: EndpointContext): boolean {
  return state.model.cluster.application === undefined && booleanOption(state.options, 'web.submit.enable');
}

/** A handler whose route is there only where jars can be submitted. */
export function whereSubmitting(handle: EndpointHandler): EndpointHandler {
  return (request, context) => (canSubmit(context) ? handle(request, context) : routeAbsent(request, context));
}

/** A handler whose route is there only in clusters that take jobs from outside. */
export function whereSession(handle: EndpointHandler): EndpointHandler {
  return (request, context) => (context.state.model.cluster.application === undefined ? handle(request, context) : routeAbsent(request, context));
}

/** A handler whose route is there only where the option says so. */
export function whereEnabled(option: KnownOption, handle: EndpointHandler): EndpointHandler {
  return (request, context) => (booleanOption(context.state.options, option) ? handle(request, context) : routeAbsent(request, context));
}
