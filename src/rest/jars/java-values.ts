import type { JavaObject, JavaValue } from './java-serialization.js';

/** Readers of common Java classes over what readJavaObject gives; each gives something empty where the value is of another class. */

export function asObject(value: JavaValue | undefined): JavaObject | null {
  return value !== null && typeof value === 'object' && !Buffer.isBuffer(value) && value.kind === 'object' ? value : null;
}

export function field(object: JavaObject | null, name: string): JavaValue {
  return object?.fields.get(name) ?? null;
}

export function objectField(object: JavaObject | null, name: string): JavaObject | null {
  return asObject(field(object, name));
}

export function textField(object: JavaObject | null, name: string): string | null {
  const value = field(object, name);
  return typeof value === 'string' ? value : null;
}

export function numberField(object: JavaObject | null, name: string): number | null {
  const value = field(object, name);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
}

/** Name of an enum constant. */
export function enumField(object: JavaObject | null, name: string): string | null {
  const value = field(object, name);
  return value !== null && typeof value === 'object' && !Buffer.isBuffer(value) && value.kind === 'enum' ? value.constant : null;
}

/** Elements of an ArrayList and the like, which write them behind their size. */
export function listItems(value: JavaValue): JavaValue[] {
  return asObject(value)?.annotations.filter((item) => !Buffer.isBuffer(item)) ?? [];
}

/** Entries of a HashMap and the like. */
export function mapEntries(value: JavaValue): [JavaValue, JavaValue][] {
  const items = listItems(value);
  const entries: [JavaValue, JavaValue][] = [];
  for (let i = 0; i + 1 < items.length; i += 2) entries.push([items[i]!, items[i + 1]!]);
  return entries;
}

/** An AbstractID (JobID, JobVertexID …) as hex digits. */
export function hexId(value: JavaValue): string | null {
  const object = asObject(value);
  const [lower, upper] = [field(object, 'lowerPart'), field(object, 'upperPart')];
  if (typeof lower !== 'bigint' || typeof upper !== 'bigint') return null;
  return [lower, upper].map((part) => BigInt.asUintN(64, part).toString(16).padStart(16, '0')).join('');
}

const SER_DURATION = 1;

/** A value of Flink's Configuration as text: enums by name, durations in ms. */
export function optionText(value: JavaValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value === null || Buffer.isBuffer(value)) return null;
  if (value.kind === 'enum') return value.constant;
  const object = asObject(value);
  const boxed = field(object, 'value');
  if (boxed !== null) return optionText(boxed);
  const raw = object?.annotations[0];
  if (object?.className === 'java.time.Ser' && Buffer.isBuffer(raw) && raw.length >= 13 && raw[0] === SER_DURATION) {
    return `${Number(raw.readBigInt64BE(1)) * 1000 + raw.readInt32BE(9) / 1e6} ms`;
  }
  return null;
}

/** What a Configuration holds. */
export function configurationOptions(configuration: JavaObject | null): Record<string, string> {
  const options: Record<string, string> = {};
  for (const [key, value] of mapEntries(field(configuration, 'confData'))) {
    const text = optionText(value);
    if (typeof key === 'string' && text !== null) options[key] = text;
  }
  return options;
}

/** Bytes within a SerializedValue. */
export function serializedBytes(value: JavaValue): Buffer | null {
  const data = field(asObject(value), 'serializedData');
  if (data === null || typeof data !== 'object' || Buffer.isBuffer(data) || data.kind !== 'array') return null;
  return Buffer.isBuffer(data.items) ? data.items : null;
}
