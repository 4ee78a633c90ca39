import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { formatPath, ScenarioError, type Path, type Problem } from './scenario-error.js';

export const MAX_FILE_BYTES = 5_000_000;
const MAX_ALIASES = 100;
const MAX_NODES = 200_000;
/** How long a named pipe may stay empty, ms. */
const PIPE_PATIENCE_MS = 5_000;
const PIPE_RETRY_MS = 20;

/** A YAML text as plain values, with the place of each. */
export interface YamlSource {
  readonly file: string;
  readonly value: unknown;
  /** Problem at the node of a path; when there is none (a missing key), at the nearest one above. */
  problemAt(path: Path, message: string): Problem;
  /** The same, at the key instead of the value. */
  problemAtKey(path: Path, message: string): Problem;
}

function fileProblem(file: string, message: string): ScenarioError {
  return new ScenarioError([{ file, line: null, column: null, path: '', message }]);
}

/** A pipe or device has no size: read up to the limit, not to the end. */
function readUpToLimit(handle: number, isPipe: boolean): Buffer {
  const buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  let length = 0;
  let waitedMs = 0;
  while (length < buffer.length) {
    const read = readAvailable(handle, buffer, length);
    if (read > 0) {
      length += read;
      waitedMs = 0;
    } else if (read === 0 && (!isPipe || length > 0)) break;
    else {
      if (waitedMs >= PIPE_PATIENCE_MS) throw new Error(`nothing was written to it for ${PIPE_PATIENCE_MS / 1_000} s`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_RETRY_MS);
      waitedMs += PIPE_RETRY_MS;
    }
  }
  return buffer.subarray(0, length);
}

/** Bytes read; 0 at the end, -1 when there are none yet. */
function readAvailable(handle: number, buffer: Buffer, length: number): number {
  try {
    return readSync(handle, buffer, length, buffer.length - length, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    throw error;
  }
}

/** Reads a file as text; refuses folders, more than 5 MB (without reading it all) and what is not UTF-8. */
export function readTextFile(file: string): string {
  let bytes: Buffer;
  try {
    const info = statSync(file);
    if (info.isDirectory()) throw fileProblem(file, 'is a folder; give a YAML file');
    if (info.size > MAX_FILE_BYTES) throw fileProblem(file, `has ${info.size} bytes; at most ${MAX_FILE_BYTES} are allowed`);
    // Not blocking: the open of a named pipe that nobody writes to would never return.
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      bytes = readUpToLimit(handle, info.isFIFO());
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw fileProblem(file, 'there is no such file');
    if (code === 'EACCES' || code === 'EPERM') throw fileProblem(file, 'may not be read (permission denied)');
    throw fileProblem(file, `cannot be read: ${(error as Error).message}`);
  }
  if (bytes.length > MAX_FILE_BYTES) throw fileProblem(file, `has more than ${MAX_FILE_BYTES} bytes; no more are allowed`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileProblem(file, 'is not UTF-8 text; save it as UTF-8');
  }
}

/** Keys below which a scalar is kept as it was written (`1.10` is a version, `true` an option's text). */
export type IsTextPath = (path: Path) => boolean;

export function parseYaml(text: string, file: string, isTextPath: IsTextPath): YamlSource {
  if (text.trim() === '') throw fileProblem(file, 'is empty; `mock-flink scenarios` lists examples to start from');
  const lines = new LineCounter();
  let document: Document.Parsed;
  try {
    // Keys given twice are found below: the parser's own check takes the square of their number.
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false });
  } catch (error) {
    throw fileProblem(file, error instanceof RangeError ? 'is nested too deeply' : `is not YAML: ${(error as Error).message}`);
  }
  // The parser hands on its stack's overflow as an error of the text.
  if (document.errors.some((error) => error.code === 'RESOURCE_EXHAUSTION' || error.message.includes('call stack'))) throw fileProblem(file, 'is nested too deeply');
  if (document.errors.some((error) => error.code === 'MULTIPLE_DOCS')) throw fileProblem(file, 'holds several documents (`---`); give one');
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors.slice(0, 10).map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return { file, line, column: col, path: '', message: `is not valid YAML: ${error.message.replace(/\s+/g, ' ')}` };
      }),
    );
  }
  const places = new Map<string, number>();
  const keyPlaces = new Map<string, number>();
  const at = (offset: number | undefined, path: Path, message: string): Problem => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { file, line: Math.max(1, line), column: Math.max(1, col), path: formatPath(path), message };
  };
  const placeOf = (path: Path): number | undefined => {
    for (let depth = path.length; depth >= 0; depth--) {
      const offset = places.get(formatPath(path.slice(0, depth)));
      if (offset !== undefined) return offset;
    }
    return undefined;
  };
  const source: Omit<YamlSource, 'value'> = {
    file,
    problemAt: (path, message) => at(placeOf(path), path, message),
    problemAtKey: (path, message) => at(keyPlaces.get(formatPath(path)) ?? placeOf(path), path, message),
  };

  let aliases = 0;
  let nodes = 0;
  const fail = (path: Path, message: string): never => {
    throw new ScenarioError([source.problemAt(path, message)]);
  };
  const convert = (node: Node | null, path: Path): unknown => {
    if (node === null) return null;
    if (node.range && !places.has(formatPath(path))) places.set(formatPath(path), node.range[0]);
    if (++nodes > MAX_NODES) fail(path, `there are more than ${MAX_NODES} values once aliases are resolved`);
    if (path.length > 50) fail(path.slice(0, 5), 'is nested too deeply');
    if (isAlias(node)) {
      if (++aliases > MAX_ALIASES) fail(path, `there are more than ${MAX_ALIASES} aliases (*${node.source}); write values out`);
      const target = node.resolve(document);
      return target ? convert(target, path) : fail(path, `alias *${node.source} names no anchor`);
    }
    if (isScalar(node)) {
      if (node.value !== null && typeof node.value === 'object') return fail(path, `is of a kind that is not allowed here (${node.tag})`);
      if (node.value === null || !isTextPath(path)) return node.value;
      return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    }
    if (isSeq(node)) return node.items.map((item, index) => convert(item as Node | null, [...path, index]));
    if (!isMap(node)) return fail(path, 'is of a kind that is not allowed here');
    const map: Record<string, unknown> = {};
    const merged: Record<string, unknown>[] = [];
    for (const pair of node.items) {
      const key = pair.key as Node;
      const name = isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : fail(path, 'has a key that is no text');
      if (key.range) keyPlaces.set(formatPath([...path, name as string]), key.range[0]);
      if (name === '<<') {
        const value = convert(pair.value as Node | null, path);
        for (const part of Array.isArray(value) ? value : [value]) {
          if (typeof part !== 'object' || part === null || Array.isArray(part)) fail(path, '<< merges maps only');
          merged.push(part as Record<string, unknown>);
        }
      } else {
        if (Object.hasOwn(map, name as string)) throw new ScenarioError([source.problemAtKey([...path, name as string], 'is given twice')]);
        Object.defineProperty(map, name as string, { value: convert(pair.value as Node | null, [...path, name as string]), enumerable: true, configurable: true, writable: true });
      }
    }
    return merged.length === 0 ? map : Object.assign({}, ...merged.reverse(), map);
  };
  let value: unknown;
  try {
    value = convert(document.contents as Node | null, []);
  } catch (error) {
    if (error instanceof RangeError) throw fileProblem(file, 'is nested too deeply');
    throw error;
  }
  return { ...source, value };
}
