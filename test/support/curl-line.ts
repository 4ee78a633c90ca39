import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface CurlAnswer {
  readonly status: number;
  readonly text: string;
}

/** Runs a line of a document, `curl $M/…`, in a shell in which `$M` and `$J` are what the document says. */
export async function runCurlLine(line: string, controlUrl: string): Promise<CurlAnswer> {
  const env = { ...process.env, M: controlUrl, J: 'content-type: application/json' };
  const { stdout } = await promisify(execFile)('bash', ['-c', `${line} -sS --noproxy '*' -w '\\n%{http_code}'`], { env });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
}
