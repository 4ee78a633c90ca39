import type { FastifyInstance, InjectOptions } from 'fastify';

/** A request given to the server without a socket, its answer as fetch gives it. */
export async function injectRequest(app: FastifyInstance, target: string, init: RequestInit): Promise<Response> {
  const request = new Request(new URL(target, 'http://flink'), init);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const answer = await inject(app, { method: request.method, target, headers: Object.fromEntries(request.headers), body });
  const empty = answer.status === 204 || answer.status === 304;
  return new Response(empty ? null : new Uint8Array(answer.body), { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}

export interface InjectedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

export async function inject(app: FastifyInstance, request: { readonly method: string; readonly target: string; readonly headers: Readonly<Record<string, string>>; readonly body?: Buffer | undefined }): Promise<InjectedAnswer> {
  const { method, target, headers, body } = request;
  const answer = await app.inject({ method: method as NonNullable<InjectOptions['method']>, url: target, headers, ...(body === undefined ? {} : { payload: body }) } as InjectOptions);
  return {
    status: answer.statusCode,
    statusText: answer.statusMessage,
    headers: Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]))),
    body: answer.rawPayload,
  };
}
