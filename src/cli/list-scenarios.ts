import { loadScenario } from '../scenario/load-scenario.js';
import { DEFAULT_SCENARIO, shippedScenarioNames } from '../scenario/shipped-scenarios.js';

/** One line for each scenario that ships. */
export function listScenarios(): string {
  const names = shippedScenarioNames();
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${loadScenario(name).title}${name === DEFAULT_SCENARIO ? ' (default)' : ''}\n`).join('');
}
