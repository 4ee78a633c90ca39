import { createSocket } from 'node:dgram';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const portOf = (address: string | AddressInfo | null): number => (address as AddressInfo).port;

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An HTTP server that keeps what it is sent. */
export async function httpReceiver(status = 204) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server.address()),
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A gRPC server for unary calls that keeps the messages. */
export async function grpcReceiver() {
  const calls: { readonly path: string; readonly contentType: string; readonly message: Buffer }[] = [];
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    void bodyOf(stream).then((body) => {
      calls.push({ path: headers[':path']!, contentType: headers['content-type']!, message: body.subarray(5, 5 + body.readUInt32BE(1)) });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      // An empty response message.
      stream.end(Buffer.alloc(5));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: portOf(server.address()), calls, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** A TCP server that keeps what each connection sent. */
export async function tcpReceiver() {
  const texts: string[] = [];
  const server = createTcpServer((socket) => void bodyOf(socket).then((body) => texts.push(body.toString('utf8'))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: portOf(server.address()), texts, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** A UDP socket that keeps its datagrams. */
export async function udpReceiver() {
  const datagrams: string[] = [];
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 }).on('message', (message) => datagrams.push(message.toString('utf8')));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, datagrams, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())) };
}

export async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5));
}
