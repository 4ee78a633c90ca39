import yauzl from 'yauzl';

/** What is read of a jar: its manifest's main attributes. */
export interface JarManifest {
  /** By attribute name as written. */
  readonly attributes: ReadonlyMap<string, string>;
}

const MANIFEST_PATH = 'META-INF/MANIFEST.MF';
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** More entries than any jar of a job has; a central directory may name far more. */
const MAX_ENTRIES = 200_000;

/** Why a jar could not be read, in the words of java.util.zip where it has some. */
export class JarFormatError extends Error {}

function openZip(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: true, strictFileNames: false, decodeStrings: true, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(new JarFormatError('zip END header not found'));
      else resolve(zip);
    });
  });
}

/** Goes through the entries until `visit` says stop (or a limit is reached), then closes the file. */
async function eachEntry(path: string, visit: (entry: yauzl.Entry, zip: yauzl.ZipFile) => Promise<boolean> | boolean): Promise<void> {
  const zip = await openZip(path);
  await new Promise<void>((resolve, reject) => {
    let seen = 0;
    const finish = (error?: unknown) => {
      zip.close();
      if (error) reject(error instanceof JarFormatError ? error : new JarFormatError('invalid zip entry'));
      else resolve();
    };
    zip.on('error', finish);
    zip.on('end', () => resolve());
    zip.on('entry', (entry: yauzl.Entry) => {
      if (++seen > MAX_ENTRIES) return finish(new JarFormatError('too many entries'));
      Promise.resolve(visit(entry, zip)).then((goOn) => (goOn ? zip.readEntry() : finish()), finish);
    });
    zip.readEntry();
  });
}

function readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, limitBytes: number): Promise<Buffer> {
  if (entry.uncompressedSize > limitBytes) return Promise.reject(new JarFormatError('manifest too large'));
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error);
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limitBytes) stream.destroy(new JarFormatError('manifest too large'));
        else chunks.push(chunk);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}

/** Main section of a manifest: `Name: value` lines, continued where a line begins with a blank. */
export function parseManifest(text: string): JarManifest {
  const attributes = new Map<string, string>();
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\n ', '').split('\n');
  for (const line of lines) {
    if (line === '') break;
    const colon = line.indexOf(': ');
    if (colon > 0) attributes.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2));
  }
  return { attributes };
}

/** The manifest of a jar; null when it has none. Throws JarFormatError where the file is no zip or is broken. */
export async function readManifest(path: string): Promise<JarManifest | null> {
  let manifest: JarManifest | null = null;
  await eachEntry(path, async (entry, zip) => {
    if (entry.fileName.toUpperCase() !== MANIFEST_PATH) return true;
    manifest = parseManifest((await readEntry(zip, entry, MAX_MANIFEST_BYTES)).toString('utf8'));
    return false;
  });
  return manifest;
}

/** Whether the jar holds the class (its own entries; jars nested in lib/ are not looked into). */
export async function containsClass(path: string, className: string): Promise<boolean> {
  const wanted = `${className.replaceAll('.', '/')}.class`;
  let found = false;
  await eachEntry(path, (entry) => {
    found = entry.fileName === wanted;
    return !found;
  });
  return found;
}

/** Classes that a manifest names as entry points: `program-class` (a list) before `Main-Class`. */
export function entryClasses(manifest: JarManifest | null): string[] {
  const attribute = manifest?.attributes.get('program-class') ?? manifest?.attributes.get('main-class');
  return (attribute ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
}
