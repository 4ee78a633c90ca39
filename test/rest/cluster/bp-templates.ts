import type { JobTemplates } from '../../../src/rest/jars/job-templates.js';
import { bpJob, type BpArguments } from '../../simulation/fixture.js';

/** The recorded script's class `Bp` with its arguments, as a template. */
export const BP_TEMPLATES: JobTemplates = {
  find: (entryClass, args, parallelism) => {
    if (entryClass !== 'Bp') return null;
    const given: Record<string, string> = {};
    for (let i = 0; i < args.length; i += 2) {
      if (!args[i]!.startsWith('--') || args[i + 1] === undefined) throw new Error(`No data for required key '${args[i]}'`);
      given[args[i]!.slice(2)] = args[i + 1]!;
    }
    const number = (key: string) => (given[key] === undefined ? {} : { [key]: Number(given[key]) });
    const named: BpArguments = { name: given['name'] ?? 'bp', ...number('rate'), ...number('us'), ...number('iv'), ...number('fail'), p: Number(given['p'] ?? (parallelism > 1 ? parallelism : 2)) };
    return bpJob({ ...named, ...(given['mode'] === 'AT_LEAST_ONCE' ? { mode: 'AT_LEAST_ONCE' } : {}) });
  },
};
