import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containsClass, entryClasses, JarFormatError, parseManifest, readManifest } from '../../../src/rest/jars/jar-manifest.js';
import { JarStore, JarStoreFullError } from '../../../src/rest/jars/jar-store.js';
import { tokenizeArguments } from '../../../src/rest/jars/program-arguments.js';

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

const BP_JAR = fileURLToPath(new URL('../../golden/jars/bp-1.jar', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jar-store-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function upload(name = 'upload.jar'): Promise<string> {
  const path = join(folder, name);
  await copyFile(BP_JAR, path);
  return path;
}

describe('a jar', () => {
  it('names its entry class in its manifest', async () => {
    expect(entryClasses(await readManifest(BP_JAR))).toEqual(['Bp']);
  });

  it('holds classes', async () => {
    expect(await containsClass(BP_JAR, 'Bp')).toBe(true);
    expect(await containsClass(BP_JAR, 'Nope')).toBe(false);
  });

  it.each([['nothing', Buffer.alloc(0)], ['text', Buffer.from('hello')], ['a zip header alone', Buffer.from('504b0304', 'hex')], ['an end that points nowhere', Buffer.from('504b050600000000ffffffff0000ffff0000ffff0000', 'hex')]])(
    'that is %s is said to be no zip',
    async (_what, bytes) => {
      const path = join(folder, 'broken.jar');
      await writeFile(path, bytes);
      await expect(readManifest(path)).rejects.toBeInstanceOf(JarFormatError);
    },
  );
});

/** A zip of one entry, whose headers may lie about its size. */
function zipOf(name: string, content: Buffer, saidSize = content.length): Buffer {
  const data = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(saidSize, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, Buffer.from(name), data]);
  const central = Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

describe('a manifest in a hostile jar', () => {
  const MANIFEST = 'META-INF/MANIFEST.MF';
  const written = async (bytes: Buffer) => {
    const path = join(folder, 'hostile.jar');
    await writeFile(path, bytes);
    return path;
  };

  it('is read where nothing is wrong with it', async () => {
    expect(entryClasses(await readManifest(await written(zipOf(MANIFEST, Buffer.from('Main-Class: A\n')))))).toEqual(['A']);
  });

  it.each<[string, number | undefined]>([['of 5 MB', undefined], ['of 5 MB that is said to be 10 bytes', 10], ['of 5 MB that is said to be 1000 bytes', 1000]])('%s is not read', async (_what, said) => {
    const path = await written(zipOf(MANIFEST, Buffer.alloc(5_000_000, 0x20), said));
    await expect(readManifest(path)).rejects.toBeInstanceOf(JarFormatError);
  });
});

describe('a manifest', () => {
  it('may continue a value on the next line and names are not case-sensitive', () => {
    expect(entryClasses(parseManifest('Manifest-Version: 1.0\r\nmain-class: com.example.\r\n Job\r\n\r\nName: x\r\nMain-Class: Other\r\n'))).toEqual(['com.example.Job']);
  });

  it('may list several program classes, which go before the main class', () => {
    expect(entryClasses(parseManifest('Main-Class: A\nprogram-class: B, C\n'))).toEqual(['B', 'C']);
    expect(entryClasses(parseManifest('Created-By: x\n'))).toEqual([]);
    expect(entryClasses(null)).toEqual([]);
  });
});

describe('the jar store', () => {
  it('lists the newest first, finds and removes', async () => {
    const store = new JarStore(join(folder, 'store'));
    await store.add(await upload(), 'bp.jar', 'a_bp.jar', 1000);
    await store.add(await upload(), 'bp.jar', 'b_bp.jar', 2000);
    expect(store.list().map(({ id, name, entryClasses: entries }) => [id, name, entries])).toEqual([['b_bp.jar', 'bp.jar', ['Bp']], ['a_bp.jar', 'bp.jar', ['Bp']]]);
    expect(await readdir(join(folder, 'store'))).toHaveLength(2);
    expect(await store.remove('a_bp.jar')).toBe(true);
    expect(await store.remove('a_bp.jar')).toBe(false);
    expect(await readdir(join(folder, 'store'))).toHaveLength(1);
  });

  it('finds nothing outside its folder, whatever the id looks like', async () => {
    const store = new JarStore(join(folder, 'store'));
    await upload('secret.jar');
    for (const id of ['../secret.jar', join(folder, 'secret.jar'), 'secret.jar\0', '__proto__']) {
      expect(store.find(id)).toBeNull();
      expect(await store.remove(id)).toBe(false);
    }
    expect(await readdir(folder)).toContain('secret.jar');
  });

  it('takes no more jars and no more bytes than its limits, and room comes back', async () => {
    const two = new JarStore(join(folder, 'two'), { maxJars: 2, maxTotalBytes: 1e9 });
    await two.add(await upload(), 'bp.jar', '1', 1);
    await two.add(await upload(), 'bp.jar', '2', 2);
    await expect(two.add(await upload(), 'bp.jar', '3', 3)).rejects.toBeInstanceOf(JarStoreFullError);
    await two.remove('1');
    await two.add(await upload(), 'bp.jar', '3', 3);
    const small = new JarStore(join(folder, 'small'), { maxJars: 9, maxTotalBytes: 6000 });
    await small.add(await upload(), 'bp.jar', '1', 1);
    await expect(small.add(await upload(), 'bp.jar', '2', 2)).rejects.toBeInstanceOf(JarStoreFullError);
  });

  it('keeps a jar that is none, and says why it cannot be read', async () => {
    const path = join(folder, 'x.jar');
    await writeFile(path, 'no zip');
    const jar = await new JarStore(join(folder, 'store')).add(path, 'x.jar', 'x', 1);
    expect([jar.manifest, jar.entryClasses, typeof jar.unreadable]).toEqual([null, [], 'string']);
  });
});

describe('programArgs', () => {
  it.each<[string, string[]]>([
    ['--a 1 --b 2', ['--a', '1', '--b', '2']],
    ['--name "A exactly once" --x \'y z\'', ['--name', 'A exactly once', '--x', 'y z']],
    ['--a   1 ', ['--a', '1']],
    ['   ', []],
    ['--k=v"w', ['--k=vw']],
    ['', []],
  ])('%s', (text, words) => {
    expect(tokenizeArguments(text)).toEqual(words);
  });
});
