import type { JobModel } from '../simulation/model/job-model.js';
import type { JarTemplate, ProgramParameter } from './scenario.js';

/** A program that the scenario knows, in words. */
export interface Program {
  readonly entryClass: string;
  readonly description: string;
  readonly parameters: readonly ProgramParameter[];
}

/** What jar runs start, over the templates of a scenario: see src/rest/jars/job-templates.ts. */
export interface ScenarioJobTemplates {
  readonly entryClasses: readonly string[];
  readonly programs: readonly Program[];
  /** null when the scenario has no such entry class; throws when the arguments are wrong. */
  find(entryClass: string, args: readonly string[], parallelism: number): JobModel | null;
}

export function createJobTemplates(templates: readonly JarTemplate[]): ScenarioJobTemplates {
  const byEntryClass = new Map(templates.map((template) => [template.entryClass, template]));
  const programs = templates.map(({ entryClass, description, parameters }) => ({ entryClass, description, parameters }));
  return { entryClasses: [...byEntryClass.keys()], programs, find: (entryClass, args, parallelism) => byEntryClass.get(entryClass)?.createJob(args, parallelism) ?? null };
}
