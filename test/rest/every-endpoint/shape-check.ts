import { checkpointSubclass, customField, customShape, customShapeAt, discriminator, HAS_SUBCLASSES, LEAVES_OUT_NULLS } from './custom-shapes.js';
import type { Shape } from './spec.js';

const HEX_ID = /^[0-9a-f]{32}$/;
const QUOTED_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity']);

/** Compares an answer's body with the shape that the release's classes give it. */
export class ShapeCheck {
  /** What does not fit, by path. */
  readonly problems: string[] = [];
  /** Paths of fields that a body had. */
  readonly seen = new Set<string>();
  /** Paths that were null where the class has no rule against it (text, objects). */
  readonly nulls = new Set<string>();
  /** Paths of all fields that the shapes walked through have. */
  readonly known = new Set<string>();
  private readonly enclosing = new Map<string, Shape>();

  constructor(private readonly release: string) {}

  check(value: unknown, shape: Shape, path: string, field = ''): void {
    const { java } = shape;
    const custom = java === undefined ? undefined : (customShape(java, this.release) ?? customShapeAt(java, field, this.release));
    // The class's own rules about nulls go on.
    if (custom) return this.check(value, { ...custom, ...(shape.nullable ? { nullable: true } : {}) }, path);
    if (value === null) return this.checkNull(shape, path);
    switch (shape.type) {
      case 'any':
        return;
      case 'integer':
        return this.expect(typeof value === 'number' && Number.isInteger(value), path, 'a whole number', value);
      case 'number':
        return this.expect(typeof value === 'number' || QUOTED_NUMBERS.has(value as string), path, 'a number', value);
      case 'boolean':
        return this.expect(typeof value === 'boolean', path, 'true or false', value);
      case 'string':
        if (typeof value !== 'string') return this.expect(false, path, 'a text', value);
        if (java === 'hex') this.expect(HEX_ID.test(value), path, '32 hexadecimal digits', value);
        if (shape.enum) this.expect(shape.enum.includes(value), path, `one of ${shape.enum.join(', ')}`, value);
        return;
      case 'array':
        if (!Array.isArray(value)) return this.expect(false, path, 'a list', value);
        for (const item of value) this.check(item, shape.items!, `${path}[]`);
        if (value.length === 0) this.learn(shape.items!, `${path}[]`);
        return;
      case 'object':
        return this.checkObject(value, shape, path);
    }
  }

  private checkNull(shape: Shape, path: string): void {
    if (shape.nullable || shape.type === 'any') return;
    if (shape.type === 'integer' || shape.type === 'number' || shape.type === 'boolean') this.expect(false, path, 'no null', null);
    else {
      this.nulls.add(path);
      this.learn(shape, path);
    }
  }

  /** Notes the fields of what is not there. */
  private learn(shape: Shape, path: string): void {
    const custom = shape.java === undefined ? undefined : customShape(shape.java, this.release);
    if (custom) return this.learn(custom, path);
    if (shape.items) return this.learn(shape.items, `${path}[]`);
    if (shape.additionalProperties) return this.learn(shape.additionalProperties, `${path}{}`);
    for (const [key, child] of Object.entries(shape.properties ?? {})) {
      const at = `${path}.${key}`;
      this.known.add(at);
      this.learn(child, at);
    }
  }

  private checkObject(value: unknown, shape: Shape, path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.expect(false, path, 'an object', value);
    const body = value as Record<string, unknown>;
    const { java } = shape;
    if (shape.additionalProperties && !shape.properties) {
      for (const item of Object.values(body)) this.check(item, shape.additionalProperties, `${path}{}`);
      if (Object.keys(body).length === 0) this.learn(shape.additionalProperties, `${path}{}`);
      return;
    }
    if (shape.recursive) {
      const outer = this.enclosing.get(java!);
      return outer ? this.checkObject(value, outer, path) : this.expect(false, path, `a known ${java}`, value);
    }
    let properties = shape.properties ?? {};
    if (java && HAS_SUBCLASSES.has(java)) {
      const more = checkpointSubclass(java, body[discriminator(this.release)], this.release);
      if (!more) return this.expect(false, path, `a ${java} with ${discriminator(this.release)}`, body[discriminator(this.release)]);
      properties = { ...more, ...properties };
    }
    const before = java === undefined ? undefined : this.enclosing.get(java);
    if (java) this.enclosing.set(java, shape);
    this.checkFields(body, properties, path, java ?? '', (java !== undefined && LEAVES_OUT_NULLS[java]) || []);
    if (java) {
      if (before) this.enclosing.set(java, before);
      else this.enclosing.delete(java);
    }
  }

  private checkFields(body: Record<string, unknown>, properties: Readonly<Record<string, Shape>>, path: string, java: string, leftOut: readonly string[] | 'all'): void {
    for (const key of Object.keys(body)) if (!(key in properties)) this.problems.push(`${path}: has a key ${key} that the class has not`);
    for (const [key, shape] of Object.entries(properties)) {
      const at = `${path}.${key}`;
      const mayBeAbsent = shape.include !== undefined || leftOut === 'all' || leftOut.includes(key);
      // A tree's levels are one.
      const depthless = at.replace(/(\.children\[\])+/g, '.children[]');
      this.known.add(depthless);
      if (!(key in body)) {
        if (!mayBeAbsent) this.problems.push(`${at} is missing`);
        continue;
      }
      this.seen.add(depthless);
      const item = body[key];
      if (mayBeAbsent && item === null) this.problems.push(`${at} is null, where the key is to be left out`);
      if (shape.include === 'NON_EMPTY' && Array.isArray(item) && item.length === 0) this.problems.push(`${at} is empty, where the key is to be left out`);
      this.check(item, customField(java, key, this.release) ?? shape, depthless, key);
    }
  }

  private expect(fits: boolean, path: string, expected: string, value: unknown): void {
    if (!fits) this.problems.push(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, not ${expected}`);
  }
}
