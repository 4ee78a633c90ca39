import type { JobModel } from '../simulation/model/job-model.js';
import { buildJob, type JobSurroundings } from './build-job.js';
import { problemsOf } from './issues.js';
import type { JarTemplate } from './scenario.js';
import { ScenarioError, type Path, type Problem } from './scenario-error.js';
import { jobSchema } from './schema/job-schema.js';
import type { JarInput } from './schema/scenario-schema.js';
import { expandTemplate, TemplateError } from './template/expand.js';
import { readParameters } from './template/parameters.js';
import type { YamlSource } from './yaml-source.js';

/** A job as it stands in the file (placeholders filled in), checked in full; throws a ScenarioError. */
export function readJob(value: unknown, source: YamlSource, base: Path, surroundings: JobSurroundings): JobModel {
  const parsed = jobSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw new ScenarioError(problemsOf(parsed.error.issues, jobSchema, source, base));
  const problems: Problem[] = [];
  const job = buildJob(parsed.data, { add: (path, message) => problems.push(source.problemAt([...base, ...path], message)) }, surroundings);
  if (problems.length > 0) throw new ScenarioError(problems);
  return job;
}

export function buildJarTemplate(input: JarInput, source: YamlSource, base: Path, surroundings: JobSurroundings): JarTemplate {
  return {
    entryClass: input.entryClass,
    description: input.description,
    parameters: Object.entries(input.parameters).map(([name, { type, default: value }]) => ({ name, type, default: value === null ? null : String(value) })),
    createJob: (args, parallelism) => {
      const scope = readParameters(input.parameters, args, parallelism);
      try {
        return readJob(expandTemplate(input.job, scope), source, [...base, 'job'], surroundings);
      } catch (error) {
        if (error instanceof TemplateError) throw new ScenarioError([source.problemAt([...base, 'job', ...error.path], error.message)]);
        throw error;
      }
    },
  };
}
