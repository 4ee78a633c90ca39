/** Why a server could not listen; `code` is Node's (`EADDRINUSE`, `EACCES`, …). */
export class ServerStartError extends Error {
  constructor(
    readonly code: string,
    readonly host: string,
    readonly port: number,
    options: { cause: unknown },
  ) {
    super(code === 'EADDRINUSE' ? `port ${port} on ${host} is in use` : `cannot listen on ${host}:${port} (${code})`, options);
  }

  /** Wraps an error of listening; anything else stays what it is. */
  static of(error: unknown, host: string, port: number): unknown {
    const { code, syscall } = error as NodeJS.ErrnoException;
    return code !== undefined && (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') ? new ServerStartError(code, host, port, { cause: error }) : error;
  }
}
