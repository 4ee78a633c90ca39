import { connect, constants } from 'node:http2';

const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_CONTENT_TYPE, HTTP2_HEADER_TE } = constants;

/** A message behind gRPC's prefix: not compressed, and its length. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** A unary gRPC call; its answer is not looked at beyond its status. */
export function callGrpc(origin: string, path: string, message: Uint8Array, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = connect(origin);
    const end = (error?: Error): void => {
      session.close();
      if (error) reject(error);
      else resolve();
    };
    session.once('error', end);
    const stream = session.request({ [HTTP2_HEADER_METHOD]: 'POST', [HTTP2_HEADER_PATH]: path, [HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc', [HTTP2_HEADER_TE]: 'trailers' });
    let status: unknown;
    let reason: unknown = '';
    const look = (headers: Readonly<Record<string, unknown>>): void => {
      if (headers['grpc-status'] !== undefined) [status, reason] = [headers['grpc-status'], headers['grpc-message'] ?? ''];
    };
    stream.setTimeout(timeoutMs, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.once('error', end).on('response', look).on('trailers', look);
    stream.once('close', () => end(Number(status) === 0 ? undefined : new Error(`${origin} answered gRPC status ${String(status)}: ${String(reason)}`)));
    stream.resume();
    stream.end(framed(message));
  });
}
