import v8 from 'node:v8';

/** As documented by Node, but not in its types. */
const Deserializer = v8.DefaultDeserializer as unknown as new (bytes: Buffer) => v8.Deserializer & { _readHostObject(): Float64Array };

/** V8's reader gives arrays that lie in the bytes themselves; here each has memory of its own, so that the bytes stay what they are. */
class OwningDeserializer extends Deserializer {
  override _readHostObject(): Float64Array {
    return super._readHostObject().slice();
  }
}

/** Plain data (objects, maps, typed arrays, shared references) as bytes: V8's structured clone. */
export function writePlainData(value: unknown): Buffer {
  return v8.serialize(value);
}

/** What writePlainData wrote; throws for anything else, and for what a later version of V8 wrote. */
export function readPlainData(bytes: Buffer): unknown {
  const reader = new OwningDeserializer(bytes);
  reader.readHeader();
  return reader.readValue();
}
