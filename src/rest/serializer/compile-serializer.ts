import type { RestSpec, TypeSpec } from '../../versions/rest-spec.js';
import { javaDouble, javaInteger } from './java-number.js';
import { jsonString } from './json-string.js';

export type Serializer = (value: unknown) => string;
type Values = Readonly<Record<string, unknown>>;

/** Makes the functions that write a version's answers; one set a version, each class compiled once. */
export function createSerializers(spec: RestSpec): (type: TypeSpec) => Serializer {
  const classes = new Map<string, Serializer>();

  const compile = (type: TypeSpec): Serializer => {
    switch (type.kind) {
      case 'integer':
        return writeInteger;
      case 'number':
        return writeDouble;
      case 'boolean':
        return writeBoolean;
      case 'string':
      case 'id':
      case 'enum':
        return writeText;
      case 'raw':
        return writeRaw;
      case 'array':
        return arrayOf(compile(type.items!));
      case 'map':
        return mapOf(compile(type.items!));
      case 'class':
        return classSerializer(type.name);
    }
  };

  const classSerializer = (name: string): Serializer => {
    const known = classes.get(name);
    if (known) return known;
    // A class may contain itself: until it is compiled, others call it through its place.
    let compiled: Serializer | undefined;
    const place: Serializer = (value) => compiled!(value);
    classes.set(name, place);
    compiled = compileClass(name);
    classes.set(name, compiled);
    return compiled;
  };

  const compileClass = (name: string): Serializer => {
    const variants = spec.variants(name);
    if (!variants) return fieldsOf(name, '');
    const key = JSON.stringify(variants.discriminator);
    const bySubtype = new Map(Object.entries(variants.subtypes).map(([value, subclass]) => [value, fieldsOf(subclass, `${key}:${JSON.stringify(value)}`)]));
    const [onlyOne] = bySubtype.size === 1 ? bySubtype.values() : [];
    return (value) => {
      if (value == null) return 'null';
      const { className } = value as { className?: string };
      const write = onlyOne ?? bySubtype.get(className!);
      if (!write) throw new TypeError(`${name} needs a className of ${[...bySubtype.keys()].join(', ')}, not ${String(className)}.`);
      return write(value);
    };
  };

  const fieldsOf = (className: string, before: string): Serializer => {
    const fields = spec.fields(className).map(([name, type]) => ({ name, type, key: JSON.stringify(name) + ':', write: compile(type) }));
    return fields.every(({ type }) => type.omit === 'never') ? fixedObject(fields, before) : objectWithGaps(fields, before);
  };

  return compile;
}

interface Field {
  readonly name: string;
  readonly key: string;
  readonly type: TypeSpec;
  readonly write: Serializer;
}

/** All keys are always there, so that what stands between the values is known beforehand. */
function fixedObject(fields: readonly Field[], before: string): Serializer {
  const names = fields.map(({ name }) => name);
  const writers = fields.map(({ write }) => write);
  const separators = fields.map(({ key }, i) => (i === 0 ? `{${before}${before === '' ? '' : ','}` : ',') + key);
  const empty = `{${before}}`;
  const count = names.length;
  return (value) => {
    if (value == null) return 'null';
    if (count === 0) return empty;
    let out = '';
    for (let i = 0; i < count; i++) out += separators[i]! + writers[i]!((value as Values)[names[i]!]);
    return out + '}';
  };
}

function objectWithGaps(fields: readonly Field[], before: string): Serializer {
  return (value) => {
    if (value == null) return 'null';
    let out = '{' + before;
    for (const { name, key, type, write } of fields) {
      const item = (value as Values)[name];
      if (isOmitted(item, type.omit)) continue;
      if (out.length > 1) out += ',';
      out += key + write(item);
    }
    return out + '}';
  };
}

/** Whether Jackson leaves a field out. */
export function isOmitted(value: unknown, omit: TypeSpec['omit']): boolean {
  if (omit === 'never') return false;
  if (value === undefined || value === null) return true;
  if (omit === 'null') return false;
  if (omit === 'default' && (value === 0 || value === false)) return true;
  if (typeof value !== 'object') return value === '';
  if (Array.isArray(value)) return value.length === 0;
  return value instanceof Map ? value.size === 0 : Object.keys(value).length === 0;
}

function writeInteger(value: unknown): string {
  return value == null ? 'null' : javaInteger(value as number | bigint);
}

function writeDouble(value: unknown): string {
  return value == null ? 'null' : javaDouble(value as number | bigint);
}

function writeBoolean(value: unknown): string {
  return value == null ? 'null' : value ? 'true' : 'false';
}

function writeText(value: unknown): string {
  return value == null ? 'null' : jsonString(String(value));
}

function arrayOf(write: Serializer): Serializer {
  return (value) => {
    if (value == null) return 'null';
    const items = value as readonly unknown[];
    if (items.length === 0) return '[]';
    let out = '[' + write(items[0]);
    for (let i = 1; i < items.length; i++) out += ',' + write(items[i]);
    return out + ']';
  };
}

function mapOf(write: Serializer): Serializer {
  return (value) => {
    if (value == null) return 'null';
    let out = '{';
    const entries = value instanceof Map ? (value as Map<string, unknown>).entries() : Object.entries(value);
    for (const [key, item] of entries) out += (out.length > 1 ? ',' : '') + jsonString(key) + ':' + write(item);
    return out + '}';
  };
}

/** JSON whose keys no class of Flink's tells. Text is JSON already (as Java's raw values are). */
function writeRaw(value: unknown): string {
  return typeof value === 'string' ? value : writeAny(value);
}

function writeAny(value: unknown): string {
  if (value == null) return 'null';
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      return Number.isInteger(value) ? javaInteger(value) : javaDouble(value);
    case 'bigint':
      return value.toString();
    case 'boolean':
      return writeBoolean(value);
    default:
      return Array.isArray(value) ? writeAnyArray(value) : writeAnyMap(value);
  }
}

const writeAnyArray = arrayOf(writeAny);
const writeAnyMap = mapOf(writeAny);
