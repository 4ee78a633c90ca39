import { describe, expect, it } from 'vitest';
import { abstractIdHash, hashMapOrder, hashSetCopyOrder, objectsHash, stringHash } from '../../../src/rest/java/hash-order.js';
import { JavaStreamError, readJavaObject, type JavaArray, type JavaObject, type JavaValue } from '../../../src/rest/jars/java-serialization.js';
import { serializeThrowable } from '../../../src/rest/operations/serialized-throwable.js';
import { parseStackTrace, printStackTrace } from '../../../src/rest/operations/java-stack-trace.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { loadRecording } from '../../golden/recording.js';
import { loadSubmission } from './submission-sample.js';

const RECORDED = ['1.9.3', '1.13.6', '1.20.5', '2.3.0'];

interface FailureCause {
  class: string;
  'stack-trace': string;
  'serialized-throwable': string;
}

function recordedFailure(version: string): FailureCause {
  const answer = loadRecording(version).records.find(({ name }) => name === 'dispose missing status (last poll)')!.json as { operation: { 'failure-cause': FailureCause } };
  return answer.operation['failure-cause'];
}

/** An object without its identity: nested serialized exceptions are read too. */
function plain(value: JavaValue, seen = new Map<unknown, number>()): unknown {
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value) || value.kind === 'enum' || value.kind === 'class') return value;
  if (seen.has(value)) return `#${seen.get(value)}`;
  seen.set(value, seen.size);
  if (value.kind === 'array') return Buffer.isBuffer(value.items) ? plain(readJavaObject(value.items)) : value.items.map((item) => plain(item, seen));
  return { class: value.classNames, fields: Object.fromEntries([...value.fields].map(([name, item]) => [name, plain(item, seen)])), annotations: value.annotations };
}

describe("Java's hash tables", () => {
  it.each(RECORDED)('give the keys of the configuration in the order recorded from %s', (version) => {
    const entries = loadRecording(version).records.find(({ name }) => name === '[running] /jobmanager/config')!.json as { key: string }[];
    const keys = entries.map(({ key }) => key);
    const buckets = hashSetCopyOrder(hashMapOrder(keys, stringHash), stringHash);
    expect(buckets).toEqual(keys);
    expect(hashSetCopyOrder([...keys].sort(), stringHash).slice(0, 5)).toEqual(keys.slice(0, 5));
  });

  it('hash texts and ids as Java does', () => {
    expect(stringHash('Aa')).toBe(stringHash('BB'));
    // keys of the trigger and job 000…0, as recorded: OperationKey@1f, AsynchronousJobOperationKey@782
    const zero = '0'.repeat(32);
    expect(objectsHash(abstractIdHash(zero)).toString(16)).toBe('1f');
    expect(objectsHash(objectsHash(abstractIdHash(zero)), abstractIdHash(zero)).toString(16)).toBe('782');
    // recorded from 1.9.3: AsynchronousJobOperationKey@7a9237d2 for trigger 000…0 of job A
    expect((objectsHash(objectsHash(31 * 0), abstractIdHash('14a5db1ec19ad867b1645caf1ec96f86')) >>> 0).toString(16)).toBe('7a9237d2');
  });

  it('keep the order of insertion within a bucket', () => {
    expect(hashMapOrder(['BB', 'Aa'], stringHash)).toEqual(['BB', 'Aa']);
    expect(hashMapOrder(['Aa', 'BB'], stringHash)).toEqual(['Aa', 'BB']);
  });
});

/** Class names and their serialVersionUID as they stand in a stream, nested streams included. */
function versionUids(stream: Buffer): Map<string, string> {
  const uids = new Map<string, string>();
  for (const match of stream.toString('latin1').matchAll(/r\0([\x03-\x7f])([\x20-\x7e]+)/g)) {
    const name = match[2]!.slice(0, match[1]!.charCodeAt(0));
    const at = match.index + 3 + name.length;
    if (name.length === match[1]!.charCodeAt(0)) uids.set(name, stream.subarray(at, at + 8).toString('hex'));
  }
  return uids;
}

describe('a stack trace', () => {
  it.each(RECORDED)('is read and printed again as recorded from %s', (version) => {
    const text = recordedFailure(version)['stack-trace'];
    expect(printStackTrace(parseStackTrace(text))).toBe(text);
  });

  it('may have a message of several lines and no frames', () => {
    const throwable = parseStackTrace('java.lang.IllegalStateException: first\nsecond\n');
    expect(throwable).toEqual({ className: 'java.lang.IllegalStateException', message: 'first\nsecond', frames: [], cause: null });
    expect(parseStackTrace('just words: no class')).toMatchObject({ className: 'java.lang.Exception', message: 'just words: no class' });
  });
});

describe('a serialized throwable', () => {
  it.each(RECORDED)('is the object that real Flink %s sent', (version) => {
    const recorded = recordedFailure(version);
    const body = serializeThrowable(recorded['stack-trace'], parseFlinkVersion(version)!);
    expect(body.class).toBe(recorded.class);
    expect(body['stack-trace']).toBe(recorded['stack-trace']);
    const [mine, theirs] = [body, recorded].map((cause) => readJavaObject(Buffer.from(cause['serialized-throwable'], 'base64')));
    expect(plain(mine!)).toEqual(plain(theirs!));
    const [myUids, theirUids] = [body, recorded].map((cause) => versionUids(Buffer.from(cause['serialized-throwable'], 'base64')));
    expect(theirUids!.size).toBeGreaterThan(6);
    expect(myUids).toEqual(theirUids);
  });

  it.each(['1.20.5', '2.3.0'])('is the same to the byte for %s', (version) => {
    const recorded = recordedFailure(version);
    expect(serializeThrowable(recorded['stack-trace'], parseFlinkVersion(version)!)['serialized-throwable']).toBe(recorded['serialized-throwable']);
  });

  it('carries only its description when its class cannot be written', () => {
    const body = serializeThrowable('com.example.Custom: no way\n\tat com.example.Main.run(Main.java:3)\n', parseFlinkVersion('1.20.5')!);
    const object = readJavaObject(Buffer.from(body['serialized-throwable'], 'base64')) as JavaObject;
    expect(object.className).toBe('org.apache.flink.util.SerializedThrowable');
    expect(object.fields.get('serializedException')).toBeNull();
    expect(object.fields.get('originalErrorClassName')).toBe('com.example.Custom');
    expect(object.fields.get('detailMessage')).toBe('com.example.Custom: no way');
    expect((object.fields.get('stackTrace') as JavaArray).items).toHaveLength(1);
  });

  it('survives texts over 64 KiB and beyond the basic plane', () => {
    const message = `${'ä'.repeat(40_000)}😀\0`;
    const object = readJavaObject(Buffer.from(serializeThrowable(`java.lang.Exception: ${message}`, parseFlinkVersion('1.9')!)['serialized-throwable'], 'base64')) as JavaObject;
    expect((object.fields.get('detailMessage') as string).startsWith('ä'.repeat(40_000))).toBe(true);
  });
});

describe('a broken stream of serialized objects', () => {
  const { graph } = loadSubmission('1.20.5');

  it.each([0, 3, 4, 50, 500, 5_000])('that ends after %i bytes is refused', (length) => {
    expect(() => readJavaObject(graph.subarray(0, length))).toThrow(JavaStreamError);
  });

  it('never does more than throw a JavaStreamError, wherever a byte is wrong', () => {
    for (let i = 4; i < graph.length; i += 97) {
      const broken = Buffer.from(graph);
      broken[i] = (broken[i]! + 101) & 0xff;
      try {
        readJavaObject(broken);
      } catch (error) {
        expect(error).toBeInstanceOf(JavaStreamError);
      }
    }
  });

  it('that nests without end is refused', () => {
    // Object arrays of one object array each.
    const descriptor = Buffer.from('75720013' + Buffer.from('[Ljava.lang.Object;').toString('hex') + '90ce589f1073296c0200007870' + '00000001', 'hex');
    const again = Buffer.from('7571007e000000000001', 'hex');
    const stream = Buffer.concat([Buffer.from('aced0005', 'hex'), descriptor, ...Array.from({ length: 100_000 }, () => again)]);
    expect(() => readJavaObject(stream)).toThrow(/Nested too deeply/);
  });
});
