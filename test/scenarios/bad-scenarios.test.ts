import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenario, parseScenario } from '../../src/scenario/load-scenario.js';
import { ScenarioError } from '../../src/scenario/scenario-error.js';

/** All messages for a text, as the user sees them. */
function messages(text: string): string[] {
  try {
    parseScenario(text, 'bad.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const GOOD = `
cluster: { taskManagers: { count: 2, slots: 2 } }
kafka:
  topics:
    - { name: orders, partitions: 2, rate: 50/s }
jobs:
  - name: shop
    parallelism: 2
    checkpointing: { interval: 10 s }
    vertices:
      - operators:
          - { name: Read, source: { topic: orders, group: g } }
      - operators:
          - { name: Count, serviceTime: 2 ms }
      - operators:
          - { name: Write, sink: {} }
    edges:
      - { from: Read, to: Count, ship: HASH }
      - { from: Count, to: Write, ship: FORWARD }
timeline:
  - { at: 10 min, setTopicRate: { topic: orders, rate: 500/s } }
  - { at: 20 min, setServiceTime: { operator: Count, serviceTime: 4 ms } }
`;

const change = (from: string, to: string): string => {
  expect(GOOD).toContain(from);
  return GOOD.replace(from, to);
};

describe('a scenario file that is wrong', () => {
  it('is fine before it is spoilt', () => {
    expect(messages(GOOD)).toEqual([]);
  });

  it.each([
    ['wrong type', change('parallelism: 2', 'parallelism: two'), 'bad.yaml:8:18: jobs[0].parallelism: found "two"; allowed: a whole number'],
    ['a map where a list is due', change('jobs:\n  - name: shop', 'jobs:\n  name: shop').split('    parallelism')[0]!, 'bad.yaml:7:3: jobs: found a map (name); allowed: a list'],
    ['unknown key', change('parallelism: 2', 'paralelism: 2'), 'bad.yaml:8:5: jobs[0].paralelism: unknown key; did you mean `parallelism`? allowed: '],
    ['unknown key at the top', `${GOOD}timelines: []\n`, 'bad.yaml:23:1: timelines: unknown key; did you mean `timeline`? allowed: title, '],
    ['unknown ship strategy', change('ship: HASH', 'ship: HASHED'), 'bad.yaml:18:40: jobs[0].edges[0].ship: found "HASHED"; allowed: FORWARD, REBALANCE, RESCALE, HASH, BROADCAST, GLOBAL, SHUFFLE, CUSTOM; did you mean `HASH`?'],
    ['missing key', change('name: orders, ', ''), 'bad.yaml:5:7: kafka.topics[0].name: is missing; add it: text'],
    ['cycle', change('      - { from: Count, to: Write, ship: FORWARD }', '      - { from: Count, to: Write, ship: FORWARD }\n      - { from: Write, to: Count, ship: HASH }'), 'bad.yaml:20:9: jobs[0].edges[2]: found a cycle: Count → Write → Count; a job graph has none, remove one of these edges'],
    ['edge to an unknown vertex', change('to: Count', 'to: Cuont'), 'bad.yaml:18:27: jobs[0].edges[0].to: found "Cuont", which is no vertex of this job; did you mean `Count`?'],
    ['parallelism 0', change('parallelism: 2', 'parallelism: 0'), 'bad.yaml:8:18: jobs[0].parallelism: found 0; allowed: at least 1'],
    ['parallelism above maxParallelism', change('parallelism: 2', 'parallelism: 2\n    maxParallelism: 1'), 'found parallelism 2; allowed: at most maxParallelism, 1'],
    ['FORWARD with unequal parallelism', change('      - operators:\n          - { name: Write', '      - parallelism: 1\n        operators:\n          - { name: Write'), 'found FORWARD between parallelism 2 (Count) and 1 (Write); allowed: equal parallelism; use REBALANCE or RESCALE'],
    ['too few slots', change('count: 2, slots: 2', 'count: 1, slots: 1'), 'bad.yaml:7:5: jobs[0]: job "shop" needs 2 slots, the cluster has 1; add task managers or slots, lower its parallelism'],
    ['time going back', change('at: 20 min', 'at: 5 min'), 'bad.yaml:22:11: timeline[1].at: lies before the event above it: time does not go back'],
    ['an instant before the start', change('at: 10 min', 'at: 2023-12-31T23:59:59Z'), 'bad.yaml:21:11: timeline[0].at: lies 1 s before the start of the scenario'],
    ['two vertices of one name', change('name: Count, serviceTime', 'name: Read, serviceTime'), 'found the operator name "Read" a second time'],
    ['two topics of one name', change('    - { name: orders, partitions: 2, rate: 50/s }', '    - { name: orders }\n    - { name: orders }'), 'bad.yaml:6:15: kafka.topics[1].name: found the topic "orders" a second time'],
    ['two jobs of one id', `${GOOD}`.replace('  - name: shop', `  - template: { entryClass: T }\n  - name: shop\n    id: ${'a'.repeat(32)}`) + `jars: [{ entryClass: T, job: { name: other, id: ${'a'.repeat(32)}, vertices: [{ operators: [{ name: Only, source: { rate: 1/s } }] }] } }]\n`, `found the job id ${'a'.repeat(32)} a second time`],
    ['unknown topic', change('topic: orders, group', 'topic: order, group'), 'bad.yaml:12:44: jobs[0].vertices[0].operators[0].source.topic: found "order", which is no topic under `kafka.topics`; did you mean `orders`?'],
    ['unknown operator in the timeline', change('operator: Count', 'operator: Cont'), 'timeline[1].setServiceTime.operator: found "Cont", which is no operator of "shop"; did you mean `Count`?'],
    ['an event without an action', change('setServiceTime: { operator: Count, serviceTime: 4 ms }', ''), 'bad.yaml:22:5: timeline[1]: has no action; add one of setTopicRate'],
    ['a duration without a unit', change('interval: 10 s', 'interval: 10'), 'bad.yaml:9:32: jobs[0].checkpointing.interval: found 10; allowed: a duration with a unit: `100 ms`'],
    ['a duration of an unknown unit', change('serviceTime: 2 ms', 'serviceTime: 2 fortnights'), 'found "2 fortnights"; allowed: a duration with a unit'],
    ['a rate that is none', change('rate: 50/s', 'rate: often'), 'found "often"; allowed: a rate: `50/s`'],
    ['a vertex without input', change('      - { from: Read, to: Count, ship: HASH }\n', ''), 'jobs[0].vertices[1]: Count has no input; add an edge to it, or a `source`'],
    ['an unknown Flink version', `flink: 1.8\n${GOOD}`, 'bad.yaml:1:8: flink: found "1.8"; allowed: a Flink version: 1.9, 1.10, '],
    ['a key given twice', change('parallelism: 2', 'parallelism: 2\n    parallelism: 3'), 'bad.yaml:9:5: jobs[0].parallelism: is given twice'],
    ['several documents', `${GOOD}---\n${GOOD}`, 'bad.yaml: holds several documents (`---`); give one'],
    ['deep nesting', `${GOOD}options: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, 'bad.yaml: is nested too deeply'],
    ['a number beyond all limits', `seed: 99999999999999999999\n${GOOD}`, 'bad.yaml:1:7: seed: found 100000000000000000000; allowed: at most 4294967295'],
    ['a duration beyond all time', change('serviceTime: 2 ms', 'serviceTime: 9999999 d'), 'serviceTime: found "9999999 d"; allowed: at most 1 d'],
    ['a generator rate that is none', change('source: { topic: orders, group: g }', 'source: { rate: 1e30/s }'), 'found "1e30/s"; allowed: a rate such as `50/s`, steps'],
    ['years of history', `openAt: 20000 h\n${GOOD}`, 'bad.yaml:1:9: openAt: lies 833 d after the start; allowed: at most 31 d'],
    ['a value of a foreign kind', `title: !!binary aGVsbG8=\n${GOOD}`, 'bad.yaml:1:17: title: is of a kind that is not allowed here'],
    ['broken YAML', 'jobs: [\n', 'is not valid YAML: '],
    ['an alias of nothing', 'title: *nobody\n', 'bad.yaml:1:8: title: alias *nobody names no anchor'],
    ['not a map', '- a\n', 'bad.yaml:1:1: found a list of 1; allowed: a map'],
    ['empty file', ' \n', 'bad.yaml: is empty'],
    ['only a comment', '# nothing\n', 'found null; allowed: a map'],
  ])('%s: says where, what was found, what is allowed', (_, text, expected) => {
    const all = messages(text);
    expect(all.join('\n')).toContain(expected);
    expect(all.join('\n')).not.toMatch(/ at .*\.(ts|js):\d/);
  });

  it('reports every mistake at once, each at its place', () => {
    const spoilt = GOOD.replace('parallelism: 2', 'parallelism: two').replace('interval: 10 s', 'interval: ten').replace('ship: HASH', 'ship: X');
    expect(messages(spoilt).map((message) => message.split(': ')[0])).toEqual(['bad.yaml:8:18', 'bad.yaml:9:32', 'bad.yaml:18:40']);
  });

  it.each([
    ['heartbeat.timeout', 'soon', 'a duration such as 50 s, 500 ms, 10 min or PT5S'],
    ['taskmanager.network.memory.buffers-per-channel', 'two', 'a whole number'],
    ['taskmanager.memory.segment-size', '32 potatoes', 'a memory size such as 32 kb, 64m or 1073741824'],
    ['web.cancel.enable', 'perhaps', 'true or false'],
    ['execution.checkpointing.mode', 'NEARLY_ONCE', 'exactly_once, at_least_once'],
  ])('does not take an unreadable value of %s for its default', (name, value, allowed) => {
    const line = `  ${name}: "${value}"`;
    expect(messages(`options:\n${line}\n${GOOD}`)).toEqual([`bad.yaml:2:${line.indexOf('"') + 1}: options.${JSON.stringify(name)}: found ${JSON.stringify(value)}; allowed: ${allowed}`]);
    expect(() => parseScenario(GOOD, 'good.yaml', { options: { [name]: value } })).toThrow(`Flink option ${name}: found ${JSON.stringify(value)}; allowed: ${allowed}`);
  });

  it('checks what a jar template makes with its defaults', () => {
    const jar = (job: string): string => `jars: [{ entryClass: T, parameters: { --n: { type: integer, default: 1 } }, job: ${job} }]`;
    expect(messages(jar('{ name: t, vertices: [{ operators: [{ name: A, source: { rate: "${n}" } }] }] }'))).toEqual([]);
    expect(messages(jar('{ name: t, parallelism: "${m}", vertices: [] }')).join()).toContain('jars[0].job.parallelism: `${m}` knows no parameter `m`; there are: parallelism, n');
    expect(messages(jar('{ name: t, parallelism: "${n - 1}", vertices: [] }')).join()).toContain('jars[0].job.parallelism: found 0; allowed: at least 1');
  });

  it('stops a YAML bomb by its aliases', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i}: &l${i} [${i === 0 ? 'lol' : Array.from({ length: 9 }, () => `*l${i - 1}`).join(', ')}]`);
    expect(messages(levels.join('\n')).join()).toMatch(/bad\.yaml:\d+:\d+: .*there are more than 100 aliases/);
  });

  it.each(['['.repeat(50_000), 'a: '.repeat(20) + '{'.repeat(20_000), `${'- '.repeat(30_000)}x`])('stops deep nesting', (text) => {
    expect(messages(text).length).toBeGreaterThan(0);
  });
});

describe('a file that cannot be a scenario', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'scenario-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const failure = (file: string): string => {
    try {
      loadScenario(file);
    } catch (error) {
      if (error instanceof ScenarioError) return error.message;
      throw error;
    }
    return 'none';
  };

  it('does not exist', () => {
    expect(failure(path.join(folder, 'missing.yaml'))).toBe(`${folder}/missing.yaml: there is no such file`);
  });

  it('is a name that is nearly one that ships', () => {
    expect(failure('helthy')).toContain('there is no scenario of this name and no such file; did you mean `healthy`? shipped: incident-2020-04-09, ');
  });

  it('is a folder', () => {
    expect(failure(folder)).toBe(`${folder}: is a folder; give a YAML file`);
  });

  it('is larger than 5 MB: refused by its size, without reading it', () => {
    const file = path.join(folder, 'huge.yaml');
    writeFileSync(file, '');
    truncateSync(file, 1_000_000_000);
    expect(failure(file)).toBe(`${file}: has 1000000000 bytes; at most 5000000 are allowed`);
  });

  it('is a pipe that never ends: refused after 5 MB', () => {
    const file = path.join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [file]);
    execFileSync('sh', ['-c', `yes >'${file}' 2>/dev/null & true`], { stdio: 'ignore' });
    expect(failure(file)).toBe(`${file}: has more than 5000000 bytes; no more are allowed`);
  });

  it('is not UTF-8', () => {
    const file = path.join(folder, 'latin1.yaml');
    writeFileSync(file, Buffer.from('title: caf\xe9\n', 'latin1'));
    expect(failure(file)).toBe(`${file}: is not UTF-8 text; save it as UTF-8`);
  });
});
