import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EndpointRequest } from './endpoint.js';

/** Files and parts of one request, and bytes of one file, that are taken at most. */
export const UPLOAD_LIMITS = { files: 1_000, fields: 16, parts: 1_016, fileSize: 1024 * 1024 * 1024, fieldSize: 64 * 1024 * 1024, headerSize: 64 * 1024 };

/** Bytes that all requests together may have in a folder at an instant, unless told otherwise. */
export const MAX_UPLOADING_BYTES = 4 * 1024 ** 3;

/** Bytes under way, by folder. */
const uploading = new Map<string, number>();

function reserve(directory: string, bytes: number, budgetBytes: number): boolean {
  const next = (uploading.get(directory) ?? 0) + bytes;
  if (bytes > 0 && next > budgetBytes) return false;
  if (next > 0) uploading.set(directory, next);
  else uploading.delete(directory);
  return true;
}

/** What Netty decodes of a part's content: nothing that is encoded. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

/** A multipart request that Flink refuses before any handler sees it: bare text, no access-control header. */
export class UploadError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface MultipartContent {
  readonly files: EndpointRequest['files'];
  /** The part named `request`; null when there is none. */
  readonly json: Buffer | null;
  /** Removes the stored files that nobody moved away. */
  discard(): Promise<void>;
}

/** True for what Netty reads as a form: POST, form data, with a boundary. */
export function isMultipart(method: string, contentType: string | undefined): boolean {
  return method === 'POST' && contentType !== undefined && /^multipart\/form-data\s*;.*boundary=/i.test(contentType);
}

export interface MultipartOptions {
  readonly directory: string;
  readonly acceptsFiles: boolean;
  /** A file whose name leads out of its folder is lost, as before CVE-2020-17518 was mended. */
  readonly losesEscapingNames: boolean;
  /** Bytes that all requests together may have in the folder at an instant. */
  readonly budgetBytes?: number;
}

/** Stores the files of a form in a folder of their own, whatever their fields are called. A part cut off is no part. */
export async function readMultipart(request: FastifyRequest, options: MultipartOptions): Promise<MultipartContent> {
  const { budgetBytes = MAX_UPLOADING_BYTES } = options;
  const folder = path.join(options.directory, randomUUID());
  const files: { fieldName: string; fileName: string; storedAt: string }[] = [];
  let json: Buffer | null = null;
  let reserved = 0;
  const discard = async (): Promise<void> => {
    reserve(options.directory, -reserved, budgetBytes);
    reserved = 0;
    await rm(folder, { recursive: true, force: true });
  };
  const takeBytes = (bytes: number): boolean => {
    if (!reserve(options.directory, bytes, budgetBytes)) return false;
    reserved += bytes;
    return true;
  };
  const parts = request.parts({ limits: UPLOAD_LIMITS, preservePath: true } as object)[Symbol.asyncIterator]();
  try {
    for (let next = await parts.next(); !next.done; ) {
      const part = next.value;
      const following = parts.next();
      // Looked at below; until then a failure is nobody's.
      following.catch(() => undefined);
      if (part.type === 'file') {
        if (!options.acceptsFiles) throw new UploadError(400, 'File upload not allowed');
        if (!PLAIN_ENCODINGS.has(part.encoding.toLowerCase())) throw new UploadError(500, 'File upload failed.');
        const fileName = storableName(part.filename);
        const storedAt = path.join(folder, String(files.length), fileName);
        await mkdir(path.dirname(storedAt), { recursive: true });
        const isWhole = await store(part, storedAt, following, takeBytes);
        const isLost = options.losesEscapingNames && part.filename.includes('/');
        if (isWhole && !isLost) files.push({ fieldName: part.fieldname, fileName, storedAt });
      } else {
        if (part.fieldname !== 'request') throw new UploadError(400, `Received unknown attribute ${part.fieldname}.`);
        json = Buffer.from(typeof part.value === 'string' ? part.value : JSON.stringify(part.value));
      }
      next = await following;
    }
  } catch (error) {
    // Apart from the parser, which takes nothing more and would hold up the rest of what the client sends.
    request.raw.unpipe();
    request.raw.resume();
    if (!(error instanceof UploadError) && isCutOff(error)) return { files, json, discard };
    await discard();
    throw error instanceof UploadError ? error : new UploadError(500, 'File upload failed.');
  }
  return { files, json, discard };
}

function isCutOff(error: unknown): boolean {
  return /terminated early|unexpected end/i.test((error as Error).message);
}

/** The last part of a name that a client gave. */
function storableName(given: string): string {
  const name = path.basename(given.replaceAll('\\', '/'));
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) throw new UploadError(500, 'File upload failed.');
  return name;
}

/**
 * Writes a file part to disk; false when the request ended within it. The parser does not end the stream of a part that is cut off, so that
 * is told by nothing being left to read once there is no further part.
 */
async function store(part: Multipart & { type: 'file' }, storedAt: string, following: Promise<IteratorResult<Multipart>>, takeBytes: (bytes: number) => boolean): Promise<boolean> {
  const { file } = part;
  const target = createWriteStream(storedAt, { flags: 'wx' });
  const stop = new AbortController();
  const written = pipeline(file, target, { signal: stop.signal });
  file.on('data', (chunk: Buffer) => {
    if (!takeBytes(chunk.length)) target.destroy(new UploadError(500, 'File upload failed.'));
  });
  const noFurtherPart = following.then(
    ({ done }) => done === true,
    (error: unknown) => isCutOff(error),
  );
  void noFurtherPart.then(async (last) => {
    for (let idle = 0; last && !file.readableEnded && !file.destroyed && idle < 5; ) {
      await new Promise((resolve) => setImmediate(resolve));
      idle = file.readableLength === 0 && target.writableLength === 0 ? idle + 1 : 0;
    }
    if (last && !file.readableEnded) stop.abort();
  });
  try {
    await written;
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  }
  if (file.truncated) throw new UploadError(413, 'File upload failed.');
  return true;
}
