import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder of scenarios: beside dist/ as beside src/. */
const FOLDER = fileURLToPath(new URL('../../scenarios/', import.meta.url));

export const DEFAULT_SCENARIO = 'incident-2020-04-09';

/** Names of the scenarios that ship, the default first. */
export function shippedScenarioNames(): string[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
  return [...names.filter((name) => name === DEFAULT_SCENARIO), ...names.filter((name) => name !== DEFAULT_SCENARIO)];
}

export function shippedScenarioFile(name: string): string | null {
  return shippedScenarioNames().includes(name) ? path.join(FOLDER, `${name}.yaml`) : null;
}
