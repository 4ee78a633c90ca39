/** What of JSON Schema our documents use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Row {
  /** `vertices[].operators[].name` */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly fallback: unknown;
  readonly description: string;
}

const isNull = (schema: Schema): boolean => schema.type === 'null';
const alternatives = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [];

/** `integer, 0 to 65535`, `"a" \| "b"`, `list of string`. */
export function typeOf(schema: Schema): string {
  const forms = alternatives(schema);
  if (forms.length > 0) return [...new Set(forms.filter((form) => !isNull(form)).map(typeOf))].join(' or ') + (forms.some(isNull) ? ', or null' : '');
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const name = [schema.type ?? 'anything'].flat().join(' or ').replace(/^object$/, 'map');
  return name + range(schema);
}

function range({ minimum, maximum }: Schema): string {
  const has = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (has(minimum) && has(maximum)) return `, ${minimum} to ${maximum}`;
  return has(minimum) ? `, at least ${minimum}` : has(maximum) ? `, at most ${maximum}` : '';
}

/** Every field below a schema, in its order; alternatives one after the other. */
export function rowsOf(schema: Schema, path = ''): Row[] {
  const rows = new Map<string, Row>();
  for (const row of walk(schema, path)) if (!rows.has(row.path)) rows.set(row.path, row);
  return [...rows.values()];
}

function* walk(schema: Schema, path: string): Iterable<Row> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`;
    yield { path: at, type: typeOf(field), isRequired: schema.required?.includes(name) ?? false, fallback: field.default, description: descriptionOf(field) };
    yield* walk(field, at);
  }
  if (schema.items) yield* walk(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0) yield* walk(schema.additionalProperties, `${path}.*`);
  for (const form of alternatives(schema)) yield* walk(form, path);
}

function descriptionOf(schema: Schema): string {
  const own = schema.description ?? schema.items?.description;
  return own ?? [...new Set(alternatives(schema).flatMap(({ description }) => (description === undefined ? [] : [description])))].join('; ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

function fallbackText(fallback: unknown): string {
  if (fallback === undefined || fallback === null || fallback === '' || (typeof fallback === 'object' && Object.keys(fallback).length > 0)) return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}

/** Markdown of rows; required fields are marked. */
export function tableOf(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ path, type, isRequired, fallback, description }) => `| \`${path}\`${isRequired ? ' *' : ''} | ${cell(type)} | ${cell(fallbackText(fallback))} | ${cell(description)} |`);
  return ['| field | type | default | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
