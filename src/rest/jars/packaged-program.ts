import type { JobModel } from '../../simulation/model/job-model.js';
import { appendLog } from '../../simulation/logs/index.js';
import { integerOption } from '../../versions/flink-options.js';
import type { EndpointContext } from '../endpoint.js';
import { shownUploadDirectory } from '../views/cluster-configuration.js';
import { genericJarJob } from './generic-job.js';
import { containsClass } from './jar-manifest.js';
import type { StoredJar } from './jar-store.js';
import type { JarRequest } from './program-arguments.js';

/** Flink's ProgramInvocationException: the jar or the class is not fit to be run. */
export class ProgramInvocationException extends Error {
  static readonly javaClass = 'org.apache.flink.client.program.ProgramInvocationException';

  constructor(
    message: string,
    /** The class that was not found; null when something else is wrong. */
    readonly missingClass: string | null = null,
  ) {
    super(message);
  }
}

/** The program's main method threw. */
export class ProgramFailure extends ProgramInvocationException {}

/** No jar of that id. */
export class MissingJar extends Error {}

/** A jar's program, ready to be run. */
export interface PackagedProgram {
  readonly entryClass: string;
  /** Runs the main method: the job that it builds. Throws ProgramFailure. */
  readonly main: () => JobModel;
}

const GENERIC_JOB_LOGGER = 'org.apache.flink.client.program.PackagedProgram';

function entryClassOf(jar: StoredJar, shownPath: string): string {
  if (jar.unreadable !== null) throw new ProgramInvocationException(`Error while opening jar file '${shownPath}'. ${jar.unreadable}`);
  if (jar.manifest === null) throw new ProgramInvocationException(`No manifest found in jar file '${shownPath}'. The manifest is need to point to the program's main class.`);
  const [entryClass] = jar.entryClasses;
  if (entryClass === undefined) throw new ProgramInvocationException("Neither a 'Main-Class', nor a 'program-class' entry was found in the jar file.");
  return entryClass;
}

/** Loads a jar's program, as Flink's PackagedProgram: the entry class asked for, else the manifest's, has to be there. */
export async function loadProgram(jarId: string, request: JarRequest, context: EndpointContext): Promise<PackagedProgram> {
  const { state, services } = context;
  const shownPath = `${shownUploadDirectory(state)}/${jarId}`;
  const jar = services.jars.find(jarId);
  if (!jar) throw new MissingJar(`Jar file ${shownPath} does not exist`);
  const entryClass = request.entryClass ?? entryClassOf(jar, shownPath);
  const options = { ...state.options, ...request.flinkConfiguration };
  const asked = request.parallelism !== null && request.parallelism > 0 ? request.parallelism : null;
  const parallelism = asked ?? integerOption(options, 'parallelism.default');

  let job: JobModel | null = null;
  let failure: ProgramFailure | null = null;
  try {
    job = services.jobTemplates.find(entryClass, request.programArguments, parallelism);
  } catch (error) {
    failure = new ProgramFailure(`The main method caused an error: ${error instanceof Error ? error.message : String(error)}`);
  }
  const known = job !== null || failure !== null;
  if (!known && !(await containsClass(jar.storedAt, entryClass).catch(() => false))) {
    throw new ProgramInvocationException(`The program's entry point class '${entryClass}' was not found in the jar file.`, entryClass);
  }
  return {
    entryClass,
    main: () => {
      if (failure) throw failure;
      if (job === null) {
        appendLog(state.jobManager.log, state.nowMs, 'WARN', GENERIC_JOB_LOGGER, `No job template for entry class ${entryClass} of ${jar.name}: a generic job (source, map, sink) runs in its place.`);
        job = genericJarJob(entryClass, parallelism, request.flinkConfiguration);
      }
      return { ...job, jobId: request.jobId ?? job.jobId, options: { ...job.options, ...request.flinkConfiguration } };
    },
  };
}
