import { createReadStream, lstatSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

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
export const LIMITS = { totalBytes: 256 * 1024 * 1024, files: 20_000 };

/** Files below this size are kept in memory. */
const IN_MEMORY_BYTES = 64 * 1024;

/** Files with the folders that they are in. */
export function withFolders(files: Map<string, SourceFile>): FileSource {
  const folders = new Set<string>();
  for (const name of files.keys()) for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at));
  return { files, folders };
}

function isFile(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The folder that holds the dashboard's index.html: this one, or `web/` in it; null when neither does. */
export function webFolder(root: string): string | null {
  return [root, path.join(root, 'web')].find((folder) => isFile(path.join(folder, 'index.html'))) ?? null;
}

/** The files in a folder. Links are not followed. */
export async function folderSource(root: string): Promise<FileSource> {
  const files = new Map<string, SourceFile>();
  const walk = async (folder: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(place, `${prefix}${entry.name}/`);
      else if (entry.isFile()) {
        const { size } = lstatSync(place);
        const content = size <= IN_MEMORY_BYTES ? readFileSync(place) : null;
        files.set(prefix + entry.name, { size, read: () => content ?? createReadStream(place) });
        if (files.size > LIMITS.files) throw new DashboardError(`${root} holds more than ${LIMITS.files} files`);
      }
    }
  };
  await walk(root, '');
  return withFolders(files);
}
