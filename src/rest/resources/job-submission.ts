import { readFile, stat } from 'node:fs/promises';
import { submitJob } from '../../simulation/commands.js';
import { appendLog } from '../../simulation/logs/index.js';
import { valueIn, type ByVersion } from '../../versions/flink-versions.js';
import { defineEndpoint, type Endpoint, type EndpointRequest } from '../endpoint.js';
import { InternalServerException, RestHandlerException } from '../errors.js';
import { genericJarJob } from '../jars/generic-job.js';
import { whereSession } from '../route-absent.js';
import { jobIdInFileName, readSubmittedGraph, type SubmittedGraph } from '../jars/submitted-graph.js';

/** The graph's kind, as messages name it, and the field of the request that names its file. */
const GRAPH: ByVersion<readonly [kind: string, field: string]> = [
  ['1.9', ['JobGraph', 'jobGraphFileName']],
  ['2.0', ['ExecutionPlan', 'executionPlanFileName']],
];
/** Far more than any graph; a larger one is not read. */
const MAX_GRAPH_BYTES = 64 * 1024 * 1024;
const LOGGER = 'org.apache.flink.runtime.rest.handler.job.JobSubmitHandler';

function fileNames(request: EndpointRequest, field: string): string[] {
  const value = request.body[field];
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => (typeof item === 'string' ? item : String((item as { fileName?: unknown } | null)?.fileName)));
}

function assertUploaded(uploaded: ReadonlyMap<string, string>, kind: string, name: string): string {
  const storedAt = uploaded.get(name);
  if (storedAt === undefined) throw new RestHandlerException(400, `${kind} file ${name} could not be found on the server.`, `${LOGGER}$MissingFileException`);
  return storedAt;
}

/** Reads the job; what cannot be read but for its id becomes a generic one. */
async function readGraph(storedAt: string, fileName: string): Promise<{ graph: SubmittedGraph; generic: boolean } | null> {
  const idInName = jobIdInFileName(fileName);
  try {
    if ((await stat(storedAt)).size <= MAX_GRAPH_BYTES) {
      const graph = readSubmittedGraph(await readFile(storedAt));
      if (graph && (graph.job.jobId ?? idInName) !== null) return { graph: { ...graph, job: { ...graph.job, jobId: graph.job.jobId ?? idInName } }, generic: false };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
  }
  if (idInName === null) return null;
  return { graph: { job: { ...genericJarJob(idInName, 1, {}), jobId: idInName }, savepointPath: null, allowNonRestoredState: false }, generic: true };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    url: '/jobs',
    handle: whereSession(async (request, { state, version }) => {
      const [kind, field] = valueIn(GRAPH, version);
      const uploaded = new Map(request.files.map((file) => [file.fileName, file.storedAt]));
      if (uploaded.size !== request.files.length) {
        throw new RestHandlerException(400, `The number of uploaded files was lower than the expected count. Expected: ${request.files.length} Actual ${uploaded.size}`);
      }
      const graphName = request.body[field];
      if (typeof graphName !== 'string') throw new RestHandlerException(400, 'The jobGraphFileName field must not be omitted or be null.');
      const storedAt = assertUploaded(uploaded, kind, graphName);
      for (const name of fileNames(request, 'jobJarFileNames')) assertUploaded(uploaded, 'Jar', name);
      for (const name of fileNames(request, 'jobArtifactFileNames')) assertUploaded(uploaded, 'Artifact', name);

      const read = await readGraph(storedAt, graphName);
      if (!read) throw new RestHandlerException(400, `Failed to deserialize ${kind}.`);
      const { job, savepointPath, allowNonRestoredState } = read.graph;
      if (state.jobs.has(job.jobId!)) throw new InternalServerException('org.apache.flink.runtime.client.DuplicateJobSubmissionException', 'Job has already been submitted.');
      if (read.generic) appendLog(state.jobManager.log, state.nowMs, 'WARN', LOGGER, `The ${kind} of job ${job.jobId} could not be read: a generic job (source, map, sink) runs in its place.`);
      const jobId = submitJob(state, job, { savepointPath, allowNonRestoredState, jobId: job.jobId });
      // A job that could not be initialized left nothing behind before it became a job of its own (FLINK-16866).
      if (!state.jobs.has(jobId)) throw new InternalServerException('org.apache.flink.runtime.client.JobSubmissionException', 'Failed to submit job.');
      return { jobUrl: `/jobs/${jobId}` };
    }),
  }),
];
