import { loadScenario } from '../scenario/load-scenario.js';
import { ScenarioError } from '../scenario/scenario-error.js';

/** Checks each file; what is wrong goes to stderr. The exit code: 0, or 2 when any is wrong. */
export function validate(files: readonly string[], out: (line: string) => void, err: (line: string) => void): number {
  let exitCode = 0;
  for (const file of files) {
    try {
      const { model, jarTemplates } = loadScenario(file);
      const slots = model.cluster.taskManagers.reduce((sum, taskManager) => sum + taskManager.slots, 0);
      out(`${file}: ok (Flink ${model.flinkVersion}, ${model.cluster.taskManagers.length} task managers, ${slots} slots, ${model.jobs.length} jobs, ${model.events.length} events, ${jarTemplates.length} jar templates)`);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      err(error.message);
      exitCode = 2;
    }
  }
  return exitCode;
}
