import type { SimulationModel } from '../simulation/model/simulation-model.js';
import type { JobModel } from '../simulation/model/job-model.js';
import { slotsNeeded } from './check-graph.js';
import type { Path } from './scenario-error.js';

interface Step {
  readonly atMs: number;
  readonly path: Path;
  /** Change of the slots there are, or a job that comes or goes. */
  readonly slots?: number;
  readonly submitted?: JobModel;
  readonly cancelled?: string;
}

/** Goes through submissions, cancellations and new task managers in order of time; reports each job that finds too few slots. */
export function checkSlots(model: SimulationModel, jobPaths: readonly Path[], eventPaths: readonly Path[], report: (path: Path, message: string) => void): void {
  const perTaskManager = model.cluster.taskManagers.at(-1)?.slots ?? 0;
  const steps: Step[] = [
    ...model.jobs.map(({ atMs, job }, index): Step => ({ atMs, path: jobPaths[index]!, submitted: job })),
    ...model.events.flatMap((event, index): Step[] => {
      const step = { atMs: event.atMs, path: eventPaths[index]! };
      if (event.kind === 'submit-job') return [{ ...step, submitted: event.job }];
      if (event.kind === 'cancel-job') return [{ ...step, cancelled: event.job }];
      if (event.kind === 'trigger-savepoint' && event.cancelJob) return [{ ...step, cancelled: event.job }];
      return event.kind === 'add-task-managers' ? [{ ...step, slots: event.count * perTaskManager }] : [];
    }),
  ].sort((a, b) => a.atMs - b.atMs);
  let slots = model.cluster.taskManagers.reduce((sum, taskManager) => sum + taskManager.slots, 0);
  const running: { readonly job: JobModel; readonly needs: number }[] = [];
  for (const step of steps) {
    slots += step.slots ?? 0;
    if (step.cancelled !== undefined) {
      const index = running.findIndex(({ job }) => job.jobId === step.cancelled || job.name === step.cancelled);
      if (index >= 0) running.splice(index, 1);
    }
    // A bounded job frees its slots at a time that only the simulation knows.
    if (step.submitted && step.submitted.jobType === 'STREAMING') {
      const needs = slotsNeeded(step.submitted);
      const taken = running.reduce((sum, one) => sum + one.needs, 0);
      if (needs + taken > slots) {
        const others = taken > 0 ? ` beside the ${taken} that other jobs take` : '';
        report(step.path, `job ${JSON.stringify(step.submitted.name)} needs ${needs} slots${others}, the cluster has ${slots}; add task managers or slots, lower its parallelism, or set \`cluster.allowTooFewSlots: true\``);
      }
      running.push({ job: step.submitted, needs });
    }
  }
}
