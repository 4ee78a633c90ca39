import { closeSync, openSync, readdirSync, readSync, statSync, type Stats } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DashboardError, folderSource, webFolder, type FileSource } from './file-source.js';
import { copyOutOfZip, jarSource } from './jar-source.js';
import { copyOutOfTarGz } from './tar-file.js';

const isFlinkJar = (name: string): boolean => /^flink-(dist|runtime-web)[^/]*\.jar$/.test(path.posix.basename(name));

async function jarInside(archive: string, copy: typeof copyOutOfZip): Promise<FileSource | null> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'flink-dashboard-'));
  try {
    const jar = path.join(scratch, 'flink.jar');
    return (await copy(archive, isFlinkJar, jar)) ? await jarSource(jar) : null;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function ofFolder(root: string): Promise<FileSource> {
  const web = webFolder(root);
  if (web !== null) return folderSource(web);
  // an unpacked distribution
  const lib = path.join(root, 'lib');
  const jar = [...filesIn(lib), ...filesIn(root)].find(isFlinkJar);
  const source = jar === undefined ? null : await jarSource(jar);
  if (source === null) throw new DashboardError(`${root} holds no index.html, neither at its top nor in a folder web/, and no flink-dist jar`);
  return source;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [path.join(folder, entry.name)] : []));
  } catch {
    return [];
  }
}

/** The first bytes of a file say what it is, whatever it is called. */
function kindOf(file: string): 'zip' | 'gzip' | null {
  const start = Buffer.alloc(4);
  try {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, start, 0, 4, 0);
    closeSync(descriptor);
  } catch (error) {
    throw new DashboardError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (start.toString('latin1', 0, 2) === 'PK') return 'zip';
  return start[0] === 0x1f && start[1] === 0x8b ? 'gzip' : null;
}

/** Reads `--dashboard`: a folder, a jar, or an archive that holds such a jar (a distribution's .tgz, a Python package). */
export async function dashboardSource(place: string): Promise<FileSource> {
  const stats: Stats | undefined = statSync(place, { throwIfNoEntry: false });
  if (!stats) throw new DashboardError(`${place} does not exist`);
  if (stats.isDirectory()) return ofFolder(place);
  if (!stats.isFile()) throw new DashboardError(`${place} is neither a file nor a folder`);
  const kind = kindOf(place);
  if (kind === null) throw new DashboardError(`${place} is no readable jar and no .tgz`);
  if (kind === 'gzip') {
    const source = await jarInside(place, copyOutOfTarGz);
    if (source === null) throw new DashboardError(`${place} holds no flink-dist jar with a dashboard`);
    return source;
  }
  const source = (await jarSource(place)) ?? (await jarInside(place, copyOutOfZip));
  if (source === null) throw new DashboardError(`${place} holds no web/index.html; a flink-dist or flink-runtime-web jar does`);
  return source;
}
