import type { ProfilingState } from '../../simulation/state/profiling-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { threadDump } from '../../simulation/threads/index.js';
import { durationOptionMs, integerOption, setOption } from '../../versions/flink-options.js';
import { defineEndpoint, rawAnswer, type Endpoint, type EndpointContext, type EndpointHandler, type EndpointRequest } from '../endpoint.js';
import { InternalServerException, NotFoundException, RestHandlerException } from '../errors.js';
import { whereEnabled } from '../route-absent.js';
import { folderNotTransferred, isFolderName } from '../views/folder-as-file.js';
import { findTaskManager, unknownTaskExecutor } from '../views/known-task-managers.js';
import { profileHtml } from '../views/profile-html.js';

const JOB_MANAGER = 'jobmanager';

/** The name that Flink gives the job manager in files and messages. */
function resourceName(processId: string): string {
  return processId === JOB_MANAGER ? 'JobManager' : processId;
}

function isOver(state: SimulationState, { startedMs, durationMs }: ProfilingState): boolean {
  return state.nowMs >= startedMs + durationMs;
}

/** `2026-11-29_13_08_36` in the cluster's zone. */
function fileTimestamp({ model }: SimulationState, epochMs: number): string {
  return new Date(Math.floor(epochMs) + model.timeZoneOffsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '_');
}

/** Runs on a process, newest first. */
function profilingsOf(state: SimulationState, processId: string): ProfilingState[] {
  return (state.profilings ?? []).filter((profiling) => profiling.processId === processId).reverse();
}

function profilingInfo(state: SimulationState, profiling: ProfilingState) {
  const over = isOver(state, profiling);
  return {
    status: over ? 'FINISHED' : 'RUNNING',
    mode: profiling.mode,
    triggerTime: Math.floor(profiling.startedMs),
    finishedTime: over ? Math.floor(profiling.startedMs + profiling.durationMs) : null,
    duration: profiling.durationMs / 1000,
    message: over ? 'Profiling Successful' : null,
    outputFile: over ? profiling.outputFile : null,
    profilingMode: profiling.mode,
  };
}

function start(request: EndpointRequest, { state }: EndpointContext, processId: string) {
  const duration = Number(request.body['duration'] ?? 0);
  const maxSeconds = Math.trunc(durationOptionMs(state.options, 'rest.profiling.duration-max') / 1000);
  if (!(duration > 0 && duration <= maxSeconds)) throw new RestHandlerException(400, `\`duration\` must be set between (0s, ${maxSeconds}s].`);
  if (processId !== JOB_MANAGER && !findTaskManager(state, processId)) throw unknownTaskExecutor(processId, 'requestProfiling');
  const earlier = profilingsOf(state, processId);
  const name = resourceName(processId);
  if (earlier[0] && !isOver(state, earlier[0])) throw new InternalServerException('java.lang.IllegalStateException', `${name} is still under profiling.`);
  const mode = (request.body['mode'] ?? 'ITIMER') as ProfilingState['mode'];
  const durationMs = duration * 1000;
  const profiling: ProfilingState = { processId, mode, startedMs: state.nowMs, durationMs, outputFile: `${name}_${mode}_${fileTimestamp(state, state.nowMs + durationMs)}.html` };
  const kept = new Set(earlier.slice(0, Math.max(0, integerOption(state.options, 'rest.profiling.history-size') - 1)));
  state.profilings = [...(state.profilings ?? []).filter((other) => other.processId !== processId || kept.has(other)), profiling];
  return profilingInfo(state, profiling);
}

function download(request: EndpointRequest, { state }: EndpointContext, processId: string) {
  const name = request.params['filename']!.split('/').at(-1)!;
  const profiling = profilingsOf(state, processId).find((other) => other.outputFile === name && isOver(state, other));
  if (profiling) return rawAnswer({ status: 200, headers: { 'content-type': 'text/plain' }, body: profileHtml(profiling, resourceName(processId), threadDump(state, processId)) });
  if (processId !== JOB_MANAGER && !findTaskManager(state, processId)) throw new NotFoundException(`Failed to transfer file from TaskExecutor ${processId} because it was unknown.`);
  if (processId !== JOB_MANAGER) throw new InternalServerException('org.apache.flink.util.FlinkException', `The file ${name} does not exist on the TaskExecutor.`);
  if (isFolderName(name)) throw folderNotTransferred(setOption(state.options, 'rest.profiling.dir') ?? '/tmp', name);
  return rawAnswer({ status: 404, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify({ errors: ['This file does not exist in JobManager log dir.'] }) });
}

/** The profiler has to be switched on. */
const whereProfiling = (handle: EndpointHandler) => whereEnabled('rest.profiling.enabled', handle);

const taskManagerId = (request: EndpointRequest) => request.params['taskmanagerid']!;

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobmanager/profiler',
    handle: whereProfiling((_request, { state }) => ({ profilingList: profilingsOf(state, JOB_MANAGER).map((profiling) => profilingInfo(state, profiling)) })),
  }),
  defineEndpoint({ method: 'POST', url: '/jobmanager/profiler', handle: whereProfiling((request, context) => start(request, context, JOB_MANAGER)) }),
  defineEndpoint({ method: 'GET', url: '/jobmanager/profiler/:filename', handle: whereProfiling((request, context) => download(request, context, JOB_MANAGER)) }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/profiler',
    handle: whereProfiling((request, { state }) => {
      const id = taskManagerId(request);
      if (!findTaskManager(state, id)) throw new RestHandlerException(404, `Could not find TaskExecutor ${id}`);
      return { profilingList: profilingsOf(state, id).map((profiling) => profilingInfo(state, profiling)) };
    }),
  }),
  defineEndpoint({ method: 'POST', url: '/taskmanagers/:taskmanagerid/profiler', handle: whereProfiling((request, context) => start(request, context, taskManagerId(request))) }),
  defineEndpoint({ method: 'GET', url: '/taskmanagers/:taskmanagerid/profiler/:filename', handle: whereProfiling((request, context) => download(request, context, taskManagerId(request))) }),
];
