import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ControlError } from './problem.js';

export const SNAPSHOT_LIMITS = { files: 100, fileBytes: 1024 * 1024 * 1024 };
const SUFFIX = '.snapshot';

export interface StoredSnapshot {
  readonly name: string;
  readonly bytes: number;
  readonly writtenMs: number;
}

/** Writes a file so that there is the old one or the new one, whole, whatever happens: beside it, synced, then renamed. `writtenMs` is what its folder says of it. */
export async function writeWhole(file: string, bytes: Uint8Array, writtenMs = Date.now()): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    const handle = await open(partial, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.utimes(writtenMs / 1_000, writtenMs / 1_000);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
    // The new name is in the folder: that has to be on the disk, too. Not every system can sync a folder.
    const folder = await open(path.dirname(file), 'r').catch(() => null);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Snapshots by name, in a folder. Names are checked by the caller: no path. */
export class SnapshotStore {
  constructor(private readonly directory: string) {}

  async write(name: string, bytes: Uint8Array): Promise<StoredSnapshot> {
    const known = await this.list();
    if (known.length >= SNAPSHOT_LIMITS.files && !known.some((each) => each.name === name)) throw new ControlError(409, `there are ${SNAPSHOT_LIMITS.files} snapshots already; take one away`);
    const writtenMs = Date.now();
    try {
      await makeFolder(this.directory);
      await this.sweep();
      await writeWhole(this.fileOf(name), bytes, writtenMs);
    } catch (error) {
      throw explained(error, 'written');
    }
    return { name, bytes: bytes.length, writtenMs };
  }

  async read(name: string): Promise<Buffer> {
    try {
      const { size } = await stat(this.fileOf(name));
      if (size > SNAPSHOT_LIMITS.fileBytes) throw new ControlError(413, `the snapshot has ${size} bytes; at most ${SNAPSHOT_LIMITS.fileBytes} are allowed`);
      return await readFile(this.fileOf(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw await this.unknown(name);
      throw explained(error, 'read');
    }
  }

  /** In the order of their names. */
  async list(): Promise<StoredSnapshot[]> {
    const files = await readdir(this.directory).catch(() => []);
    const found = await Promise.all(
      files
        .filter((file) => file.endsWith(SUFFIX))
        .toSorted()
        .map(async (file) => {
          const info = await stat(path.join(this.directory, file)).catch(() => null);
          return info?.isFile() ? { name: file.slice(0, -SUFFIX.length), bytes: info.size, writtenMs: Math.round(info.mtimeMs) } : null;
        }),
    );
    return found.filter((each) => each !== null);
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(this.fileOf(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw await this.unknown(name);
      throw explained(error, 'removed');
    }
  }

  /** Removes what processes that were killed while they wrote have left. */
  private async sweep(): Promise<void> {
    for (const file of await readdir(this.directory)) {
      const pid = Number(/\.snapshot\.(\d+)\.partial$/.exec(file)?.[1] ?? NaN);
      if (!Number.isNaN(pid) && pid !== process.pid && !isAlive(pid)) await rm(path.join(this.directory, file), { force: true });
    }
  }

  private fileOf(name: string): string {
    return path.join(this.directory, `${name}${SUFFIX}`);
  }

  private async unknown(name: string): Promise<ControlError> {
    const names = (await this.list()).map((each) => each.name);
    return new ControlError(404, `there is no snapshot ${name}; allowed: ${names.join(', ') || 'none, nothing was saved'}`);
  }
}

/** Makes a folder and those above it. Where nothing may be written, Node calls it missing: the folder that is there tells why. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') await access(path.dirname(folder), constants.W_OK);
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room, or choose another folder',
  EDQUOT: 'the quota is used up; make room, or choose another folder',
  EROFS: 'the file system is read-only; choose another folder',
  EACCES: 'permission is denied; choose another folder',
  EPERM: 'permission is denied; choose another folder',
  ENOTDIR: 'its folder is none; choose another',
  EEXIST: 'its folder is a file; choose another',
};

function explained(error: unknown, what: string): unknown {
  if (error instanceof ControlError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ControlError(507, `the snapshot cannot be ${what}: ${REASONS[code] ?? message}`);
}
