import { connect } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  /** In the order in which they came, names as written. */
  readonly headers: readonly (readonly [string, string])[];
  readonly json: any;
}

/** A request byte for byte as Flink 1.20's and 2.x's RestClient sends it: a connection of its own, a JSON body with every method. */
export function flinkRequest(port: number, method: string, path: string, body: unknown = {}): Promise<WireAnswer> {
  const text = JSON.stringify(body);
  const head = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, 'connection: close', `content-length: ${Buffer.byteLength(text)}`, 'content-type: application/json; charset=UTF-8'];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n${text}`));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.setTimeout(30_000, () => socket.destroy(new Error(`no answer: ${method} ${path}`)));
    socket.on('close', (failed) => {
      if (failed) return;
      const [answerHead, ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n') as [string, ...string[]];
      const [statusLine, ...lines] = answerHead.split('\r\n') as [string, ...string[]];
      const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const);
      resolve({ status: Number(statusLine.split(' ')[1]), headers, json: JSON.parse(rest.join('\r\n\r\n')) });
    });
  });
}
