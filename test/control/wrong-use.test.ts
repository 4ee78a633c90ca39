import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MockFlink } from '../../src/index.js';
import { smallCluster } from './small-cluster.js';

const TOKEN = 'correct-horse';
const JSON_TYPE = 'application/json';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: unknown;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body: Schema | null;
  readonly bodyMayLack: boolean;
}

interface Wrong {
  readonly what: string;
  readonly path: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly statuses: readonly number[];
}

let flink: MockFlink;
beforeAll(async () => {
  flink = await smallCluster({ control: { token: TOKEN } });
  await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
  await flink.history.mark('here');
  await flink.history.save('kept');
  flink.faults.add({ id: 'kept', path: '/nowhere', stale: true });
  flink.events.apply({ at: '10 min', setTopicRate: { topic: 'orders', rate: '1/s' } });
  await flink.fetch('/overview');
});
afterAll(() => flink.close());

async function operations(): Promise<Operation[]> {
  const document = (await (await fetch(`${flink.controlUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, any>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({
      id: operation.operationId as string,
      method: method.toUpperCase(),
      path: path.replace(/^\/_mock/, ''),
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.[JSON_TYPE]?.schema ?? null,
      bodyMayLack: operation.operationId === 'reset',
    })),
  );
}

/** The path with a value for each parameter that names what there is. */
function filled({ path, parameters }: Operation, wrong?: string): string {
  const known: Readonly<Record<string, string>> = { job: 'numbers', name: path.startsWith('/marks') ? 'here' : 'kept' };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => wrong ?? known[name] ?? parameters.find((each) => each.name === name)?.name ?? 'x');
}

/** Values that a schema does not take. */
function* wrongValues(schema: Schema): Iterable<unknown> {
  const types = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(({ type }) => type);
  if (!types.includes('object')) yield { a: 1 };
  if (!types.includes('array')) yield [[]];
  if (!types.includes('boolean')) yield true;
  if (!types.includes('string') && !types.includes(undefined)) yield 'text';
  if (schema.minimum !== undefined && schema.minimum > -1e15) yield schema.minimum - 1;
  if (schema.maximum !== undefined && schema.maximum < 1e15) yield schema.maximum + 1;
  if (types.includes('integer')) yield 1.5;
}

function* wrongBodies(operation: Operation): Iterable<[what: string, body: string, statuses: readonly number[]]> {
  const { body, bodyMayLack } = operation;
  if (body === null) return;
  yield ['bad JSON', '{"a":', [400]];
  yield ['JSON with __proto__', '{"__proto__": {"a": 1}}', [400]];
  for (const other of ['[]', '[1]', '"text"', '17', 'true', ...(bodyMayLack ? [] : ['null'])]) yield [`a body that is ${other}`, other, [400]];
  yield ['an unknown key', JSON.stringify({ nonsense: 1 }), [400]];
  if (!bodyMayLack) yield ['an empty object', '{}', [400]];
  yield ['a huge body', JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }), [413]];
  for (const form of [body, ...(body.anyOf ?? []), ...(body.oneOf ?? [])]) {
    for (const [key, schema] of Object.entries(form.properties ?? {})) for (const value of wrongValues(schema)) yield [`${key} = ${JSON.stringify(value)}`, JSON.stringify({ [key]: value }), [400, 404]];
  }
}

function* wrongRequests(operation: Operation): Iterable<Wrong> {
  const { method, parameters } = operation;
  const path = filled(operation);
  for (const [what, body, statuses] of wrongBodies(operation)) yield { what, method, path, body, headers: { 'content-type': JSON_TYPE }, statuses };
  if (operation.body) {
    yield { what: 'a form', method, path, body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' }, statuses: [415] };
    if (!operation.bodyMayLack) yield { what: 'no body', method, path, statuses: [400, 415] };
  }
  for (const { name, in: place, schema } of parameters) {
    if (place === 'path') yield { what: `${name} that there is not`, method, path: filled(operation, 'nope'), statuses: [400, 404] };
    if (place === 'path') yield { what: `${name} that is none`, method, path: filled(operation, '..%2F..%2Fx'), statuses: [400, 404] };
    if (place === 'query') {
      yield { what: 'an unknown key in the query', method, path: `${path}?nonsense=1`, statuses: [400] };
      for (const value of schema.type === 'integer' ? ['text', '-7', '1.5'] : []) yield { what: `${name}=${value}`, method, path: `${path}?${name}=${value}`, statuses: [400] };
    }
  }
  if (operation.id === 'restoreSnapshot') {
    const headers = { 'content-type': 'application/octet-stream' };
    yield { what: 'bytes that are no snapshot', method, path, body: 'mock-flink snapshot\nnot really', headers, statuses: [400] };
    yield { what: 'no bytes', method, path, headers, statuses: [400] };
  }
}

async function ask({ method, path, headers = {}, body }: Omit<Wrong, 'what' | 'statuses'>, authorization: string | null = `Bearer ${TOKEN}`): Promise<{ status: number; type: string | null; problem: any }> {
  const response = await fetch(`${flink.controlUrl}${path}`, { method, headers: { ...headers, ...(authorization === null ? {} : { authorization }) }, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), problem: text.startsWith('{') ? JSON.parse(text) : null };
}

/** Everything there is: cluster, caches, faults, as bytes; marks, saved snapshots, clock and journal beside it. */
async function everything(): Promise<string> {
  const bytes = await flink.snapshot();
  return JSON.stringify([bytes.toString('base64'), flink.history.listMarks(), await flink.history.listSaved(), flink.clock.view(), flink.journal.total, flink.events.pending()]);
}

async function isRefused(wrong: Wrong, authorization?: string | null): Promise<void> {
  const { status, type, problem } = await ask(wrong, authorization);
  const shown = `${wrong.method} ${wrong.path}: ${wrong.what}: ${JSON.stringify(problem)?.slice(0, 300)}`;
  expect(wrong.statuses, shown).toContain(status);
  expect(type, shown).toBe('application/problem+json');
  expect(problem, shown).toMatchObject({ type: 'about:blank', status, title: expect.any(String), detail: expect.stringMatching(/.{5}/) });
}

/** Says nothing of the cluster: open to all. */
const OPEN = ['getHealth'];

describe('wrong use of any route of the OpenAPI document', () => {
  it('is refused with what is allowed, and nothing has changed', async () => {
    const before = await everything();
    let count = 0;
    const kinds = new Set<string>();
    for (const operation of await operations()) {
      for (const wrong of wrongRequests(operation)) {
        await isRefused(wrong);
        kinds.add(wrong.what);
        count++;
      }
      expect(await everything(), `${operation.method} ${operation.path}`).toBe(before);
    }
    expect(count).toBeGreaterThan(200);
    expect([...kinds]).toEqual(expect.arrayContaining(['bad JSON', 'a huge body', 'an unknown key', 'speed = -1', 'job that there is not', 'limit=text']));
  });

  it('is refused to who has no token, or a wrong one', async () => {
    const before = await everything();
    for (const operation of await operations()) {
      const right = { what: 'no token', method: operation.method, path: filled(operation), statuses: [OPEN.includes(operation.id) ? 200 : 401], ...(operation.body ? { body: '{}', headers: { 'content-type': JSON_TYPE } } : {}) };
      for (const authorization of [null, 'Bearer wrong', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, 'Bearer']) {
        if (OPEN.includes(operation.id)) expect((await ask(right, authorization)).status).toBe(200);
        else await isRefused(right, authorization);
      }
    }
    expect(await everything()).toBe(before);
  });

  it('names the methods that a path has', async () => {
    const before = await everything();
    const all = await operations();
    const known = (path: string): string[] => all.filter((each) => each.path === path).map(({ method }) => method);
    for (const path of new Set(all.map((each) => each.path))) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !known(path).includes(each))) {
        const example = all.find((each) => each.path === path)!;
        const { status, problem } = await ask({ method, path: filled(example) });
        expect([status, problem?.allowed?.toSorted()], `${method} ${path}`).toEqual([404, expect.arrayContaining(known(path).toSorted())]);
      }
    }
    expect(await everything()).toBe(before);
  });
});
