import type { JobModel } from '../../simulation/model/job-model.js';

/** What jar runs start: supplied by the scenario (`jars:` in its file). */
export interface JobTemplates {
  /** What `find` knows. */
  readonly entryClasses?: readonly string[];
  /**
   * The job that the entry class builds from its arguments, for the given default parallelism; null when nothing is known of the class.
   * Throws an Error, whose message is shown, where the arguments do not fit.
   */
  find(entryClass: string, args: readonly string[], parallelism: number): JobModel | null;
}

/** No class is known: every jar runs as a generic job. */
export const NO_JOB_TEMPLATES: JobTemplates = { find: () => null };
