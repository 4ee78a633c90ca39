import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { open as openZip, type Entry, type ZipFile } from 'yauzl';
import { DashboardError, LIMITS, withFolders, type FileSource, type SourceFile } from './file-source.js';

/** The folder `web/` of a flink-dist (or flink-runtime-web) jar, unpacked into memory; null when it has none. */
export async function jarSource(jar: string): Promise<FileSource | null> {
  const files = new Map<string, SourceFile>();
  let total = 0;
  await eachEntry(jar, async (entry, zip) => {
    const name = entry.fileName;
    if (!name.startsWith('web/') || name.endsWith('/') || name.split('/').includes('..')) return;
    total += entry.uncompressedSize;
    if (total > LIMITS.totalBytes || files.size >= LIMITS.files) throw new DashboardError(`${jar}: web/ is larger than ${LIMITS.totalBytes} bytes or ${LIMITS.files} files`);
    const content = await readEntry(zip, entry);
    files.set(name.slice(4), { size: content.length, read: () => content });
  });
  if (!files.has('index.html')) return null;
  return withFolders(files);
}

function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error);
      const chunks: Buffer[] = [];
      // yauzl itself stops a stream that is longer than its header says.
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => resolve(Buffer.concat(chunks)));
      stream.once('error', reject);
    });
  });
}

function eachEntry(jar: string, visit: (entry: Entry, zip: ZipFile) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    openZip(jar, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) return reject(new DashboardError(`${jar} is no readable jar: ${error.message}`));
      const stop = (reason: Error): void => {
        zip.close();
        reject(reason instanceof DashboardError ? reason : new DashboardError(`${jar} is no readable jar: ${reason.message}`));
      };
      zip.on('entry', (entry: Entry) => visit(entry, zip).then(() => zip.readEntry(), stop));
      zip.once('end', () => {
        zip.close();
        resolve();
      });
      zip.once('error', stop);
      zip.readEntry();
    });
  });
}

/** Copies the first file that is asked for out of a zip; false when there is none. */
export async function copyOutOfZip(zipFile: string, wanted: (name: string) => boolean, to: string): Promise<boolean> {
  let found = false;
  await eachEntry(zipFile, async (entry, zip) => {
    if (found || !wanted(entry.fileName)) return;
    found = true;
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))));
    await pipeline(stream, createWriteStream(to));
  });
  return found;
}
