import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import type { EndpointContext, EndpointRequest } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { getExecutionGraph } from './execution-graph-cache.js';
import type { ExecutionGraph, ExecutionJobVertex, ExecutionVertex } from './execution-graph.js';

export function findVertex(graph: ExecutionGraph, vertexId: string): ExecutionJobVertex | undefined {
  return graph.vertices.find((vertex) => vertex.id === vertexId);
}

/** The vertex of a path with :jobid and :vertexid, as AbstractJobVertexHandler looks it up. */
export function getJobVertex(request: EndpointRequest, context: EndpointContext): { readonly graph: ExecutionGraph; readonly vertex: ExecutionJobVertex } {
  const graph = getExecutionGraph(context, request.params['jobid']!);
  const vertexId = request.params['vertexid']!;
  const vertex = findVertex(graph, vertexId);
  if (!vertex) throw new RestHandlerException(404, `No vertex with ID '${vertexId}' exists.`);
  return { graph, vertex };
}

/** The subtask of a path that also has :subtaskindex. */
export function getSubtask(request: EndpointRequest, context: EndpointContext): { readonly graph: ExecutionGraph; readonly vertex: ExecutionJobVertex; readonly subtask: ExecutionVertex } {
  const { graph, vertex } = getJobVertex(request, context);
  const subtask = vertex.subtasks[Number(request.params['subtaskindex'])];
  if (!subtask) throw new RestHandlerException(404, `Invalid subtask index for vertex ${vertex.id}`);
  return { graph, vertex, subtask };
}

/** The attempt of a path that also has :attempt. */
export function getAttempt(request: EndpointRequest, context: EndpointContext): { readonly graph: ExecutionGraph; readonly vertex: ExecutionJobVertex; readonly subtask: ExecutionVertex; readonly attempt: ExecutionAttemptState } {
  const found = getSubtask(request, context);
  const { current, priorAttempts } = found.subtask;
  const number = Number(request.params['attempt']);
  if (number === current.attemptNumber) return { ...found, attempt: current };
  const attempt = priorAttempts.find((prior) => prior.attemptNumber === number);
  if (attempt) return { ...found, attempt };
  if (number >= 0 && number < current.attemptNumber) throw new RestHandlerException(404, `Attempt ${number} not found in subtask ${found.subtask.index}`);
  throw new RestHandlerException(404, `Invalid attempt num ${number}`);
}
