import { z } from 'zod';
import type { EndpointSpec, ParameterSpec, RestSpec, TypeSpec } from '../versions/rest-spec.js';

/** How an endpoint's request is checked: schemas made from the version's table. */
export interface RequestSchemas {
  readonly params: z.ZodType<Record<string, string>> | null;
  /** Of the values already split at commas. */
  readonly query: z.ZodType<Record<string, string[]>> | null;
  readonly body: z.ZodType<Record<string, unknown>>;
}

const HEX_ID = z.string().regex(/^[0-9a-fA-F]{32}$/).toLowerCase();

const INTEGER_RANGES = { Integer: [-2147483648n, 2147483647n], Long: [-9223372036854775808n, 9223372036854775807n] } as const;

function javaInteger(type: keyof typeof INTEGER_RANGES, min?: bigint): z.ZodType<string, string> {
  const [lowest, highest] = INTEGER_RANGES[type];
  return z
    .string()
    .regex(/^[+-]?\d+$/, { abort: true })
    .refine((text) => {
      const value = BigInt(text.replace(/^\+/, ''));
      return value >= (min ?? lowest) && value <= highest;
    })
    .meta({ description: type === 'Long' ? 'A whole number of 64 bits.' : 'A whole number of 32 bits.' });
}

/** Parameters that must not be negative. */
const NOT_NEGATIVE = new Set(['subtaskindex', 'attempt']);

/** Words that a parameter of an enum takes, in any case. */
const PARAMETER_ENUMS: Readonly<Record<string, readonly string[]>> = {
  TerminationMode: ['cancel', 'stop'],
  AggregationMode: ['min', 'max', 'sum', 'avg'],
  Type: ['full', 'on_cpu', 'off_cpu'],
};

function parameterSchema({ key, valueType }: ParameterSpec, spec: RestSpec): z.ZodType<string, string> {
  switch (valueType) {
    case 'JobID':
    case 'JobVertexID':
    case 'TriggerId':
    case 'OperatorID':
    case 'IntermediateDataSetID':
    case 'ApplicationID':
    case 'RescaleUUID':
      return HEX_ID.meta({ description: `${valueType}: 32 hexadecimal digits.` });
    case 'Integer':
    case 'Long':
      return javaInteger(valueType, NOT_NEGATIVE.has(key) ? 0n : undefined);
    case 'FailureLabel':
      return z.string().regex(/^[^:]*:[^:]+$/).meta({ description: 'key:value' });
    case 'String':
      // A jar's id has to be a file name for Java.
      if (key === 'jarid') return z.string().refine((text) => !text.includes('\0'));
      return z.string();
    case 'ResourceID':
    case 'Boolean':
      return z.string();
    default: {
      const words = valueType === 'AggregationMode' && spec.fields('AggregatedMetric').some(([name]) => name === 'skew') ? [...PARAMETER_ENUMS[valueType]!, 'skew'] : PARAMETER_ENUMS[valueType];
      if (!words) throw new Error(`No rule for parameters of type ${valueType}.`);
      return z.string().regex(new RegExp(`^(?:${words.join('|')})$`, 'i')).toLowerCase().meta({ description: `One of ${words.join(', ')}.` });
    }
  }
}

/** What Jackson takes for a boolean, beyond one. */
function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === 'True' || value === 'TRUE') return true;
  if (value === 'false' || value === 'False' || value === 'FALSE') return false;
  return typeof value === 'number' && Number.isInteger(value) ? value !== 0 : emptyToNull(value);
}

/** Numbers may be text; fractions are cut off. */
function toInteger(value: unknown): unknown {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' ? Math.trunc(number) : emptyToNull(number);
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : emptyToNull(value);
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function emptyToNull(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

const TEXT = z.preprocess(toText, z.string().nullable()).optional();

/** Fields of requests that are longs; all other whole numbers are ints. */
const LONG_FIELDS = new Set(['expiredTimestamp']);

/** Schema of a field of a request's body. Java's primitives must be there, everything else may be absent or null. */
function bodyField(name: string, type: TypeSpec, spec: RestSpec, lenient: boolean): z.ZodType {
  const primitive = <T extends z.ZodType>(coerce: (value: unknown) => unknown, schema: T): z.ZodType =>
    type.nullable ? z.preprocess(coerce, schema.nullable()).optional() : z.preprocess(coerce, schema);
  switch (type.kind) {
    case 'boolean':
      return primitive(toBoolean, z.boolean());
    case 'integer':
      return primitive(toInteger, LONG_FIELDS.has(name) ? z.int() : z.int32());
    case 'number':
      return primitive(toNumber, z.number());
    case 'string':
      return TEXT;
    case 'id':
      return HEX_ID.nullish();
    case 'enum':
      return z.enum(spec.enumMembers(type.name) as [string, ...string[]]).nullish();
    case 'raw':
      return z.unknown();
    case 'array':
      return z.array(element(type.items!, spec, lenient)).nullish();
    case 'map':
      return z.record(z.string(), element(type.items!, spec, lenient)).nullish();
    case 'class':
      return bodyObject(type.name, spec, lenient).nullish();
  }
}

function element(type: TypeSpec, spec: RestSpec, lenient: boolean): z.ZodType {
  return type.kind === 'string' ? z.preprocess(toText, z.string().nullable()) : bodyField('', type, spec, lenient);
}

function bodyObject(className: string, spec: RestSpec, lenient: boolean): z.ZodType<Record<string, unknown>> {
  const shape = Object.fromEntries(spec.fields(className).map(([name, type]) => [name, bodyField(name, type, spec, lenient)]));
  return lenient ? z.object(shape) : z.strictObject(shape);
}

/** The schemas of an endpoint. `lenient`: unknown fields of a body are passed over (FLINK-35302). */
export function requestSchemas(endpoint: EndpointSpec, spec: RestSpec, lenient: boolean): RequestSchemas {
  const { path, query, request } = endpoint;
  return {
    params: path.length === 0 ? null : (z.object(Object.fromEntries(path.map((parameter) => [parameter.key, parameterSchema(parameter, spec)]))) as unknown as z.ZodType<Record<string, string>>),
    query:
      query.length === 0 ? null : (z.object(Object.fromEntries(query.map((parameter) => [parameter.key, z.array(parameterSchema(parameter, spec)).optional()]))) as unknown as z.ZodType<Record<string, string[]>>),
    body:
      request === null
        ? lenient
          ? z.object({})
          : z.strictObject({})
        : request.kind === 'map'
          ? (z.record(z.string().regex(/^[0-9a-fA-F]{32}$/), element(request.items!, spec, lenient)) as z.ZodType<Record<string, unknown>>)
          : bodyObject(request.name, spec, lenient),
  };
}
