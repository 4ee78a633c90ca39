import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildScenario, type ScenarioOverrides } from './build-scenario.js';
import { problemsOf } from './issues.js';
import { nearestName } from './nearest-name.js';
import type { Scenario } from './scenario.js';
import { ScenarioError, type Path } from './scenario-error.js';
import { scenarioSchema } from './schema/scenario-schema.js';
import { shippedScenarioFile, shippedScenarioNames } from './shipped-scenarios.js';
import { parseYaml, readTextFile } from './yaml-source.js';

/** Values that are text however they look: `1.10` is not the number 1.1, `true` is an option's text. */
function isTextPath(at: Path): boolean {
  return at[0] === 'flink' || at.includes('options') || at.includes('userConfig') || at.at(-2) === 'arguments' || (at[0] === 'optionsFor' && at.at(-1) === 'flink');
}

/** Reads a scenario from YAML text; `file` is what messages call it. Throws a ScenarioError. */
export function parseScenario(text: string, file: string, overrides: ScenarioOverrides = {}): Scenario {
  const source = parseYaml(text, file, isTextPath);
  const parsed = scenarioSchema.safeParse(source.value, { reportInput: true });
  if (!parsed.success) throw new ScenarioError(problemsOf(parsed.error.issues, scenarioSchema, source));
  return buildScenario(path.basename(file).replace(/\.ya?ml$/i, ''), parsed.data, source, overrides);
}

/** File of a scenario given by name (one that ships) or by path. */
export function resolveScenarioFile(nameOrFile: string): string {
  const shipped = shippedScenarioFile(nameOrFile);
  if (shipped !== null) return shipped;
  if (/[/\\]|\.ya?ml$/i.test(nameOrFile) || existsSync(nameOrFile)) return nameOrFile;
  const names = shippedScenarioNames();
  const near = nearestName(nameOrFile, names);
  throw new ScenarioError([
    { file: nameOrFile, line: null, column: null, path: '', message: `there is no scenario of this name and no such file; ${near ? `did you mean \`${near}\`? ` : ''}shipped: ${names.join(', ')}` },
  ]);
}

/** Loads a scenario by the name of one that ships or by the path of a YAML file. Throws a ScenarioError that lists all that is wrong. */
export function loadScenario(nameOrFile: string, overrides: ScenarioOverrides = {}): Scenario {
  const file = resolveScenarioFile(nameOrFile);
  return parseScenario(readTextFile(file), path.isAbsolute(nameOrFile) || file !== nameOrFile ? file : nameOrFile, overrides);
}
