import { findSnapshot } from '../../simulation/checkpoints/restore.js';
import { submitJob } from '../../simulation/commands.js';
import { appendLog } from '../../simulation/logs/index.js';
import { missingSnapshotMessage } from '../../simulation/lifecycle/submission.js';
import { jsonPlan } from '../../simulation/plan/json-plan.js';
import { hex } from '../../simulation/random.js';
import type { JobModel } from '../../simulation/model/job-model.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointHandler, type EndpointRequest } from '../endpoint.js';
import { InternalServerException, RestHandlerException } from '../errors.js';
import { loadProgram, MissingJar, ProgramInvocationException, type PackagedProgram } from '../jars/packaged-program.js';
import { readJarRequest, type JarRequest } from '../jars/program-arguments.js';
import { whereSubmitting } from '../route-absent.js';

const COMPLETION_EXCEPTION = 'java.util.concurrent.CompletionException';

/** Loads the program; what goes wrong is thrown as the version's handler lets it through. */
async function load(request: EndpointRequest, context: EndpointContext, jarRequest: JarRequest, wrapped: boolean): Promise<PackagedProgram> {
  try {
    return await loadProgram(request.params['jarid']!, jarRequest, context);
  } catch (error) {
    if (error instanceof MissingJar) {
      if (!wrapped) throw new RestHandlerException(400, error.message);
      const cause = `org.apache.flink.runtime.rest.handler.RestHandlerException: ${error.message}`;
      throw new InternalServerException(COMPLETION_EXCEPTION, cause, [], [cause]);
    }
    throw error instanceof ProgramInvocationException ? programError(error, wrapped) : error;
  }
}

function programError(error: ProgramInvocationException, wrapped: boolean): InternalServerException {
  const { javaClass } = ProgramInvocationException;
  const causes = error.missingClass === null ? [] : [`java.lang.ClassNotFoundException: ${error.missingClass}`];
  if (!wrapped) return new InternalServerException(javaClass, error.message, [], causes);
  const cause = `${javaClass}: ${error.message}`;
  return new InternalServerException(COMPLETION_EXCEPTION, cause, [], [cause, ...causes]);
}

const plan: EndpointHandler = async (request, context) => {
  const jarRequest = readJarRequest(request);
  const wrapped = context.features.jarPlanLoadsFirst;
  const program = await load(request, context, jarRequest, wrapped);
  let job: JobModel;
  try {
    job = program.main();
  } catch (error) {
    throw error instanceof ProgramInvocationException ? programError(error, false) : error;
  }
  const { state, features } = context;
  return { plan: jsonPlan(job.jobId ?? hex(32, state.model.seed, 'plan', state.idSequence++), job.name, job, features) };
};

/** What a run that has started ends with when it fails; `causes` go from the program's own exception down. */
function executionError({ features }: EndpointContext, causes: readonly string[]): Error {
  if (features.jarRunExecutesProgram) {
    const outer = 'org.apache.flink.util.FlinkRuntimeException: Could not execute application.';
    return new RestHandlerException(400, 'Could not execute application.', undefined, [`${COMPLETION_EXCEPTION}: ${outer}`, outer, ...causes]);
  }
  const [first, ...below] = causes;
  const colon = first!.indexOf(': ');
  return new InternalServerException(first!.slice(0, colon), first!.slice(colon + 2), [], below);
}

/** The exceptions below a submission that the dispatcher refused or that could not be initialized. */
function submissionCauses({ features }: EndpointContext, jobName: string, causes: readonly string[]): string[] {
  if (!features.jarRunExecutesProgram) return ['org.apache.flink.runtime.client.JobSubmissionException: Failed to submit job.', ...causes];
  const failed = `Failed to execute job '${jobName}'.`;
  return [`${ProgramInvocationException.javaClass}: The main method caused an error: ${failed}`, `org.apache.flink.util.FlinkException: ${failed}`, ...causes];
}

/** Runs the program and submits its job. */
function execute(program: PackagedProgram, jarRequest: JarRequest, context: EndpointContext): string {
  const { state, features } = context;
  if (features.jarRunExecutesProgram) appendLog(state.jobManager.log, state.nowMs, 'INFO', 'org.apache.flink.client.ClientUtils', 'Starting program (detached: true)');
  let job: JobModel;
  try {
    job = program.main();
  } catch (error) {
    if (!(error instanceof ProgramInvocationException)) throw error;
    throw executionError(context, [`${ProgramInvocationException.javaClass}: ${error.message}`]);
  }
  if (job.jobId !== null && state.jobs.has(job.jobId)) {
    throw executionError(context, submissionCauses(context, job.name, ['org.apache.flink.runtime.client.DuplicateJobSubmissionException: Job has already been submitted.']));
  }
  const { savepointPath, allowNonRestoredState } = jarRequest;
  const missing = savepointPath !== null && !findSnapshot(state, savepointPath);
  const jobId = submitJob(state, job, { savepointPath, allowNonRestoredState, jobId: job.jobId });
  if (missing) {
    const notFound = `java.io.FileNotFoundException: ${missingSnapshotMessage(savepointPath)}`;
    throw executionError(context, submissionCauses(context, job.name, ['org.apache.flink.runtime.client.JobInitializationException: Could not start the JobMaster.', notFound]));
  }
  return jobId;
}

const run: EndpointHandler = async (request, context) => {
  const jarRequest = readJarRequest(request);
  const program = await load(request, context, jarRequest, context.features.jarRunExecutesProgram);
  const jobId = execute(program, jarRequest, context);
  return { jobid: jobId, applicationId: context.state.jobs.get(jobId)!.applicationId };
};

const runApplication: EndpointHandler = async (request, context) => {
  const { state } = context;
  const asked = request.body['applicationId'];
  const fromBody = readJarRequest(request);
  // The job of an application gets the application's id, unless it is told another one.
  const applicationId = typeof asked === 'string' ? asked.toLowerCase() : hex(32, state.model.seed, 'application', state.idSequence++);
  const jarRequest = { ...fromBody, jobId: fromBody.jobId ?? applicationId };
  const program = await load(request, context, jarRequest, true);
  const job = state.jobs.get(execute(program, jarRequest, context))!;
  job.applicationId = applicationId;
  job.applicationName = program.entryClass;
  return { applicationid: applicationId };
};

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'GET', url: '/jars/:jarid/plan', handle: whereSubmitting(plan) }),
  defineEndpoint({ method: 'POST', url: '/jars/:jarid/plan', handle: whereSubmitting(plan) }),
  defineEndpoint({ method: 'POST', url: '/jars/:jarid/run', handle: whereSubmitting(run) }),
  defineEndpoint({ method: 'POST', url: '/jars/:jarid/run-application', handle: whereSubmitting(runApplication) }),
];
