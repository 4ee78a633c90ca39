/**
 * Reads a stream of Java's object serialization protocol into plain values, without any class: enough to find ids, names and numbers in
 * a submitted job graph. Bounded in objects and depth, because the stream comes from outside.
 */
export type JavaValue = null | boolean | number | bigint | string | JavaObject | JavaArray | JavaEnum | JavaClassReference | Buffer;

export interface JavaObject {
  readonly kind: 'object';
  readonly className: string;
  /** Names of the class and its parents, itself first. */
  readonly classNames: readonly string[];
  /** By field name; where a class hides a field of its parent, the child's. */
  readonly fields: Map<string, JavaValue>;
  /** What writeObject methods added: values, and raw data as buffers. */
  readonly annotations: JavaValue[];
}

export interface JavaArray {
  readonly kind: 'array';
  readonly className: string;
  items: JavaValue[] | Buffer;
}

export interface JavaEnum {
  readonly kind: 'enum';
  readonly className: string;
  readonly constant: string;
}

export interface JavaClassReference {
  readonly kind: 'class';
  readonly className: string;
}

export class JavaStreamError extends Error {}

interface ClassDescription {
  readonly kind: 'description';
  readonly name: string;
  flags: number;
  fields: { readonly type: string; readonly name: string }[];
  parent: ClassDescription | null;
}

const FIRST_HANDLE = 0x7e0000;
const SC_WRITE_METHOD = 1;
const SC_SERIALIZABLE = 2;
const SC_EXTERNALIZABLE = 4;
const SC_BLOCK_DATA = 8;
const MAX_HANDLES = 2_000_000;
const MAX_DEPTH = 1_200;
const MAX_PARENTS = 100;
const END = Symbol('end of block data');

class StreamReader {
  private position = 0;
  private depth = 0;
  private readonly handles: unknown[] = [];

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < 6 || bytes.readUInt16BE(0) !== 0xaced || bytes.readUInt16BE(2) !== 5) throw new JavaStreamError('Not a Java serialization stream.');
    this.position = 4;
  }

  content(): JavaValue {
    const value = this.contentOrEnd();
    if (value === END) throw new JavaStreamError('Unexpected end of block data.');
    return value;
  }

  private contentOrEnd(): JavaValue | typeof END {
    if (++this.depth > MAX_DEPTH) throw new JavaStreamError('Nested too deeply.');
    try {
      const code = this.u1();
      switch (code) {
        case 0x70:
          return null;
        case 0x71:
          return this.referencedValue();
        case 0x72:
        case 0x7d:
          this.position--;
          return { kind: 'class', className: this.classDescription()?.name ?? '' };
        case 0x73:
          return this.object();
        case 0x74:
          return this.assign(this.utf(this.u2()));
        case 0x7c:
          return this.assign(this.utf(this.length8()));
        case 0x75:
          return this.array();
        case 0x76: {
          const description = this.classDescription();
          return this.assign({ kind: 'class' as const, className: description?.name ?? '' });
        }
        case 0x77:
          return this.raw(this.u1());
        case 0x7a:
          return this.raw(this.i4());
        case 0x78:
          return END;
        case 0x79:
          this.handles.length = 0;
          return this.contentOrEnd();
        case 0x7e:
          return this.enumConstant();
        default:
          throw new JavaStreamError(`Unknown type code 0x${code.toString(16)} at ${this.position - 1}.`);
      }
    } finally {
      this.depth--;
    }
  }

  private object(): JavaObject {
    const description = this.classDescription();
    if (!description) throw new JavaStreamError('An object without a class.');
    const hierarchy: ClassDescription[] = [];
    for (let part: ClassDescription | null = description; part; part = part.parent) {
      if (hierarchy.push(part) > MAX_PARENTS) throw new JavaStreamError('A class that descends from itself.');
    }
    const object: JavaObject = { kind: 'object', className: description.name, classNames: hierarchy.map(({ name }) => name), fields: new Map(), annotations: [] };
    this.assign(object);
    for (const part of hierarchy.reverse()) {
      if (part.flags & SC_SERIALIZABLE) {
        for (const field of part.fields) object.fields.set(field.name, this.fieldValue(field.type));
        if (part.flags & SC_WRITE_METHOD) this.annotations(object.annotations);
      } else if (part.flags & SC_EXTERNALIZABLE) {
        if (!(part.flags & SC_BLOCK_DATA)) throw new JavaStreamError('Externalizable data of protocol version 1.');
        this.annotations(object.annotations);
      }
    }
    return object;
  }

  private annotations(into: JavaValue[]): void {
    for (;;) {
      const value = this.contentOrEnd();
      if (value === END) return;
      into.push(value);
    }
  }

  private array(): JavaArray {
    const description = this.classDescription();
    const type = description?.name[1] ?? '';
    const array: JavaArray = { kind: 'array', className: description?.name ?? '', items: [] };
    this.assign(array);
    const length = this.i4();
    if (length < 0 || length > this.bytes.length) throw new JavaStreamError('An array longer than the stream.');
    if (type === 'B') array.items = this.raw(length);
    else {
      const items: JavaValue[] = [];
      for (let i = 0; i < length; i++) items.push(this.fieldValue(type));
      array.items = items;
    }
    return array;
  }

  private enumConstant(): JavaEnum {
    const description = this.classDescription();
    const handle = this.handles.length;
    this.assign(null);
    const constant = this.content();
    const value: JavaEnum = { kind: 'enum', className: description?.name ?? '', constant: String(constant) };
    this.handles[handle] = value;
    return value;
  }

  private classDescription(): ClassDescription | null {
    const code = this.u1();
    if (code === 0x70) return null;
    if (code === 0x71) {
      const known = this.reference() as { kind?: unknown } | null;
      if (known === null || known.kind !== 'description') throw new JavaStreamError('A reference to something that is no class description.');
      return known as ClassDescription;
    }
    if (code === 0x7d) {
      const proxy: ClassDescription = { kind: 'description', name: '$Proxy', flags: SC_SERIALIZABLE, fields: [], parent: null };
      this.assign(proxy);
      for (let count = this.i4(); count > 0; count--) this.utf(this.u2());
      this.annotations([]);
      proxy.parent = this.classDescription();
      return proxy;
    }
    if (code !== 0x72) throw new JavaStreamError(`A class description was expected at ${this.position - 1}.`);
    const description: ClassDescription = { kind: 'description', name: this.utf(this.u2()), flags: 0, fields: [], parent: null };
    this.position += 8;
    this.assign(description);
    description.flags = this.u1();
    for (let count = this.u2(); count > 0; count--) {
      const type = String.fromCharCode(this.u1());
      const name = this.utf(this.u2());
      if (type === 'L' || type === '[') this.content();
      description.fields.push({ type, name });
    }
    this.annotations([]);
    description.parent = this.classDescription();
    return description;
  }

  private fieldValue(type: string): JavaValue {
    switch (type) {
      case 'B':
        return (this.u1() << 24) >> 24;
      case 'C':
        return this.u2();
      case 'S':
        return (this.u2() << 16) >> 16;
      case 'Z':
        return this.u1() !== 0;
      case 'I':
        return this.i4();
      case 'F':
        return this.raw(4).readFloatBE(0);
      case 'J':
        return this.raw(8).readBigInt64BE(0);
      case 'D':
        return this.raw(8).readDoubleBE(0);
      case 'L':
      case '[':
        return this.content();
      default:
        throw new JavaStreamError(`Unknown field type ${type}.`);
    }
  }

  private assign<T>(value: T): T {
    if (this.handles.length >= MAX_HANDLES) throw new JavaStreamError('Too many objects.');
    this.handles.push(value);
    return value;
  }

  private referencedValue(): JavaValue {
    const value = this.reference() as JavaValue | ClassDescription;
    const isDescription = value !== null && typeof value === 'object' && !Buffer.isBuffer(value) && value.kind === 'description';
    return isDescription ? { kind: 'class', className: value.name } : (value as JavaValue);
  }

  private reference(): unknown {
    const index = this.i4() - FIRST_HANDLE;
    if (index < 0 || index >= this.handles.length) throw new JavaStreamError('A reference to nothing.');
    return this.handles[index];
  }

  /** Bytes that lie in the stream; the buffer shares its memory. */
  private raw(length: number): Buffer {
    if (length < 0 || this.position + length > this.bytes.length) throw new JavaStreamError('Unexpected end of the stream.');
    this.position += length;
    return this.bytes.subarray(this.position - length, this.position);
  }

  /** Modified UTF-8 read as UTF-8: NULs and characters beyond the basic plane, which names hardly have, may come out otherwise. */
  private utf(length: number): string {
    return this.raw(length).toString('utf8');
  }

  private u1(): number {
    return this.raw(1)[0]!;
  }

  private u2(): number {
    return this.raw(2).readUInt16BE(0);
  }

  private i4(): number {
    return this.raw(4).readInt32BE(0);
  }

  private length8(): number {
    const length = this.raw(8).readBigInt64BE(0);
    if (length > BigInt(this.bytes.length)) throw new JavaStreamError('A string longer than the stream.');
    return Number(length);
  }
}

/** The first object of a stream. Throws JavaStreamError where it cannot be read. */
export function readJavaObject(bytes: Buffer): JavaValue {
  return new StreamReader(bytes).content();
}
