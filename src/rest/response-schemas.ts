import { z } from 'zod';
import type { RestSpec, TypeSpec } from '../versions/rest-spec.js';

interface SchemaMeta {
  id?: string | undefined;
  [key: string]: unknown;
}

/** Names of one document's components; what `.meta()` says of a schema holds in every document. */
export class SchemaRegistry extends z.core.$ZodRegistry<SchemaMeta> {
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<SchemaMeta, S> | undefined {
    const own = super.get(schema);
    const common = z.globalRegistry.get(schema);
    return (own || common ? { ...common, ...own } : undefined) as z.core.$replace<SchemaMeta, S> | undefined;
  }
}

/** Schemas of a version's answers, for the documents: a class is a component of its own, named as Flink names it. */
export class ResponseSchemas {
  private readonly classes = new Map<string, z.ZodType>();

  constructor(
    private readonly spec: RestSpec,
    private readonly registry: SchemaRegistry,
  ) {}

  /** Schema of a value of the type, null included where Flink may write it. */
  of(type: TypeSpec): z.ZodType {
    switch (type.kind) {
      case 'integer':
        return z.int().meta({ format: 'int64' });
      case 'number':
        // Jackson quotes what is no JSON number.
        return z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);
      case 'boolean':
        return z.boolean();
      case 'string':
        return z.string();
      case 'id':
        return z.string().regex(/^[0-9a-f]{32}$/);
      case 'enum':
        return z.enum(this.spec.enumMembers(type.name) as [string, ...string[]]);
      case 'raw':
        return z.unknown();
      case 'array':
        return z.array(this.of(type.items!));
      case 'map':
        return z.record(z.string(), this.nullableOf(type.items!));
      case 'class':
        return this.ofClass(type.name);
    }
  }

  private nullableOf(type: TypeSpec): z.ZodType {
    return type.nullable || (type.kind !== 'integer' && type.kind !== 'number' && type.kind !== 'boolean') ? this.of(type).nullable() : this.of(type);
  }

  private ofClass(name: string): z.ZodType {
    const known = this.classes.get(name);
    if (known) return known;
    const variants = this.spec.variants(name);
    // Lazily, as a class may contain itself.
    const place = z.lazy((): z.ZodType => this.classes.get(name)!);
    this.classes.set(name, place);
    const schema = variants ? this.ofVariants(name, variants) : this.ofFields(name, {});
    this.registry.add(schema, { id: name.replaceAll(/[<>.]/g, '_').replace(/_$/, '') });
    this.classes.set(name, schema);
    return schema;
  }

  private ofVariants(name: string, { discriminator, subtypes }: { readonly discriminator: string; readonly subtypes: Readonly<Record<string, string>> }): z.ZodType {
    const options = Object.entries(subtypes).map(([value, className]) => this.ofFields(className, { [discriminator]: z.literal(value) }));
    return options.length === 1 ? options[0]! : z.union(options as [z.ZodType, z.ZodType, ...z.ZodType[]]).meta({ description: name });
  }

  private ofFields(className: string, before: Record<string, z.ZodType>): z.ZodType {
    const shape: Record<string, z.ZodType> = { ...before };
    for (const [field, type] of this.spec.fields(className)) shape[field] = type.omit === 'never' ? this.nullableOf(type) : this.of(type).optional();
    return z.strictObject(shape);
  }
}
