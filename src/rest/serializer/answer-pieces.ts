import type { RestSpec, TypeSpec } from '../../versions/rest-spec.js';
import { isOmitted, type Serializer } from './compile-serializer.js';

/** Items of a list that are written at once; an answer without a longer list is written whole. */
const ITEMS = 250;

/** How long the pieces of an answer may keep the event loop at a time, ms. */
const SLICE_MS = 5;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > ITEMS;

/** The pieces of an answer that is, or has in one of its fields, a long list; null for any other. */
export function longAnswer(type: TypeSpec, value: unknown, spec: RestSpec, serializerOf: (type: TypeSpec) => Serializer): Generator<string, void> | null {
  if (type.kind === 'array') return isLong(value) ? listPieces(serializerOf(type.items!), value) : null;
  if (type.kind !== 'class' || value === null || typeof value !== 'object' || spec.variants(type.name)) return null;
  return Object.values(value).some(isLong) ? objectPieces(spec.fields(type.name), value as Readonly<Record<string, unknown>>, serializerOf) : null;
}

function* listPieces(write: Serializer, items: readonly unknown[]): Generator<string, void> {
  for (let from = 0; from < items.length; from += ITEMS) {
    let piece = '';
    for (let i = from; i < Math.min(items.length, from + ITEMS); i++) piece += (i === 0 ? '[' : ',') + write(items[i]);
    yield piece;
  }
  yield ']';
}

function* objectPieces(fields: ReturnType<RestSpec['fields']>, value: Readonly<Record<string, unknown>>, serializerOf: (type: TypeSpec) => Serializer): Generator<string, void> {
  let before = '{';
  for (const [name, type] of fields) {
    const item = value[name];
    if (isOmitted(item, type.omit)) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (type.kind === 'array' && isLong(item)) yield* listPieces(serializerOf(type.items!), item);
    else yield serializerOf(type)(item);
  }
  yield before === '{' ? '{}' : '}';
}

/** Puts pieces together, letting others have the event loop in between. */
export async function joinPieces(pieces: Iterable<string>, pause: () => Promise<void> = nextTurn): Promise<Buffer> {
  const done: Buffer[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const piece of pieces) {
    done.push(Buffer.from(piece));
    if (performance.now() < sliceEnd) continue;
    await pause();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return Buffer.concat(done);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
