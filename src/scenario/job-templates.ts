import type { JobModel } from '../simulation/model/job-model.js';
import type { JarTemplate } from './scenario.js';

/** What jar runs start, over the templates of a scenario: see src/rest/jars/job-templates.ts. */
export interface ScenarioJobTemplates {
  readonly entryClasses: readonly string[];
  /** null when the scenario has no such entry class; throws when the arguments are wrong. */
  find(entryClass: string, args: readonly string[], parallelism: number): JobModel | null;
}

export function createJobTemplates(templates: readonly JarTemplate[]): ScenarioJobTemplates {
  const byEntryClass = new Map(templates.map((template) => [template.entryClass, template]));
  return { entryClasses: [...byEntryClass.keys()], find: (entryClass, args, parallelism) => byEntryClass.get(entryClass)?.createJob(args, parallelism) ?? null };
}
