import type { StaticFiles } from '../../rest/create-app.js';
import type { HeaderName, HeaderNames } from '../../rest/send.js';
import { bareError } from '../../rest/protocol.js';
import type { FileSource } from './file-source.js';
import { mimeType } from './mime-types.js';

const CACHE_SECONDS = 300;

export interface StaticFilesOptions {
  readonly source: FileSource;
  readonly names: HeaderNames;
  /** The version's router ends a 304 with `connection: close`. */
  readonly notModifiedClosesLoudly: boolean;
  /** Epoch ms of the wall: browsers compare with their own clocks. */
  readonly wallNow?: () => number;
}

/** Serves files as Flink's StaticFileServerHandler does: no fallback, five minutes of caching, 304 for the second at which it changed. */
export function createStaticFiles({ source, names, notModifiedClosesLoudly, wallNow = Date.now }: StaticFilesOptions): StaticFiles {
  // Flink unpacks its files when it starts.
  const changedMs = Math.floor(wallNow() / 1000) * 1000;
  const httpDate = (epochMs: number) => new Date(epochMs).toUTCString();
  const header = (name: HeaderName, value: string): string[] => [names(name), value];
  return {
    answer(path, ifModifiedSince) {
      const name = path.slice(1);
      const file = source.files.get(name);
      const isFolder = !file && source.folders.has(name);
      if (!path.startsWith('/') || (!file && !isFolder)) return null;
      const nowMs = wallNow();
      if (ifModifiedSince !== undefined && ifModifiedSince !== '') {
        const sinceMs = Date.parse(ifModifiedSince);
        if (Number.isNaN(sinceMs)) return bareError(500, 'Error while responding to the http request.');
        if (sinceMs === changedMs) {
          const headers = [...header('date', httpDate(nowMs)), ...(notModifiedClosesLoudly ? header('connection', 'close') : [])];
          return { status: 304, contentType: null, body: '', allowOrigin: false, headers, close: true };
        }
      }
      return {
        status: 200,
        contentType: mimeType(name.slice(name.lastIndexOf('/') + 1)),
        allowOrigin: false,
        headers: [
          ...header('date', httpDate(nowMs)),
          ...header('expires', httpDate(nowMs + CACHE_SECONDS * 1000)),
          ...header('cache-control', `private, max-age=${CACHE_SECONDS}`),
          ...header('last-modified', httpDate(changedMs)),
        ],
        // A folder is a file without content for it.
        body: file ? file.read() : '',
        ...(file ? { length: file.size } : {}),
      };
    },
  };
}
