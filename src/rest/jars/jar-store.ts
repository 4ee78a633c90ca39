import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { entryClasses, readManifest, type JarManifest } from './jar-manifest.js';

/** A jar that was uploaded. */
export interface StoredJar {
  /** `<uuid>_<file name>`, by which clients name it. */
  readonly id: string;
  /** Name of the file as it was uploaded. */
  readonly name: string;
  /** Epoch ms. */
  readonly uploadedMs: number;
  readonly sizeBytes: number;
  /** Where it lies; the name there is made here, never taken from the client. */
  readonly storedAt: string;
  /** null: the jar has none, or cannot be read. */
  readonly manifest: JarManifest | null;
  /** Why the file is no readable zip; null when it is one. */
  readonly unreadable: string | null;
  readonly entryClasses: readonly string[];
}

export interface JarStoreLimits {
  readonly maxJars: number;
  readonly maxTotalBytes: number;
}

export const JAR_STORE_LIMITS: JarStoreLimits = { maxJars: 100, maxTotalBytes: 2 * 1024 ** 3 };

/** The folder has no room for a jar. */
export class JarStoreFullError extends Error {}

/** Uploaded jars, in a folder that belongs to this process alone. */
export class JarStore {
  private readonly jars = new Map<string, StoredJar>();
  private reservedJars = 0;
  private reservedBytes = 0;

  constructor(
    private readonly directory: string,
    private readonly limits: JarStoreLimits = JAR_STORE_LIMITS,
  ) {}

  /** Newest first. */
  list(): StoredJar[] {
    return [...this.jars.values()].reverse().sort((a, b) => b.uploadedMs - a.uploadedMs);
  }

  find(id: string): StoredJar | null {
    return this.jars.get(id) ?? null;
  }

  /** Takes a file (it is moved). Throws JarStoreFullError beyond the limits; the file then stays where it is. */
  async add(uploadedAt: string, name: string, id: string, nowMs: number): Promise<StoredJar> {
    const { size } = await stat(uploadedAt);
    this.reserve(size);
    try {
      await mkdir(this.directory, { recursive: true });
      const storedAt = join(this.directory, `${randomUUID()}.jar`);
      await move(uploadedAt, storedAt);
      let manifest: JarManifest | null = null;
      let unreadable: string | null = null;
      try {
        manifest = await readManifest(storedAt);
      } catch (error) {
        unreadable = error instanceof Error ? error.message : String(error);
      }
      const jar: StoredJar = { id, name, uploadedMs: nowMs, sizeBytes: size, storedAt, manifest, unreadable, entryClasses: entryClasses(manifest) };
      this.jars.set(id, jar);
      return jar;
    } catch (error) {
      this.release(size);
      throw error;
    }
  }

  /** False when there is no such jar. */
  async remove(id: string): Promise<boolean> {
    const jar = this.jars.get(id);
    if (!jar) return false;
    this.jars.delete(id);
    this.release(jar.sizeBytes);
    await rm(jar.storedAt, { force: true });
    return true;
  }

  private reserve(bytes: number): void {
    const { maxJars, maxTotalBytes } = this.limits;
    if (this.reservedJars + 1 > maxJars) throw new JarStoreFullError(`no more than ${maxJars} jars are kept`);
    if (this.reservedBytes + bytes > maxTotalBytes) throw new JarStoreFullError(`no more than ${maxTotalBytes} bytes of jars are kept`);
    this.reservedJars++;
    this.reservedBytes += bytes;
  }

  private release(bytes: number): void {
    this.reservedJars--;
    this.reservedBytes -= bytes;
  }
}

/** Renames, or copies where source and target lie on different file systems. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(source, target);
    await unlink(source);
  }
}
