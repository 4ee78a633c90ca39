/**
 * A small writer of the Java object serialization protocol (version 5): objects of classes that are described by hand, strings, arrays
 * of objects and of bytes. Equal strings are written once, as if they were one object.
 */
export interface ClassDescription {
  readonly name: string;
  readonly serialVersionUid: bigint;
  /** True where the class has a writeObject method (its data ends with a marker). */
  readonly hasWriteMethod: boolean;
  /** Primitive ones first, each group by name: the protocol's order. */
  readonly fields: readonly FieldDescription[];
  readonly parent: ClassDescription | null;
}

export interface FieldDescription {
  readonly name: string;
  /** `B` byte, `I` int, else the type's descriptor such as `Ljava/lang/String;` or `[B`. */
  readonly type: string;
}

export interface ObjectValue {
  readonly description: ClassDescription;
  /** By field name, over the whole hierarchy. */
  readonly fields: Readonly<Record<string, JavaValue>>;
}

export interface ArrayValue {
  readonly description: ClassDescription;
  readonly items: readonly JavaValue[] | Buffer;
}

/** Reference to the object that is being written itself (`this.cause == this`). */
export const SELF = Symbol('self');

export type JavaValue = null | string | number | ObjectValue | ArrayValue | typeof SELF;

const TC_NULL = 0x70;
const TC_REFERENCE = 0x71;
const TC_CLASSDESC = 0x72;
const TC_OBJECT = 0x73;
const TC_STRING = 0x74;
const TC_ARRAY = 0x75;
const TC_ENDBLOCKDATA = 0x78;
const TC_LONGSTRING = 0x7c;
const FIRST_HANDLE = 0x7e0000;
const SC_WRITE_METHOD = 1;
const SC_SERIALIZABLE = 2;

/** Java's modified UTF-8: NUL as two bytes, surrogates one by one. */
export function modifiedUtf8(text: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 1 && unit <= 0x7f) bytes.push(unit);
    else if (unit <= 0x7ff) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Buffer.from(bytes);
}

class ObjectWriter {
  private readonly chunks: Buffer[] = [];
  private readonly handles = new Map<object | string, number>();
  private nextHandle = FIRST_HANDLE;

  constructor() {
    this.bytes(Buffer.from([0xac, 0xed, 0x00, 0x05]));
  }

  result(): Buffer {
    return Buffer.concat(this.chunks);
  }

  value(value: JavaValue, self: ObjectValue | null): void {
    if (value === null) this.byte(TC_NULL);
    else if (value === SELF) this.reference(self!);
    else if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') throw new TypeError('A number needs a primitive field.');
    else if (this.handles.has(value)) this.reference(value);
    else if ('items' in value) this.array(value);
    else this.object(value);
  }

  private object(value: ObjectValue): void {
    this.byte(TC_OBJECT);
    this.classDescription(value.description);
    this.assign(value);
    const hierarchy: ClassDescription[] = [];
    for (let part: ClassDescription | null = value.description; part; part = part.parent) hierarchy.unshift(part);
    for (const part of hierarchy) {
      for (const field of part.fields) {
        const item = value.fields[field.name] ?? null;
        if (field.type === 'I') this.int(item as number);
        else if (field.type === 'B') this.byte(item as number);
        else this.value(item, value);
      }
      if (part.hasWriteMethod) this.byte(TC_ENDBLOCKDATA);
    }
  }

  private array(value: ArrayValue): void {
    this.byte(TC_ARRAY);
    this.classDescription(value.description);
    this.assign(value);
    this.int(value.items.length);
    if (Buffer.isBuffer(value.items)) this.bytes(value.items);
    else for (const item of value.items) this.value(item, null);
  }

  private string(text: string): void {
    if (this.handles.has(text)) return this.reference(text);
    const bytes = modifiedUtf8(text);
    const long = bytes.length > 0xffff;
    this.byte(long ? TC_LONGSTRING : TC_STRING);
    this.assign(text);
    if (long) this.int(0);
    if (long) this.int(bytes.length);
    else this.short(bytes.length);
    this.bytes(bytes);
  }

  private classDescription(description: ClassDescription | null): void {
    if (description === null) return this.byte(TC_NULL);
    if (this.handles.has(description)) return this.reference(description);
    this.byte(TC_CLASSDESC);
    this.utf(description.name);
    const uid = Buffer.alloc(8);
    uid.writeBigInt64BE(description.serialVersionUid);
    this.bytes(uid);
    this.assign(description);
    this.byte(SC_SERIALIZABLE | (description.hasWriteMethod ? SC_WRITE_METHOD : 0));
    this.short(description.fields.length);
    for (const field of description.fields) {
      this.byte(field.type.charCodeAt(0));
      this.utf(field.name);
      if (field.type.length > 1) this.string(field.type);
    }
    this.byte(TC_ENDBLOCKDATA);
    this.classDescription(description.parent);
  }

  private assign(key: object | string): void {
    this.handles.set(key, this.nextHandle++);
  }

  private reference(key: object | string): void {
    this.byte(TC_REFERENCE);
    this.int(this.handles.get(key)!);
  }

  private utf(text: string): void {
    const bytes = modifiedUtf8(text);
    this.short(bytes.length);
    this.bytes(bytes);
  }

  private byte(value: number): void {
    this.bytes(Buffer.from([value & 0xff]));
  }

  private short(value: number): void {
    this.bytes(Buffer.from([(value >> 8) & 0xff, value & 0xff]));
  }

  private int(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value | 0);
    this.bytes(bytes);
  }

  private bytes(bytes: Buffer): void {
    this.chunks.push(bytes);
  }
}

/** The stream that ObjectOutputStream makes of one object. */
export function writeJavaObject(value: ObjectValue): Buffer {
  const writer = new ObjectWriter();
  writer.value(value, null);
  return writer.result();
}
