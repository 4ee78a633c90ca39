import type { RestSpec, TypeSpec } from '../../versions/rest-spec.js';
import type { Parts } from '../../simulation/parts.js';
import { inParts, nextTurn } from '../turns.js';
import { isOmitted, type Serializer } from './compile-serializer.js';
import { Later, LongList } from './long-list.js';

/** An answer without a list that is longer is written whole. */
const MANY_ITEMS = 250;

/** Items of a list that are written at once, where each is of one subtask. */
const PIECE_ITEMS = 100;

type List = readonly unknown[] | LongList<unknown>;

const isLong = (value: unknown): value is List => value instanceof LongList || (Array.isArray(value) && value.length > MANY_ITEMS);

/** The pieces of an answer that is, or has in one of its fields, a long list; null for any other. */
export function longAnswer(type: TypeSpec, value: unknown, spec: RestSpec, serializerOf: (type: TypeSpec) => Serializer): Generator<string, void> | null {
  if (type.kind === 'array') return isLong(value) ? listPieces(serializerOf(type.items!), value) : null;
  if (type.kind !== 'class' || value === null || typeof value !== 'object' || spec.variants(type.name)) return null;
  return Object.values(value).some(isLong) ? objectPieces(spec.fields(type.name), value as Readonly<Record<string, unknown>>, serializerOf) : null;
}

function* listPieces(write: Serializer, list: List): Generator<string, void> {
  let before = '[';
  let piece = '';
  let items = 0;
  const groups = list instanceof LongList ? list.groups : list.length;
  const weight = list instanceof LongList ? list.weight : 1;
  for (let group = 0; group < groups; group++) {
    for (const item of list instanceof LongList ? list.rowsOf(group) : [list[group]]) {
      piece += before + write(item);
      before = ',';
      if ((items += weight) < PIECE_ITEMS) continue;
      yield piece;
      piece = '';
      items = 0;
    }
  }
  yield before === '[' ? '[]' : `${piece}]`;
}

function* objectPieces(fields: ReturnType<RestSpec['fields']>, value: Readonly<Record<string, unknown>>, serializerOf: (type: TypeSpec) => Serializer): Generator<string, void> {
  let before = '{';
  for (const [name, type] of fields) {
    const given = value[name];
    const item = given instanceof Later ? given.make() : given;
    if (isOmitted(item, type.omit)) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (type.kind === 'array' && isLong(item)) yield* listPieces(serializerOf(type.items!), item);
    else yield serializerOf(type)(item);
  }
  yield before === '{' ? '{}' : '}';
}

/** Puts pieces together, letting others have the event loop before them and in between. */
export async function joinPieces(pieces: Iterable<string>, pause: () => Promise<void> = nextTurn): Promise<Buffer> {
  await pause();
  return inParts(joining(pieces), pause);
}

function* joining(pieces: Iterable<string>): Parts<Buffer> {
  const done: Buffer[] = [];
  for (const piece of pieces) {
    done.push(Buffer.from(piece));
    yield;
  }
  return Buffer.concat(done);
}
