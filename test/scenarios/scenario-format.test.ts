import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../src/scenario/json-schema.js';
import { loadScenario, parseScenario } from '../../src/scenario/load-scenario.js';
import { operatorId } from '../../src/scenario/operator-id.js';
import { shippedScenarioNames } from '../../src/scenario/shipped-scenarios.js';
import { parseDurationMs, parseRatePerSecond, parseSizeBytes } from '../../src/scenario/units.js';
import { FLINK_VERSIONS } from '../../src/versions/flink-versions.js';

describe('what people write', () => {
  it.each([
    ['5 min', 300_000],
    ['100 ms', 100],
    ['1h', 3_600_000],
    ['5h20m', 19_200_000],
    ['0.1 s', 100],
    ['250 us', 0.25],
    ['1 d', 86_400_000],
    ['0', 0],
    ['5', null],
    ['five min', null],
    ['-1 s', null],
  ])('duration %s', (text, ms) => expect(parseDurationMs(text)).toBe(ms));

  it.each([
    ['2 KiB', 2048],
    ['64 MiB', 67_108_864],
    ['1 GB', 1e9],
    ['512', 512],
    ['900m', 943_718_400],
    ['2 potatoes', null],
  ])('size %s', (text, bytes) => expect(parseSizeBytes(text)).toBe(bytes));

  it.each([
    ['50/s', 50],
    ['3000/min', 50],
    ['180000/h', 50],
    ['50', 50],
    ['50/fortnight', null],
  ])('rate %s', (text, rate) => expect(parseRatePerSecond(text)).toBe(rate));

  it('instants: a time of day, a time since the start, ISO', () => {
    const at = (instant: string): number =>
      parseScenario(`start: 2020-04-09T07:00:00+08:00\nopenAt: ${instant}\n`, 'a.yaml').openAtMs;
    expect([at('08:13'), at('73 min'), at('2020-04-09T00:13:00Z')]).toEqual([4_380_000, 4_380_000, 4_380_000]);
    expect(at('07:00:01.5')).toBe(1_500);
  });

  it('a version and options are text, however they look', () => {
    const { model } = parseScenario('flink: 1.10\noptions: { a: true, b: 2.50, c: 0x10, d: 2 s }\n', 'a.yaml');
    expect(model.flinkVersion).toBe('1.10.3');
    expect(model.options).toEqual({ a: 'true', b: '2.50', c: '0x10', d: '2 s' });
  });

  it('options of some versions only', () => {
    const text = 'optionsFor: [{ flink: "< 1.10", options: { old: 1 } }, { flink: ">= 2.0", options: { new: 1 } }]';
    const of = (flinkVersion: string): object => parseScenario(text, 'a.yaml', { flinkVersion }).model.options;
    expect([of('1.9.3'), of('1.10.3'), of('2.3.0')]).toEqual([{ old: '1' }, {}, { new: '1' }]);
  });
});

describe('a loaded scenario', () => {
  it('is frozen all the way down', () => {
    const { model } = loadScenario('healthy');
    expect(Object.isFrozen(model) && Object.isFrozen(model.jobs[0]!.job.vertices[0]!.operators[0])).toBe(true);
    expect(() => ((model as { seed: number }).seed = 2)).toThrow(TypeError);
  });

  it('has ids that Flink would make of the uids', () => {
    expect(operatorId('src')).toBe('f362c87ffabe89c8a91fa7d0a523ba6c');
    const ids = loadScenario('healthy').model.jobs[0]!.job.vertices.map((vertex) => vertex.id);
    expect(ids).toEqual([operatorId('page-views'), operatorId('windows')]);
  });

  it('puts vertices in topological order, sources first', () => {
    const operator = (name: string, more = ''): string => `{ operators: [{ name: ${name}${more} }] }`;
    const { model } = parseScenario(
      `jobs: [{ name: j, vertices: [${operator('Z', ', sink: {}')}, ${operator('M')}, ${operator('A', ', source: { rate: 1/s }')}], edges: [{ from: M, to: Z, ship: FORWARD }, { from: A, to: M, ship: HASH }] }]`,
      'a.yaml',
    );
    expect(model.jobs[0]!.job.vertices.map((vertex) => vertex.name)).toEqual(['A', 'M', 'Z']);
  });

  it('gives maxParallelism as Flink does when it is left out', () => {
    const max = (parallelism: number): number =>
      parseScenario(`cluster: { taskManagers: { count: 1, slots: 500 } }\njobs: [{ name: j, parallelism: ${parallelism}, vertices: [{ operators: [{ name: A, source: { rate: 1/s } }] }] }]`, 'a.yaml').model.jobs[0]!.job.vertices[0]!.maxParallelism;
    expect([max(2), max(85), max(86), max(171)]).toEqual([128, 128, 256, 256]);
  });
});

describe('the shipped scenarios', () => {
  it.each(shippedScenarioNames())('%s is valid for every version and says what to look at', (name) => {
    for (const flinkVersion of FLINK_VERSIONS) {
      const { model, title, description } = loadScenario(name, { flinkVersion });
      expect(model.flinkVersion).toBe(flinkVersion);
      expect(title.length).toBeGreaterThan(10);
      expect(description).toMatch(/[Ll]ook/);
    }
  });
});

describe('the examples in docs/scenario-format.md', () => {
  const text = readFileSync(new URL('../../docs/scenario-format.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/```yaml\n([^]*?)```/g)].map((match) => match[1]!);

  it.each(examples.map((example, index) => [index + 1, example] as const))('number %i is a valid scenario', (_, example) => {
    expect(() => parseScenario(example, 'example.yaml')).not.toThrow();
  });
});

describe('the JSON Schema for editors', () => {
  it('is fresh (npm run schema writes it)', () => {
    expect(readFileSync(new URL('../../scenarios/schema.json', import.meta.url), 'utf8')).toBe(scenarioJsonSchema());
  });
});

describe('the jar templates of the recorded script', () => {
  const { jarTemplates } = loadScenario('recorded-script');
  const bp = jarTemplates.find((template) => template.entryClass === 'Bp')!;
  const phys = jarTemplates.find((template) => template.entryClass === 'Phys')!;

  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('Bp has the vertices that were recorded with %s', (version) => {
    const file = new URL(`../golden/${version}.json.gz`, import.meta.url);
    const { records } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { records: { name: string; json?: { plan?: { nodes: { id: string; description: string; parallelism: number; inputs?: { id: string; ship_strategy: string }[] }[] } } }[] };
    const nodes = records.find((record) => record.name === 'jar plan')!.json!.plan!.nodes;
    const job = bp.createJob([], 1);
    expect(
      job.vertices.map((vertex) => ({
        id: vertex.id,
        name: vertex.name,
        parallelism: vertex.parallelism,
        inputs: job.edges.filter((edge) => edge.targetVertexId === vertex.id).map((edge) => [edge.sourceVertexId, edge.shipStrategy]),
      })),
    ).toEqual(
      nodes.toReversed().map((node) => ({
        id: node.id,
        name: node.description.replace('<br/>', ''),
        parallelism: node.parallelism,
        inputs: (node.inputs ?? []).map((input) => [input.id, input.ship_strategy]),
      })),
    );
  });

  it('Bp takes all its arguments', () => {
    const job = bp.createJob(['--name', 'B', '--rate', '100', '--us', '500', '--p', '2', '--mode', 'AT_LEAST_ONCE', '--iv', '4000', '--timeout', '2000', '--fail', '800'], 1);
    expect(job.name).toBe('B');
    expect(job.parallelism).toBe(2);
    expect(job.vertices[0]!.operators[0]!.source).toMatchObject({ kind: 'generator', rateSteps: [{ recordsPerSecond: 200 }] });
    expect(job.checkpointing).toMatchObject({ mode: 'AT_LEAST_ONCE', intervalMs: 4_000, timeoutMs: 2_000, retention: 'RETAIN_ON_CANCELLATION' });
    expect(job.vertices[2]!.operators[0]!.failure).toEqual({ afterRecords: 800, exceptionClass: 'java.lang.RuntimeException', message: 'synthetic failure' });
    expect(bp.createJob(['--iv', '0'], 1).checkpointing).toBeNull();
  });

  it('Phys takes all its arguments', () => {
    const args = { name: 'P', plan: '600:40,1600:40,600:200', us: '1,1000,2', p: '2,2,4,4', bytes: 100, hot: 0.6, mode: 'AT_LEAST_ONCE', iv: 7_000, timeout: 9_000, unaligned: 0, bt: 50, state: 10 };
    const job = phys.createJob(Object.entries(args).flatMap(([key, value]) => [`--${key}`, String(value)]), 1);
    expect(job).toMatchObject({ name: 'P', bufferTimeoutMs: 50, checkpointing: { mode: 'AT_LEAST_ONCE', intervalMs: 7_000, timeoutMs: 9_000, unaligned: true, alignedTimeoutMs: 0, tolerableFailures: 1_000 } });
    expect(job.vertices.map((vertex) => vertex.parallelism)).toEqual([2, 2, 4, 4]);
    expect(job.vertices.map((vertex) => vertex.operators[0]!.serviceTimeUs)).toEqual([0, 1, 1_000, 2]);
    expect(job.vertices[0]!.operators[0]).toMatchObject({
      outputRecordBytes: 100,
      source: { rateSteps: [{ afterMs: 0, recordsPerSecond: 600 }, { afterMs: 40_000, recordsPerSecond: 1_600 }, { afterMs: 80_000, recordsPerSecond: 600 }] },
    });
    expect(job.vertices[2]!.operators[0]!.state!.initialBytes).toBe(40);
    expect(job.edges[1]!.skew).toEqual({ kind: 'hot-keys', hotKeys: [{ key: '0', share: 0.6 }] });
    expect(phys.createJob([], 1).checkpointing!.unaligned).toBe(false);
  });

  it('an argument that is no number is refused by name', () => {
    expect(() => bp.createJob(['--rate', 'fast'], 1)).toThrow('found "fast"; allowed: a whole number');
  });
});
