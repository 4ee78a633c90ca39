import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; the last one wins. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back for some bytes. */
export interface RawOutcome {
  readonly answers: readonly RawAnswer[];
  readonly closed: boolean;
}

/** How long nothing may come before an exchange counts as over: only bounds the waiting, nothing is asserted of it. */
const QUIET_MS = 250;

/** Reads the answers that are whole; chunked ones too. */
export function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) break;
    const [line, ...lines] = text.slice(at, end).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line!)?.[1] ?? NaN);
    const headers = Object.fromEntries(lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]));
    if (status === 100) {
      at = end + 4;
      continue;
    }
    let length = Number(headers['content-length'] ?? 0);
    if (headers['transfer-encoding'] === 'chunked') {
      const last = text.indexOf('0\r\n\r\n', end + 4);
      if (last < 0) break;
      length = last + 5 - (end + 4);
    }
    if (text.length < end + 4 + length) break;
    answers.push({ status, headers, body: Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString('utf8') });
    at = end + 4 + length;
  }
  return answers;
}

/**
 * Sends bytes (text: a byte a character) over a connection of its own and gives what comes back until the server closes, `expected` answers are
 * there, or nothing has come for a while.
 */
export function sendRaw(port: number, bytes: string | Buffer, { expected = Infinity, quietMs = QUIET_MS }: { expected?: number; quietMs?: number } = {}): Promise<RawOutcome> {
  return new Promise((resolve, reject) => {
    let got = '';
    let timer: NodeJS.Timeout;
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: readAnswers(got), closed });
    };
    const wait = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(false), ms);
    };
    wait(Math.max(quietMs, 300));
    socket.on('data', (data: Buffer) => {
      got += data.toString('latin1');
      if (readAnswers(got).length >= expected) finish(false);
      else wait(quietMs);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish(true) : reject(error)));
    socket.on('close', () => finish(true));
  });
}

/** A client that keeps its connection, opens another one when the server closes it, and waits for each answer. */
export class RawClient implements Disposable {
  private socket: Socket | null = null;

  constructor(
    private readonly port: number,
    private readonly patienceMs = 30_000,
  ) {}

  /** The answer; null where the server closed without one. Rejects where none comes. */
  ask(bytes: string | Buffer): Promise<RawAnswer | null> {
    return new Promise((resolve, reject) => {
      const socket = (this.socket ??= connect(this.port, '127.0.0.1'));
      let got = '';
      const finish = (answer: RawAnswer | null, stays: boolean): void => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (!stays || answer?.headers['connection'] !== 'keep-alive') {
          socket.destroy();
          this.socket = null;
        }
        resolve(answer);
      };
      const timer = setTimeout(() => {
        socket.destroy();
        this.socket = null;
        reject(new Error(`no answer within ${this.patienceMs} ms to ${bytes.toString().slice(0, 500)}`));
      }, this.patienceMs);
      socket.on('data', (data: Buffer) => {
        got += data.toString('latin1');
        const [answer] = readAnswers(got);
        if (answer) finish(answer, true);
      });
      socket.on('error', () => finish(readAnswers(got)[0] ?? null, false));
      socket.on('close', () => finish(readAnswers(got)[0] ?? null, false));
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    });
  }

  [Symbol.dispose](): void {
    this.socket?.destroy();
  }
}
