import { describe, expect, it } from 'vitest';
import { createSerializers } from '../../../src/rest/serializer/compile-serializer.js';
import { javaDouble, javaInteger } from '../../../src/rest/serializer/java-number.js';
import { jsonString } from '../../../src/rest/serializer/json-string.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { parseType, restSpec, type EndpointSpec, type RestSpec, type TypeSpec } from '../../../src/versions/rest-spec.js';
import { loadRecording } from '../../golden/recording.js';

function serializerIn(minor: string, type: string): (value: unknown) => string {
  return createSerializers(restSpec(parseFlinkVersion(minor)!))(parseType(type));
}

/** The endpoint that a recorded path belongs to: the one with the fewest parameters. */
function matcher(endpoints: readonly EndpointSpec[]): (method: string, path: string) => EndpointSpec | undefined {
  const patterns = endpoints.map((endpoint) => ({ endpoint, pattern: new RegExp(`^(?:/v1)?${endpoint.url.replace(/:\w+/g, '[^/]+')}$`) })).sort((a, b) => a.endpoint.path.length - b.endpoint.path.length);
  return (method, path) => patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;
}

/**
 * A recorded body as a handler of all versions might give it: fields in any order, with more of them, subclasses told apart by className.
 * Maps and raw JSON keep their order, which is the handler's.
 */
function asHandlerGives(value: unknown, type: TypeSpec, spec: RestSpec): unknown {
  if (value === null || type.kind === 'raw') return value;
  if (type.kind === 'array') return (value as unknown[]).map((item) => asHandlerGives(item, type.items!, spec));
  if (type.kind === 'map') return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, asHandlerGives(item, type.items!, spec)]));
  if (type.kind !== 'class') return value;
  const variants = spec.variants(type.name);
  const given = value as Record<string, unknown>;
  const className = variants ? (given[variants.discriminator] as string) : undefined;
  const fields = spec.fields(className === undefined ? type.name : variants!.subtypes[className]!);
  const entries = fields.filter(([name]) => name in given).map(([name, field]) => [name, asHandlerGives(given[name], field, spec)] as const);
  return Object.fromEntries([['of-another-version', 1], ...entries.reverse(), ...(className === undefined ? [] : [['className', className] as const])]);
}

describe.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('every recorded answer of %s', (version) => {
  it('comes out byte for byte: keys, order, nulls, absent keys, number forms', () => {
    const spec = restSpec(parseFlinkVersion(version)!);
    const serializerOf = createSerializers(spec);
    const endpointOf = matcher(spec.endpoints);
    let compared = 0;
    for (const { method, path, status, json, headers } of loadRecording(version).records) {
      const endpoint = endpointOf(method, path.split('?')[0]!.replace(/\/$/, ''));
      if (json === undefined || status === null || status >= 300 || !endpoint?.response) continue;
      expect(status, path).toBe(endpoint.status);
      const text = serializerOf(endpoint.response)(asHandlerGives(json, endpoint.response, spec));
      expect(JSON.stringify(JSON.parse(text)), path).toBe(JSON.stringify(json));
      // Paths in the recordings were shortened, so that lengths tell number forms only where there is none.
      if (!/\/(data|opt)\/flink/.test(text)) expect(Buffer.byteLength(text), path).toBe(Number(headers['content-length']));
      compared++;
    }
    expect(compared).toBeGreaterThan(700);
  });
});

describe('numbers', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [0.5, '0.5'],
    [9999999, '9999999.0'],
    [1e7, '1.0E7'],
    [42699968, '4.2699968E7'],
    [0.001, '0.001'],
    [0.00099, '9.9E-4'],
    [-123456789.25, '-1.2345678925E8'],
    [1e-10, '1.0E-10'],
    [NaN, '"NaN"'],
    [Infinity, '"Infinity"'],
    [-Infinity, '"-Infinity"'],
  ])('writes the double %d as Java does: %s', (value, text) => expect(javaDouble(value)).toBe(text));

  it.each([
    [0, '0'],
    [-0, '0'],
    [-1, '-1'],
    [1795957743004, '1795957743004'],
    [-9223372036854775808n, '-9223372036854775808'],
    [Number('-9223372036854775808'), '-9223372036854775808'],
    [Number('9223372036854775807'), '9223372036854775807'],
    [1e21, '9223372036854775807'],
    [2.9, '2'],
    [-2.9, '-2'],
    [NaN, '0'],
  ])('writes the long %s exactly: %s', (value, text) => expect(javaInteger(value)).toBe(text));
});

describe('texts', () => {
  it('escapes as Jackson: upper-case digits, no escapes beyond ASCII, half a pair is a question mark', () => {
    expect(jsonString('plain → 😀')).toBe('"plain → 😀"');
    expect(jsonString('a"b\\c\n\u001b\u0000')).toBe('"a\\"b\\\\c\\n\\u001B\\u0000"');
    expect(jsonString('\\u00ab')).toBe('"\\\\u00ab"');
    expect(jsonString('x\ud800y')).toBe('"x?y"');
  });
});

describe('fields', () => {
  it('leaves out what the class leaves out when it is null, and writes null otherwise', () => {
    const write = serializerIn('1.13', 'JobVertexBackPressureInfo');
    expect(write({ status: 'deprecated' })).toBe('{"status":"deprecated"}');
    expect(serializerIn('1.20', 'AsynchronousOperationResult<SavepointInfo>')({ status: { id: 'IN_PROGRESS' } })).toBe('{"status":{"id":"IN_PROGRESS"},"operation":null}');
  });

  it('leaves out default values where the class does', () => {
    const write = serializerIn('1.20', 'ClusterOverviewWithVersion');
    const body = { taskmanagers: 2, 'taskmanagers-blocked': 0, 'slots-total': 8, 'slots-available': 8, 'slots-free-and-blocked': 0, 'jobs-running': 0, 'jobs-finished': 0, 'jobs-cancelled': 0, 'jobs-failed': 0, 'flink-version': 'v', 'flink-commit': 'c' };
    expect(write(body)).not.toContain('blocked');
    expect(write({ ...body, 'taskmanagers-blocked': 1 })).toContain('"slots-available":8,"taskmanagers-blocked":1,"jobs-running"');
  });

  it('names the discriminator as the version does (FLINK-25808)', () => {
    const pending = { className: 'pending', index: 0, status: 'pending_or_failed' };
    expect(serializerIn('1.14', 'SubtaskCheckpointStatistics')(pending)).toBe('{"@class":"pending","index":0,"status":"pending_or_failed"}');
    expect(serializerIn('1.15', 'SubtaskCheckpointStatistics')(pending)).toBe('{"className":"pending","index":0,"status":"pending_or_failed"}');
  });

  it('tells which subclass is missing', () => {
    expect(() => serializerIn('1.20', 'CheckpointStatistics')({ id: 1 })).toThrow(/className of in_progress, completed, failed/);
  });

  it('takes maps and objects alike', () => {
    const write = serializerIn('1.20', '{integer}');
    expect(write(new Map([['b', 1], ['a', 2]]))).toBe('{"b":1,"a":2}');
    expect(write({ b: 1, a: null })).toBe('{"b":1,"a":null}');
  });

  it('follows a class that contains itself', () => {
    expect(serializerIn('1.20', 'VertexFlameGraph.Node')({ name: 'root', value: 2, children: [{ name: 'leaf', value: 1, children: [] }] })).toBe(
      '{"name":"root","value":2,"children":[{"name":"leaf","value":1,"children":[]}]}',
    );
  });
});
