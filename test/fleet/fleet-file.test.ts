import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fleetJsonSchema, MAX_CLUSTERS } from '../../src/fleet/fleet-schema.js';
import { loadFleet, parseFleet } from '../../src/fleet/load-fleet.js';
import { ScenarioError } from '../../src/scenario/scenario-error.js';
import { FLEET_FILE, TWO_JOBS } from './a-fleet.js';

function problems(yaml: string): string[] {
  try {
    parseFleet(yaml, FLEET_FILE);
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
    throw error;
  }
  return [];
}

describe('a fleet file', () => {
  it('makes of a template as many clusters as it says, numbered from 1', () => {
    const { clusters } = parseFleet("clusters:\n  - { name: 'team-{n}', count: 3, seed: 7 }\n  - { name: other }\n", FLEET_FILE);
    expect(clusters.map(({ name }) => name)).toEqual(['team-1', 'team-2', 'team-3', 'other']);
    expect(clusters.slice(0, 3).map(({ seed }) => seed)).toEqual([7, 8, 9]);
  });

  it('gives clusters without a seed one that hangs on their name alone', () => {
    const one = parseFleet("clusters: [{ name: 'a-{n}', count: 2 }, { name: b }]", FLEET_FILE).clusters;
    const other = parseFleet("clusters: [{ name: b }, { name: new }, { name: 'a-{n}', count: 1 }]", FLEET_FILE).clusters;
    const seeds = new Map(one.map(({ name, seed }) => [name, seed]));
    expect(new Set(seeds.values()).size).toBe(3);
    for (const { name, seed } of other) if (seeds.has(name)) expect(seed).toBe(seeds.get(name));
  });

  it('takes what an entry does not say from the defaults', () => {
    const { clusters } = parseFleet('defaults: { scenario: hot-key, flinkVersion: 1.10, speed: 2, control: false, openAt: 30 s, options: { a.b: 1, c: x } }\nclusters: [{ name: a }, { name: b, scenario: healthy, flinkVersion: 2.0, options: { c: 1.10 }, speed: 5, control: true, openAt: 1 min }]', FLEET_FILE);
    expect(clusters[0]).toMatchObject({ scenario: 'hot-key', flinkVersion: '1.10.3', speed: 2, control: false, openAtMs: 30_000, options: { 'a.b': '1', c: 'x' } });
    expect(clusters[1]).toMatchObject({ scenario: 'healthy', flinkVersion: expect.stringMatching(/^2\.0\./) as string, speed: 5, control: true, openAtMs: 60_000, options: { 'a.b': '1', c: '1.10' } });
  });

  it('looks for scenarios beside itself', () => {
    expect(parseFleet('clusters: [{ name: a, scenario: ./two-jobs.yaml }]', FLEET_FILE).clusters[0]!.scenario).toBe(TWO_JOBS);
    expect(loadFleet(FLEET_FILE).clusters).toHaveLength(1_001);
  });

  it('loads a scenario once for all clusters of a kind, and shares what is frozen', () => {
    const { clusters, scenarios } = parseFleet("clusters: [{ name: 'a-{n}', count: 2 }, { name: b, flinkVersion: 1.13 }]", FLEET_FILE);
    const [first, second, third] = clusters.map((definition) => scenarios.inputOf(definition, 1e12, 8081).model);
    expect(second!.jobs).toBe(first!.jobs);
    expect(second!.cluster).toBe(first!.cluster);
    expect(second!.seed).not.toBe(first!.seed);
    expect(third!.flinkVersion).toMatch(/^1\.13/);
  });

  it.each([
    ['clusters: [{ name: Team }]', /^1 clusters\[0\]\.name: found "Team"; allowed: lower-case letters/],
    ['clusters: [{ name: team- }]', /^1 clusters\[0\]\.name: found "team-"; allowed: lower-case/],
    ['clusters:\n  - { name: team, count: 2 }', /^2 clusters\[0\]\.name: found "team" for 2 clusters; allowed: a name with `\{n\}`, such as `team-\{n\}`/],
    ["clusters:\n  - { name: 'team-{n}' }", /^2 clusters\[0\]\.name: found "team-\{n\}" without a `count`/],
    ["clusters: [{ name: 'a-{n}-{n}', count: 2 }]", /^1 clusters\[0\]\.name: /],
    [`clusters: [{ name: ${'a'.repeat(64)} }]`, /^1 clusters\[0\]\.name: .*at most 63/],
    ['clusters:\n  - { name: a }\n  - { name: a }', /^3 clusters\[1\]\.name: found the cluster "a" a second time/],
    ["clusters:\n  - { name: 'a-{n}', count: 3 }\n  - { name: a-2 }", /^3 clusters\[1\]\.name: found the cluster "a-2" a second time/],
    ['clusters:\n  - { name: a, scenaro: healthy }', /^2 clusters\[0\]\.scenaro: unknown key; did you mean `scenario`\? allowed: name, count/],
    ['clusters:\n  - { name: a, scenario: helthy }', /^2 clusters\[0\]\.scenario: helthy: there is no scenario of this name and no such file; did you mean `healthy`\?/],
    ['clusters:\n  - { name: a, scenario: ./none.yaml }', /^2 clusters\[0\]\.scenario: .*none\.yaml: there is no such file/],
    ['clusters:\n  - { name: a, flinkVersion: 1.99 }', /^2 clusters\[0\]\.flinkVersion: found "1\.99"; allowed: a Flink version: 1\.9/],
    ['clusters:\n  - { name: a, speed: 0 }', /^2 clusters\[0\]\.speed: found 0; allowed: at least 0\.001/],
    ['clusters:\n  - { name: a, openAt: soon }', /^2 clusters\[0\]\.openAt: found "soon"; allowed: a duration/],
    [`clusters:\n  - { name: 'a-{n}', count: ${MAX_CLUSTERS + 1} }`, /^2 clusters\[0\]\.count: found 20001; allowed: at most 20000/],
    ['clusters:\n  - name: a\n    options:\n      parallelism.default: many', /^4 clusters\[0\]\.options\."parallelism\.default": found "many"; allowed: a whole number/],
    ['defaults:\n  options: { parallelism.default: many }\nclusters: [{ name: a }]', /^2 defaults\.options\."parallelism\.default": found "many"/],
    ["clusters:\n  - { name: 'a-{n}', count: 15000 }\n  - { name: 'b-{n}', count: 15000 }", /^\d clusters: found 30000 clusters in all; allowed: at most 20000/],
    ['routing: { path: clusters }\nclusters: []', /^1 routing\.path: found "clusters"; allowed: a path that begins with `\/`/],
    ['routing: { path: /_fleet/x }\nclusters: []', /^1 routing\.path: found "\/_fleet\/x"; allowed: a path other than/],
    ['routing: { path: null }\nclusters: []', /^1 routing: found neither path nor host/],
    ['routing: { host: "flink local" }\nclusters: []', /^1 routing\.host: found "flink local"; allowed: a domain/],
    ['{}', /^1 clusters: is missing; add it: a list/],
  ])('says what is wrong and what is allowed: %s', (yaml, message) => {
    expect(problems(yaml).join('\n')).toMatch(message);
  });

  it('tells all that is wrong at once, in the order of the file', () => {
    expect(problems('clusters:\n  - { name: a, scenario: nope }\n  - { name: B }\n  - { name: c-, count: 1 }')).toHaveLength(1);
    expect(problems('clusters:\n  - { name: a, scenario: nope }\n  - { name: c-, count: 1 }\n  - { name: a }')).toHaveLength(3);
  });

  it('has a JSON Schema that is fresh (npm run schema writes it)', () => {
    expect(readFileSync(new URL('../../scenarios/fleet.schema.json', import.meta.url), 'utf8')).toBe(fleetJsonSchema());
  });
});
