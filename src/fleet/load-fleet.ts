import path from 'node:path';
import { problemsOf } from '../scenario/issues.js';
import { ScenarioError, type Path, type Problem } from '../scenario/scenario-error.js';
import { shippedScenarioFile } from '../scenario/shipped-scenarios.js';
import { parseYaml, readTextFile, type YamlSource } from '../scenario/yaml-source.js';
import { definitionsOf, entryProblems, type ClusterDefinition } from './cluster-definition.js';
import { fleetSchema, MAX_CLUSTERS, type ClusterEntry, type FleetDefaults, type Routing } from './fleet-schema.js';
import { ScenarioShelf } from './scenario-shelf.js';

/** A fleet file, read and checked, with the scenarios that it names. */
export interface FleetDefinition {
  readonly routing: Routing;
  readonly defaults: FleetDefaults;
  readonly clusters: readonly ClusterDefinition[];
  readonly scenarios: ScenarioShelf;
  /** Makes of a scenario's name in the file what `scenarios` knows it by. */
  readonly findScenario: (name: string) => string;
}

function isTextPath(at: Path): boolean {
  return at.at(-1) === 'flinkVersion' || at.includes('options');
}

/** Files are looked for beside the fleet's own. */
function beside(folder: string): (name: string) => string {
  return (name) => (shippedScenarioFile(name) !== null || path.isAbsolute(name) || !/[/\\]|\.ya?ml$/i.test(name) ? name : path.join(folder, name));
}

/** A problem with an entry's scenario: one that the scenario's file shows is told there, any other where the fleet's file caused it. */
function placed(problem: Problem, entry: ClusterEntry, at: Path, source: YamlSource): Problem {
  if (problem.line !== null || problem.path !== '') return problem;
  const option = /^Flink option (.+)$/.exec(problem.file)?.[1];
  if (option === undefined) return source.problemAt(entry.scenario === undefined ? at : [...at, 'scenario'], `${problem.file}: ${problem.message}`);
  return source.problemAt(entry.options?.[option] === undefined ? ['defaults', 'options', option] : [...at, 'options', option], problem.message);
}

/** Reads a fleet from YAML text; `file` is what messages call it, and beside it scenarios are looked for. Throws a ScenarioError. */
export function parseFleet(text: string, file: string): FleetDefinition {
  const source = parseYaml(text, file, isTextPath);
  const parsed = fleetSchema.safeParse(source.value, { reportInput: true });
  if (!parsed.success) throw new ScenarioError(problemsOf(parsed.error.issues, fleetSchema, source));
  const { routing, defaults, clusters: entries } = parsed.data;
  const findScenario = beside(path.dirname(file));
  const scenarios = new ScenarioShelf();
  const problems: Problem[] = [];
  const definitions = new Map<string, ClusterDefinition>();
  if (routing.path === null && routing.host === null) problems.push(source.problemAt(['routing'], 'found neither path nor host; allowed: one of them at least, or nobody reaches a cluster'));
  const total = entries.reduce((sum, { count = 1 }) => sum + count, 0);
  if (total > MAX_CLUSTERS) throw new ScenarioError([source.problemAt(['clusters'], `found ${total} clusters in all; allowed: at most ${MAX_CLUSTERS}`)]);
  entries.forEach((entry, index) => {
    const at: Path = ['clusters', index];
    const wrong = entryProblems(entry);
    problems.push(...wrong.map(({ key, message }) => source.problemAt([...at, key], message)));
    if (wrong.length > 0) return;
    const all = definitionsOf(entry, defaults, findScenario);
    try {
      scenarios.of(all[0]!);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      problems.push(...error.problems.map((problem) => placed(problem, entry, at, source)));
    }
    const twice = all.find(({ name }) => definitions.has(name));
    if (twice) problems.push(source.problemAt([...at, 'name'], `found the cluster ${JSON.stringify(twice.name)} a second time; give each its own name`));
    for (const definition of all) definitions.set(definition.name, definition);
  });
  if (problems.length > 0) throw new ScenarioError(problems);
  return { routing, defaults, clusters: [...definitions.values()], scenarios, findScenario };
}

/** Loads a fleet's file and the scenarios that it names. Throws a ScenarioError that lists all that is wrong. */
export function loadFleet(file: string): FleetDefinition {
  return parseFleet(readTextFile(file), file);
}
