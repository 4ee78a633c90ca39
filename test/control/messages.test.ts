import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { CONDITIONS } from '../../src/control/conditions.js';
import { FAULT_EFFECTS } from '../../src/scenario/schema/http-fault-schema.js';
import { ACTIONS } from '../../src/scenario/schema/timeline-schema.js';
import type { MockFlink } from '../../src/index.js';
import { ask, smallCluster } from './small-cluster.js';

/** Words of the library that checks. */
const FOREIGN = /invalid (input|option|string|type|iso|key|element)|\breceived\b|expected |unrecognized|too (small|big)|[<>]=|\bundefined\b|\bNaN\b|\[object/i;
/** What was found and what is allowed, or what to do. */
const HELPFUL = /found .*; .*(allowed|did you mean)|is missing; add it: \S|unknown key; .*allowed: |there is no |allowed: |has no (action|effect); add one of|has \d+ (actions|effects) .*allowed|needs `job`|does not lie after|a condition has one key, one of|takes a list of 1 to 20/;

const VALUES: readonly unknown[] = [null, true, -1, 1.5, 1e300, '', 'text', '9 parsecs', [], [1], {}, { a: 1 }, 'x'.repeat(5_001)];

let flink: MockFlink;
beforeAll(async () => {
  flink = await smallCluster({ control: true });
  await flink.advanceBy('10 s');
});
afterAll(() => flink.close());

interface Field {
  readonly properties?: Readonly<Record<string, Field>>;
  readonly anyOf?: readonly Field[];
  readonly oneOf?: readonly Field[];
}

/** Objects with one wrong field, and things that are no object. */
function* bodiesOf(schema: Field): Generator<unknown> {
  yield* VALUES.filter((value) => typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > 0);
  for (const form of [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      for (const value of VALUES) yield { [name]: value };
      for (const inner of [field, ...(field.anyOf ?? []), ...(field.oneOf ?? [])]) for (const key of Object.keys(inner.properties ?? {})) for (const value of VALUES) yield { [name]: { [key]: value } };
    }
  }
}

const jsonSchema = (schema: z.ZodType): Field => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;

const wrong: string[] = [];
let seen = 0;
async function look(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await ask(flink.controlUrl, method, path, body === undefined ? undefined : JSON.stringify(body));
  if (answer.status < 400) return;
  seen++;
  const { detail } = answer.body as { detail: string };
  if (FOREIGN.test(detail) || !HELPFUL.test(detail)) wrong.push(`${method} ${path} ${JSON.stringify(body)?.slice(0, 100)} → ${answer.status} ${detail.slice(0, 300)}`);
}

it('says in its own words what was found where, and what is allowed', async () => {
  const { paths } = (await (await fetch(`${flink.controlUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; requestBody?: { content: Record<string, { schema: Field }> } }>> };
  for (const [url, methods] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      if (/\/(connections\/refuse|wait|stream)$/.test(url) && method !== 'post') continue;
      const path = url.replace(/^\/_mock/, '').replace(/\{\w+\}/g, 'nope');
      const name = method.toUpperCase();
      const schema = requestBody?.content['application/json']?.schema;
      for (const body of schema ? bodiesOf(schema) : []) await look(name, path, body);
      if (method !== 'get') continue;
      await look(name, `${path}?nonsense=1`);
      for (const parameter of parameters.filter((each) => each.in === 'query')) for (const value of ['', 'text', '-1', '1.5', '1e300']) await look(name, `${path}?${parameter.name}=${value}`);
    }
  }
  const flat = (schema: z.ZodType): unknown[] => [...bodiesOf(jsonSchema(schema))];
  for (const [action, schema] of Object.entries(ACTIONS)) for (const body of flat(schema)) await look('POST', '/events', { at: '99 h', [action]: body });
  for (const body of [{ at: 'x', cancelJob: { job: 'numbers' } }, { at: [], cancelJob: { job: 'numbers' } }, { at: '1 h' }, { at: '1 s', cancelJob: { job: 'numbers' } }, { at: '1 h', cancelJob: {}, failJob: {} }, { failJob: { job: 'numbers', labels: { '': 'a' } } }]) await look('POST', '/events', body);
  for (const [effect, schema] of Object.entries(FAULT_EFFECTS)) for (const body of flat(schema)) await look('POST', '/faults', { path: '/nowhere', [effect]: body });
  for (const name of ['id', 'path', 'method', 'probability', 'times', 'skip', 'from', 'until']) for (const value of VALUES) await look('POST', '/faults', { path: '/nowhere', unavailable: true, [name]: value });
  for (const [condition, schema] of Object.entries(CONDITIONS)) for (const body of flat(schema)) await look('POST', '/clock', { until: { [condition]: body }, limitMs: 0 });
  for (const until of [...VALUES, { all: [] }, { all: {} }, { any: [{ nonsense: 1 }] }, { lagAbove: { records: 1 }, restarts: { count: 1 } }]) await look('POST', '/wait', { until, timeoutMs: 0 });
  expect(wrong.slice(0, 60)).toEqual([]);
  expect(seen).toBeGreaterThan(1_000);
}, 120_000);

it('says what is wrong with what is no JSON, too long, or of another kind', async () => {
  const post = async (body: string, type: string): Promise<string> => ((await (await fetch(`${flink.controlUrl}/events`, { method: 'POST', body, headers: { 'content-type': type } })).json()) as { detail: string }).detail;
  expect(await post('{"a":', 'application/json')).toMatch(/^the body is no JSON.*allowed: /);
  expect(await post('', 'application/json')).toMatch(/^the body is empty; allowed: /);
  expect(await post('a=b', 'application/x-www-form-urlencoded')).toBe('found the content type "application/x-www-form-urlencoded"; allowed: application/json');
  expect(await post(JSON.stringify({ text: 'x'.repeat(5_000_000) }), 'application/json')).toMatch(/^the body is too large; allowed: at most 4194304 bytes/);
});
