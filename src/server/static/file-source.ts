import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { open as openZip, type Entry, type ZipFile } from 'yauzl';

/** A file of the dashboard. */
export interface SourceFile {
  readonly size: number;
  readonly read: () => Buffer | NodeJS.ReadableStream;
}

/** Files by path below the root, without a slash in front (`assets/logo.svg`), and the folders there are. */
export interface FileSource {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly folders: ReadonlySet<string>;
}

/** A dashboard that cannot be read: the message says what was wrong. */
export class DashboardError extends Error {}

/** What an unpacked dashboard may take in memory, and one of its files. */
const LIMITS = { totalBytes: 256 * 1024 * 1024, files: 20_000 };

/** Files below this size are kept in memory. */
const IN_MEMORY_BYTES = 64 * 1024;

function withFolders(files: Map<string, SourceFile>): FileSource {
  const folders = new Set<string>();
  for (const name of files.keys()) for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at));
  return { files, folders };
}

/** The files in a folder that holds an index.html (or a folder `web/` that does). Links are not followed. */
export async function folderSource(root: string): Promise<FileSource> {
  const files = new Map<string, SourceFile>();
  const walk = async (folder: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(place, `${prefix}${entry.name}/`);
      else if (entry.isFile()) {
        const { size } = statSync(place);
        const content = size <= IN_MEMORY_BYTES ? readFileSync(place) : null;
        files.set(prefix + entry.name, { size, read: () => content ?? createReadStream(place) });
        if (files.size > LIMITS.files) throw new DashboardError(`${root} holds more than ${LIMITS.files} files`);
      }
    }
  };
  await walk(root, '');
  if (files.has('index.html')) return withFolders(files);
  const web = new Map([...files].filter(([name]) => name.startsWith('web/')).map(([name, file]) => [name.slice(4), file] as const));
  if (!web.has('index.html')) throw new DashboardError(`${root} holds no index.html, neither at its top nor in a folder web/`);
  return withFolders(web);
}

/** The folder `web/` of a flink-dist (or flink-runtime-web) jar, unpacked into memory. */
export async function jarSource(jar: string): Promise<FileSource> {
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
  if (!files.has('index.html')) throw new DashboardError(`${jar} holds no web/index.html; a flink-dist or flink-runtime-web jar does`);
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

/** Reads `--dashboard`: a folder or a jar. */
export async function dashboardSource(place: string): Promise<FileSource> {
  let isFolder: boolean;
  try {
    isFolder = statSync(place).isDirectory();
  } catch {
    throw new DashboardError(`${place} does not exist`);
  }
  return isFolder ? folderSource(place) : jarSource(place);
}

