import { readFileSync } from 'node:fs';
import type { HttpMethod } from '../rest/endpoint.js';
import { FLINK_MINORS, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** The table as it lies in rest-spec.json (made by scripts/make-rest-spec.mjs, which explains the notation of types). */
interface SpecTable {
  readonly enums: Readonly<Record<string, string>>;
  readonly variants: Readonly<Record<string, { readonly discriminator: ByVersion<string>; readonly subtypes: Readonly<Record<string, string>> }>>;
  readonly types: Readonly<Record<string, ByVersion<Readonly<Record<string, string>>>>>;
  readonly endpoints: readonly EndpointRow[];
}

interface EndpointRow {
  readonly method: HttpMethod;
  readonly url: string;
  readonly since: string;
  readonly last: string;
  readonly description: string;
  readonly headers: MaybeChanged<string>;
  readonly status: MaybeChanged<number>;
  readonly path: MaybeChanged<readonly string[]>;
  readonly query: MaybeChanged<readonly string[]>;
  readonly upload: MaybeChanged<boolean>;
  readonly requestClass: MaybeChanged<string>;
  readonly request: MaybeChanged<string | null>;
  readonly response: MaybeChanged<string | null>;
  readonly hasVersionPrefix?: MaybeChanged<boolean>;
}

type MaybeChanged<T> = T | ByVersion<T>;

/** A parameter of a path or query. */
export interface ParameterSpec {
  readonly key: string;
  /** Flink's value class: JobID, Integer, String … */
  readonly valueType: string;
  readonly mandatory: boolean;
}

/** An endpoint as one version has it. */
export interface EndpointSpec {
  readonly method: HttpMethod;
  readonly url: string;
  readonly description: string;
  /** Flink's message headers class; empty where Flink has none. */
  readonly headersClass: string;
  readonly status: number;
  readonly path: readonly ParameterSpec[];
  readonly query: readonly ParameterSpec[];
  readonly acceptsUploads: boolean;
  /** Simple name, for Flink's message about a body that does not fit. */
  readonly requestClass: string;
  /** null: no field is known. */
  readonly request: TypeSpec | null;
  /** null: not JSON (a file). */
  readonly response: TypeSpec | null;
  /** Known below `/v1` too. */
  readonly hasVersionPrefix: boolean;
}

/** A type of the table, read from its notation. */
export interface TypeSpec {
  readonly kind: 'integer' | 'number' | 'boolean' | 'string' | 'raw' | 'id' | 'enum' | 'array' | 'map' | 'class';
  /** Name of the class, enum or id class. */
  readonly name: string;
  /** Of an array or map. */
  readonly items: TypeSpec | null;
  readonly nullable: boolean;
  /** When the key is left out. */
  readonly omit: 'never' | 'null' | 'empty' | 'default';
}

/** Classes that are written as hexadecimal text. */
const ID_CLASSES = new Set(['JobID', 'JobVertexID', 'TriggerId', 'ApplicationID']);
const SCALARS = new Set(['integer', 'number', 'boolean', 'string', 'raw']);
const OMIT = { 'non-null': 'null', 'non-empty': 'empty', 'non-default': 'default' } as const;

/** Reads the notation of a type, such as `{JobPlan.Node[]} non-null`. */
export function parseType(notation: string): TypeSpec {
  const [base, inclusion] = notation.split(' ') as [string, keyof typeof OMIT | undefined];
  const omit = inclusion ? OMIT[inclusion] : 'never';
  if (base.endsWith('?')) return { ...parseType(base.slice(0, -1)), nullable: true, omit };
  const make = (kind: TypeSpec['kind'], name: string, items: TypeSpec | null): TypeSpec => ({ kind, name, items, nullable: false, omit });
  if (base.endsWith('[]')) return make('array', '', parseType(base.slice(0, -2)));
  if (base.startsWith('{')) return make('map', '', parseType(base.slice(1, -1)));
  if (base.startsWith('#')) return make('enum', base.slice(1), null);
  if (SCALARS.has(base)) return make(base as TypeSpec['kind'], base, null);
  if (ID_CLASSES.has(base)) return make('id', base, null);
  return make('class', base, null);
}

/** The REST API of one version. */
export interface RestSpec {
  readonly endpoints: readonly EndpointSpec[];
  /** Fields of a class in the order in which they are written. */
  fields(className: string): readonly (readonly [name: string, type: TypeSpec])[];
  /** Where a class stands for its subclasses: the key that tells them apart and their classes by its value. */
  variants(className: string): { readonly discriminator: string; readonly subtypes: Readonly<Record<string, string>> } | null;
  enumMembers(name: string): readonly string[];
}

let table: SpecTable | undefined;

function specTable(): SpecTable {
  table ??= JSON.parse(readFileSync(new URL('./rest-spec.json', import.meta.url), 'utf8')) as SpecTable;
  return table;
}

function isChanges<T>(value: MaybeChanged<T>): value is ByVersion<T> {
  return Array.isArray(value) && value.length > 0 && (value as readonly unknown[]).every((entry) => Array.isArray(entry) && entry.length === 2);
}

function parameter(text: string): ParameterSpec {
  const [key, valueType] = text.split(': ') as [string, string];
  return key.endsWith('?') ? { key: key.slice(0, -1), valueType, mandatory: false } : { key, valueType, mandatory: true };
}

/** Reads the table for a version. */
export function restSpec(version: FlinkVersion): RestSpec {
  const { endpoints, types, variants, enums } = specTable();
  const current = <T>(value: MaybeChanged<T>): T => (isChanges(value) ? valueIn(value, version) : value);
  const present = endpoints.filter(({ since, last }) => FLINK_MINORS.indexOf(since) <= version.index && version.index <= FLINK_MINORS.indexOf(last));
  const fieldsByClass = new Map<string, readonly (readonly [string, TypeSpec])[]>();
  return {
    endpoints: present.map((row) => {
      const request = current(row.request);
      const response = current(row.response);
      return {
        method: row.method,
        url: row.url,
        description: row.description,
        headersClass: current(row.headers),
        status: current(row.status),
        path: current(row.path).map(parameter),
        query: current(row.query).map(parameter),
        acceptsUploads: current(row.upload),
        requestClass: current(row.requestClass),
        request: request === null ? null : parseType(request),
        response: response === null ? null : parseType(response),
        hasVersionPrefix: current(row.hasVersionPrefix ?? true),
      };
    }),
    fields(className) {
      let fields = fieldsByClass.get(className);
      if (!fields) {
        const forms = types[className];
        if (!forms) throw new Error(`The REST table has no class ${className}.`);
        fields = Object.entries(valueIn(forms, version)).map(([name, notation]) => [name, parseType(notation)] as const);
        fieldsByClass.set(className, fields);
      }
      return fields;
    },
    variants(className) {
      const found = variants[className];
      return found ? { discriminator: valueIn(found.discriminator, version), subtypes: found.subtypes } : null;
    },
    enumMembers: (name) => enums[name]!.split('|'),
  };
}
