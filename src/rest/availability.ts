import { lifecycleFeatures } from '../versions/lifecycle-features.js';
import { failureText } from '../versions/failure-traces.js';
import { hash32, hex } from '../simulation/random.js';
import type { EndpointContext, EndpointRequest } from './endpoint.js';
import { InternalServerException, RestHandlerException } from './errors.js';

/** Nobody listens at the REST address. */
export class NobodyAnswers extends Error {}

/** No leader is known: 503. */
export class LeaderElection extends Error {
  constructor() {
    super('Service temporarily unavailable due to an ongoing leader election. Please refresh.');
  }
}

/** What a handler asks the leader for, where that is not the execution graph. */
const CALLS: Readonly<Record<string, string>> = {
  'GET /overview': 'RestfulGateway.requestClusterOverview({time})',
  'GET /jobs': 'RestfulGateway.requestMultipleJobDetails({time})',
  'GET /jobs/overview': 'RestfulGateway.requestMultipleJobDetails({time})',
  'GET /jobs/:jobid/status': 'RestfulGateway.requestJobStatus(JobID, {time})',
  'GET /jobs/:jobid/execution-result': 'RestfulGateway.requestJobStatus(JobID, {time})',
  'GET /jobs/:jobid/resource-requirements': 'RestfulGateway.requestJobResourceRequirements(JobID)',
  'PUT /jobs/:jobid/resource-requirements': 'RestfulGateway.updateJobResourceRequirements(JobID, JobResourceRequirements)',
  'PATCH /jobs/:jobid': 'RestfulGateway.cancelJob(JobID, {time})',
  'POST /jobs/:jobid/savepoints': 'RestfulGateway.triggerSavepoint(AsynchronousJobOperationKey, String, SavepointFormatType, TriggerSavepointMode, {time})',
  'POST /jobs/:jobid/stop': 'RestfulGateway.stopWithSavepoint(AsynchronousJobOperationKey, String, SavepointFormatType, TriggerSavepointMode, {time})',
  'POST /jobs/:jobid/checkpoints': 'RestfulGateway.triggerCheckpoint(AsynchronousJobOperationKey, CheckpointType, {time})',
  'GET /jobs/:jobid/checkpoints/:triggerid': 'RestfulGateway.getTriggeredCheckpointStatus(AsynchronousJobOperationKey)',
  'GET /jobs/:jobid/savepoints/:triggerid': 'RestfulGateway.getTriggeredSavepointStatus(AsynchronousJobOperationKey)',
  'DELETE /cluster': 'RestfulGateway.shutDownCluster()',
  'GET /taskmanagers': 'ResourceManagerGateway.requestTaskManagerInfo({time})',
  'GET /taskmanagers/:taskmanagerid': 'ResourceManagerGateway.requestTaskManagerDetailsInfo(ResourceID, {time})',
  'GET /taskmanagers/:taskmanagerid/thread-dump': 'ResourceManagerGateway.requestThreadDump(ResourceID, {time})',
  'GET /taskmanagers/:taskmanagerid/logs': 'ResourceManagerGateway.requestTaskManagerLogList(ResourceID, {time})',
  'POST /jars/:jarid/run': 'DispatcherGateway.submitJob(JobGraph, {time})',
  'POST /jobs': 'DispatcherGateway.submitJob(JobGraph, {time})',
};

/** Asked of the resource manager. */
const NEEDS_RESOURCE_MANAGER: ReadonlySet<string> = new Set(['GET /overview']);

/** Whether the endpoint can be answered at all: throws what Flink answers when nobody leads. `url` is the spec's. */
export function requireJobManager(context: EndpointContext, method: string, url: string, params: EndpointRequest['params']): void {
  const { availability } = context.state.jobManager;
  if (availability === 'LEADING') return;
  if (availability === 'DOWN') throw new NobodyAnswers();
  if (availability === 'ELECTING') throw new LeaderElection();
  const endpoint = `${method} ${url}`;
  if (availability === 'NO_RESOURCE_MANAGER') {
    if (NEEDS_RESOURCE_MANAGER.has(endpoint)) throw new LeaderElection();
    return;
  }
  const call = CALLS[endpoint];
  if (call === undefined) return;
  if (url.endsWith('/savepoints/:triggerid')) {
    throw new RestHandlerException(500, `Internal server error while retrieving status of savepoint operation with triggerId=${params['triggerid']} for job ${params['jobid']}.`);
  }
  throw leaderUnreachable(context, call);
}

/** The copies of jobs that a job manager holds can still be shown; for a new one it must reach the leader. */
export function requireLeader(context: EndpointContext, what: 'execution graph' | 'checkpoints'): void {
  if (context.state.jobManager.availability !== 'LEADER_LOST') return;
  throw leaderUnreachable(context, what === 'checkpoints' ? 'RestfulGateway.requestCheckpointStats(JobID, {time})' : 'RestfulGateway.requestExecutionGraphInfo(JobID, {time})');
}

function leaderUnreachable({ state, version }: EndpointContext, call: string): InternalServerException {
  const { host, rpcPort, predecessors } = state.jobManager;
  const { seed } = state.model;
  const { rpcSystem, startEndpoints, rpcUserPath } = lifecycleFeatures(version);
  const message = failureText('leaderUnreachable', version, {
    rpcSystem,
    rpcUserPath,
    call: call.replace('{time}', failureText('rpcTimeType', version, {})),
    leader: hex(32, seed, 'leader', predecessors),
    endpoint: call.startsWith('ResourceManager') ? startEndpoints.resourceManager : startEndpoints.dispatcher,
    suffix: hex(2, seed, 'actor', state.nowMs, call),
    host,
    port: rpcPort,
    number: (hash32(seed, 'actor', 'leader', predecessors) | 0).toString(),
  });
  return new InternalServerException('org.apache.flink.runtime.rpc.exceptions.RecipientUnreachableException', message, [`org.apache.flink.runtime.rpc.${rpcSystem}.DeadLettersActor.handleDeadLetter(DeadLettersActor.java:61)`]);
}
