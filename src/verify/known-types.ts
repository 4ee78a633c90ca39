import type { RestSpec, TypeSpec } from '../versions/rest-spec.js';

/** What the version's types say of a path of an answer. */
export interface KnownType {
  /** null may stand there. */
  readonly mayBeNull: boolean;
  /** The key may be left out. */
  readonly mayBeAbsent: boolean;
  /** Its keys are data, not names of fields. */
  readonly hasFreeKeys: boolean;
}

function stepInto(spec: RestSpec, type: TypeSpec, key: string): TypeSpec | null {
  if (type.kind === 'map') return type.items;
  if (type.kind !== 'class') return null;
  const variants = spec.variants(type.name);
  const classes = variants ? Object.values(variants.subtypes) : [type.name];
  for (const name of classes) {
    const field = spec.fields(name).find(([field]) => field === key);
    if (field) return field[1];
  }
  return null;
}

/** The type at a path such as `.jobs[].tasks`; null where the table does not say (raw JSON, unknown fields). */
export function typeAt(spec: RestSpec, response: TypeSpec, path: string): KnownType | null {
  let type: TypeSpec | null = response;
  for (const [token] of path.matchAll(/\[\]|\.(?:\{id\}|[^.[]+)/g)) {
    if (type === null) return null;
    type = token === '[]' ? (type.kind === 'array' ? type.items : null) : stepInto(spec, type, token.slice(1));
  }
  return type && { mayBeNull: type.nullable, mayBeAbsent: type.omit !== 'never', hasFreeKeys: type.kind === 'map' };
}
