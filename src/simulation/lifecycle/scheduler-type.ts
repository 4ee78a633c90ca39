import type { JobModel } from '../model/job-model.js';
import { findOption } from '../options.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { isReactive } from './adaptive.js';

/** What runs a job: what jobmanager.scheduler asks for, as far as the version has it for that kind of job. */
export function schedulerTypeOf(state: SimulationState, model: JobModel): JobState['schedulerType'] {
  const asked = (model.options['jobmanager.scheduler'] ?? findOption(state.options, 'jobmanager.scheduler'))?.toLowerCase().replace(/[-_]/g, '');
  if (model.jobType === 'STREAMING') return asked === 'adaptive' || isReactive(state) ? 'Adaptive' : 'Default';
  const { adaptiveBatchScheduler } = lifecycleOf(state);
  if (adaptiveBatchScheduler === 'absent') return 'Default';
  if (adaptiveBatchScheduler === 'on request') return asked === 'adaptivebatch' ? 'AdaptiveBatch' : 'Default';
  return asked === 'default' || asked === 'ng' ? 'Default' : 'AdaptiveBatch';
}
