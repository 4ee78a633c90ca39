import type { EndpointRequest } from '../endpoint.js';

const TOKEN = /([^"']\S*|".+?"|'.+?')\s*/g;

/** Splits a `programArgs` string as Flink's JarHandlerUtils does: at blanks, but not within quotes, which are dropped. */
export function tokenizeArguments(text: string): string[] {
  if (text.trim() === '') return [];
  return [...text.matchAll(TOKEN)].map((match) => match[1]!.trim().replaceAll('"', '').replaceAll("'", ''));
}

/** What a jar is asked to do: the body's value, else the query parameter's. */
export interface JarRequest {
  readonly entryClass: string | null;
  readonly programArguments: readonly string[];
  /** null = not given. */
  readonly parallelism: number | null;
  readonly jobId: string | null;
  readonly savepointPath: string | null;
  readonly allowNonRestoredState: boolean;
  readonly flinkConfiguration: Readonly<Record<string, string>>;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function programArguments(request: EndpointRequest): readonly string[] {
  const list = request.body['programArgsList'];
  if (Array.isArray(list)) return list.map(String);
  const string = text(request.body['programArgs']);
  if (string !== null) return tokenizeArguments(string);
  const repeated = request.query['programArg'];
  if (repeated && repeated.length > 0) return repeated;
  const joined = request.query['program-args']?.join(',');
  return joined ? tokenizeArguments(joined) : [];
}

/** Reads the body and the query of a plan or run request. */
export function readJarRequest(request: EndpointRequest): JarRequest {
  const { body, query } = request;
  const parallelism = typeof body['parallelism'] === 'number' ? body['parallelism'] : query['parallelism']?.[0];
  const allow = typeof body['allowNonRestoredState'] === 'boolean' ? body['allowNonRestoredState'] : query['allowNonRestoredState']?.[0] === 'true';
  const configuration = body['flinkConfiguration'];
  return {
    entryClass: text(body['entryClass']) ?? text(query['entry-class']?.[0]),
    programArguments: programArguments(request),
    parallelism: parallelism === undefined ? null : Number(parallelism),
    jobId: text(body['jobId'])?.toLowerCase() ?? null,
    savepointPath: text(body['savepointPath']) ?? text(query['savepointPath']?.[0]),
    allowNonRestoredState: allow,
    flinkConfiguration: configuration !== null && typeof configuration === 'object' ? Object.fromEntries(Object.entries(configuration).map(([key, value]) => [key, String(value)])) : {},
  };
}
