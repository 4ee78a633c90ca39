import { hash32 } from '../simulation/random.js';
import { CLUSTER_NAME, type ClusterEntry, type FleetDefaults } from './fleet-schema.js';

/** One cluster, as it was asked for: all of a template's numbers filled in. Plain. */
export interface ClusterDefinition {
  readonly name: string;
  /** Name of a scenario that ships, or a file. */
  readonly scenario: string;
  /** null = the scenario's. */
  readonly flinkVersion: string | null;
  readonly seed: number;
  readonly options: Readonly<Record<string, string>>;
  /** null = the scenario's. */
  readonly openAtMs: number | null;
  readonly speed: number;
  readonly control: boolean;
}

const PLACE = '{n}';

/** What is wrong with an entry beyond its schema, by key; empty = nothing. */
export function entryProblems({ name, count }: ClusterEntry): { readonly key: 'name' | 'count'; readonly message: string }[] {
  const found = `found ${JSON.stringify(name)}`;
  if (count !== undefined && !name.includes(PLACE)) return [{ key: 'name', message: `${found} for ${count} clusters; allowed: a name with \`${PLACE}\`, such as \`${name}-${PLACE}\`` }];
  if (count === undefined && name.includes(PLACE)) return [{ key: 'name', message: `${found} without a \`count\`; add it, or give the name of one cluster` }];
  const longest = name.replace(PLACE, String(count ?? ''));
  return CLUSTER_NAME.test(longest) ? [] : [{ key: 'name', message: `${count === undefined ? found : `found ${JSON.stringify(longest)}`}; allowed: lower-case letters, digits and \`-\` between them, at most 63 characters` }];
}

/** The clusters of an entry. `findScenario` makes of a name in it what scenarios are loaded by. */
export function definitionsOf(entry: ClusterEntry, defaults: FleetDefaults, findScenario: (name: string) => string): ClusterDefinition[] {
  const scenario = findScenario(entry.scenario ?? defaults.scenario);
  const options = entry.options === undefined ? defaults.options : { ...defaults.options, ...entry.options };
  return Array.from({ length: entry.count ?? 1 }, (_, index) => {
    const name = entry.name.replace(PLACE, String(index + 1));
    return {
      name,
      scenario,
      flinkVersion: entry.flinkVersion ?? defaults.flinkVersion ?? null,
      seed: entry.seed === undefined ? hash32(0, 'fleet', name) : (entry.seed + index) % 4_294_967_296,
      options,
      openAtMs: entry.openAt ?? defaults.openAt ?? null,
      speed: entry.speed ?? defaults.speed,
      control: entry.control ?? defaults.control,
    };
  });
}
