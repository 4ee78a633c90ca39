import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DashboardError } from './file-source.js';

const BLOCK_BYTES = 512;

/** What an archive may unpack to: Flink's are below 600 MB. */
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;

/** Names of entries that are longer than a header has room for stand in an entry of their own. */
const MAX_NAME_BYTES = 64 * 1024;

/** Takes so many bytes from a stream at a time, whatever its chunks are. */
class ByteReader {
  private rest = Buffer.alloc(0);
  private taken = 0;
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** Up to so many bytes, at least one; null at the end. */
  async some(atMost: number): Promise<Buffer | null> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return null;
      this.rest = next.value as Buffer<ArrayBuffer>;
      this.taken += this.rest.length;
      if (this.taken > MAX_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    }
    const part = this.rest.subarray(0, atMost);
    this.rest = this.rest.subarray(part.length);
    return part;
  }

  /** Exactly so many bytes, in pieces. */
  async *pieces(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const piece = await this.some(left);
      if (piece === null) throw new Error('it ends too early');
      left -= piece.length;
      yield piece;
    }
  }

  async bytes(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const piece of this.pieces(count)) parts.push(piece);
    return Buffer.concat(parts);
  }

  async skip(count: number): Promise<void> {
    for await (const _ of this.pieces(count));
  }
}

const text = (header: Buffer, from: number, length: number): string => header.toString('utf8', from, from + length).replace(/\0[^]*$/, '');

function sizeOf(header: Buffer): number {
  // Sizes of 8 GiB and above are binary, marked by the highest bit.
  const size = header[124]! & 0x80 ? Number.NaN : parseInt(text(header, 124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('an entry has no readable size');
  return size;
}

function checksumFits(header: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= 148 && at < 156 ? 32 : header[at]!;
  return parseInt(text(header, 148, 8).trim(), 8) === sum;
}

/** `path` of a pax header's `length key=value` lines. */
function paxPath(records: string): string | null {
  return /^\d+ path=(.*)$/m.exec(records)?.[1] ?? null;
}

async function search(reader: ByteReader, wanted: (name: string) => boolean, to: string): Promise<boolean> {
  let longName: string | null = null;
  for (;;) {
    const header = await reader.bytes(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return false;
    if (!checksumFits(header)) throw new Error('it holds no tar archive');
    const size = sizeOf(header);
    const padding = (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
    const type = String.fromCharCode(header[156]!);
    if (type === 'L' || type === 'x') {
      if (size > MAX_NAME_BYTES) throw new Error('the name of an entry is too long');
      const content = (await reader.bytes(size)).toString('utf8');
      longName = type === 'L' ? content.replace(/\0[^]*$/, '') : (paxPath(content) ?? longName);
      await reader.skip(padding);
      continue;
    }
    const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(header, 345, 155) : '';
    const name: string = longName ?? (prefix === '' ? '' : `${prefix}/`) + text(header, 0, 100);
    longName = null;
    if ((type === '0' || type === '\0') && wanted(name)) {
      await pipeline(reader.pieces(size), createWriteStream(to));
      return true;
    }
    await reader.skip(size + padding);
  }
}

/** Copies the first file that is asked for out of a gzipped tar archive; false when there is none. */
export async function copyOutOfTarGz(archive: string, wanted: (name: string) => boolean, to: string): Promise<boolean> {
  const file = createReadStream(archive);
  const unzipped = createGunzip();
  file.once('error', (error) => unzipped.destroy(error));
  try {
    return await search(new ByteReader(file.pipe(unzipped)), wanted, to);
  } catch (error) {
    throw new DashboardError(`${archive} is no readable .tgz: ${(error as Error).message}`);
  } finally {
    file.destroy();
    unzipped.destroy();
  }
}
