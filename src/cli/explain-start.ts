import { tmpdir } from 'node:os';
import { CliError } from './cli-error.js';
import type { ServeOptions } from './serve-options.js';

const FOLDER_REASONS: Readonly<Record<string, string>> = { ENOSPC: 'the disk is full', EROFS: 'the file system is read-only', EACCES: 'permission is denied', ENOENT: 'it does not exist', ENOTDIR: 'it is no folder' };

/** Why a server could not start, in words that say what to do; anything else stays what it is. */
export function explainStart(error: unknown, options: Pick<ServeOptions, 'host' | 'port' | 'controlPort'>): unknown {
  const { code, syscall, port = options.port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== undefined && (syscall === 'mkdtemp' || syscall === 'mkdir')) return new CliError(`no temporary folder can be made in ${tmpdir()} (${FOLDER_REASONS[code] ?? code}); choose another with the environment variable TMPDIR`, 1);
  const flag = port === options.controlPort && port !== options.port ? '--control-port' : '--port';
  if (code === 'EADDRINUSE') return new CliError(`port ${port} on ${options.host} is in use; stop what uses it, or choose another with ${flag} (0 takes a free one)`, 1);
  if (code === 'EACCES') return new CliError(`${options.host}:${port} may not be listened on (permission denied); choose a port above 1023 with ${flag}`, 1);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new CliError(`${options.host} is no address of this machine; choose another with --host`, 1);
  return error;
}
