import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { FLINK_HOME } from '../../versions/distribution.js';
import { defineEndpoint, rawAnswer, type Endpoint, type EndpointContext, type RawAnswer } from '../endpoint.js';
import { InternalServerException, NotFoundException, RestHandlerException } from '../errors.js';
import { folderNotTransferred, isFolderName } from '../views/folder-as-file.js';
import { findTaskManager, unknownTaskExecutor } from '../views/known-task-managers.js';
import { lastWrittenMs, logBytes, logText, processLogs, type LogFile, type ProcessLogs } from '../views/log-files.js';

const JOB_MANAGER = 'jobmanager';
/** How long a static file may be kept, s. */
const STATIC_FILE_MAX_AGE = 300;

function textFile(context: EndpointContext, file: LogFile, asStaticFile: boolean): RawAnswer {
  const { state } = context;
  const headers: Record<string, string> = { 'content-type': 'text/plain' };
  if (asStaticFile) {
    headers['expires'] = new Date(state.nowMs + STATIC_FILE_MAX_AGE * 1000).toUTCString();
    headers['cache-control'] = `private, max-age=${STATIC_FILE_MAX_AGE}`;
    headers['last-modified'] = new Date(lastWrittenMs(file)).toUTCString();
  }
  return rawAnswer({ status: 200, headers, body: logText(state, file) });
}

/** A JSON error as the file handlers of the job manager send it: without the header that lets other origins read it. */
function noSuchFile(): RawAnswer {
  return rawAnswer({
    status: 404,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ errors: ['This file does not exist in JobManager log dir.'] }),
  });
}

function jobManagerLogs(state: SimulationState): ProcessLogs {
  return processLogs(state, JOB_MANAGER)!;
}

/** Log files of a task manager, for a file request: unknown ones are what the version makes of them. */
function taskManagerFiles(context: EndpointContext, id: string): ProcessLogs {
  const logs = findTaskManager(context.state, id) ? processLogs(context.state, id) : null;
  if (logs) return logs;
  if (context.features.unknownTaskManagerFileIsNotFound) throw new NotFoundException(`Failed to transfer file from TaskExecutor ${id} because it was unknown.`);
  throw unknownTaskExecutor(id, 'requestTaskManagerFileUpload');
}

function logList(state: SimulationState, { folder }: ProcessLogs) {
  return { logs: folder.map((file) => ({ name: file.name, size: logBytes(state, file), mtime: lastWrittenMs(file) })) };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobmanager/log',
    handle: (_request, context) => textFile(context, jobManagerLogs(context.state).log, context.features.logsAreStaticFiles),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobmanager/stdout',
    handle: (_request, context) => textFile(context, jobManagerLogs(context.state).stdout, context.features.logsAreStaticFiles),
  }),
  defineEndpoint({ method: 'GET', url: '/jobmanager/logs', handle: (_request, { state }) => logList(state, jobManagerLogs(state)) }),
  defineEndpoint({
    method: 'GET',
    url: '/jobmanager/logs/:filename',
    handle: (request, context) => {
      // As Flink does: only the last part of the name counts, so nothing outside the folder can be asked for.
      const name = request.params['filename']!.split('/').at(-1)!;
      if (isFolderName(name)) throw folderNotTransferred(`${FLINK_HOME}/log`, name);
      const file = jobManagerLogs(context.state).folder.find((other) => other.name === name);
      return file ? textFile(context, file, false) : noSuchFile();
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/log',
    handle: (request, context) => textFile(context, taskManagerFiles(context, request.params['taskmanagerid']!).log, false),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/stdout',
    handle: (request, context) => textFile(context, taskManagerFiles(context, request.params['taskmanagerid']!).stdout, false),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/logs',
    handle: (request, { state }) => {
      const id = request.params['taskmanagerid']!;
      const logs = findTaskManager(state, id) ? processLogs(state, id) : null;
      if (!logs) throw new RestHandlerException(404, `Could not find TaskExecutor ${id}`);
      return logList(state, logs);
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid/logs/:filename',
    handle: (request, context) => {
      const { folder } = taskManagerFiles(context, request.params['taskmanagerid']!);
      const name = request.params['filename']!.split('/').at(-1)!;
      const file = folder.find((other) => other.name === name);
      if (file) return textFile(context, file, false);
      throw new InternalServerException('org.apache.flink.util.FlinkException', `The file ${name} does not exist on the TaskExecutor.`);
    },
  }),
];
