import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EndpointSpec, RestSpec } from '../versions/rest-spec.js';
import type { AnswerCache, KeptAnswer } from './answer-cache.js';
import { LeaderElection, NobodyAnswers, requireJobManager } from './availability.js';
import { isRawAnswer, type Endpoint, type EndpointRequest } from './endpoint.js';
import { expectedErrorAnswer, internalServerError } from './error-answer.js';
import { RestHandlerException } from './errors.js';
import { readMultipart, UploadError } from './multipart.js';
import { bareError } from './protocol.js';
import { readBody, readParams, readQuery } from './request-reader.js';
import { requestSchemas, type RequestSchemas } from './request-schemas.js';
import { decodedPath } from './request-target.js';
import { JSON_TYPE, send, type HeaderNames } from './send.js';
import { withoutBase, type ClusterOf, type ServedCluster } from './served-cluster.js';
import { joinPieces, longAnswer } from './serializer/answer-pieces.js';
import type { Serializer } from './serializer/compile-serializer.js';
import { errorsJson } from './serializer/json-string.js';
import type { RestFeatures } from '../versions/rest-features.js';
import type { TypeSpec } from '../versions/rest-spec.js';

export interface HandlerTools {
  readonly features: RestFeatures;
  readonly clusterOf: ClusterOf;
  readonly spec: RestSpec;
  readonly serializerOf: (type: TypeSpec) => Serializer;
  readonly names: HeaderNames;
  readonly temporaryDirectory: string;
  /** Bytes of files that all uploads under way may have there. */
  readonly uploadBudgetBytes?: number;
  readonly logger: Logger | null;
}

/** Bytes of long answers, as long as somebody has the answer (KeptAnswers): whoever asks the same is sent the same bytes. */
const WRITTEN = new WeakMap<object, Promise<Buffer>>();

/** Gives nothing back, as the answer goes past fastify (a reply given back would be waited for). */
type FastifyHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** From a request on the wire to a handler's answer on the wire. Schemas and serializer are made at the first request. */
export function endpointHandler(endpoint: Endpoint, spec: EndpointSpec, tools: HandlerTools): FastifyHandler {
  const { features, names, clusterOf } = tools;
  let schemas: RequestSchemas | undefined;
  let serialize: Serializer | null | undefined;

  const finish = (reply: FastifyReply, answer: unknown, target: string, keepIn: AnswerCache | null): void | Promise<void> => {
    if (isRawAnswer(answer)) {
      const { 'content-type': contentType = null, 'access-control-allow-origin': origin, ...others } = answer.headers;
      return send(reply, names, { status: answer.status, contentType, body: answer.body, allowOrigin: origin !== undefined, headers: headerList(others, names) });
    }
    const pieces = spec.response === null ? null : longAnswer(spec.response, answer, tools.spec, tools.serializerOf);
    if (pieces !== null) return finishLong(reply, answer as object, pieces, keepIn?.setLater(target));
    serialize ??= spec.response === null ? null : tools.serializerOf(spec.response);
    const body = serialize === null ? '' : serialize(answer);
    const written: KeptAnswer = { status: spec.status, contentType: JSON_TYPE, body, allowOrigin: true };
    keepIn?.set(target, written);
    return send(reply, names, written);
  };

  const finishLong = (reply: FastifyReply, answer: object, pieces: Iterable<string>, keep: ((answer: KeptAnswer) => void) | undefined): Promise<void> => {
    let writing = WRITTEN.get(answer);
    if (!writing) WRITTEN.set(answer, (writing = joinPieces(pieces)));
    return writing
      .then((body) => {
        const written: KeptAnswer = { status: spec.status, contentType: JSON_TYPE, body, allowOrigin: true };
        keep?.(written);
        send(reply, names, written);
      })
      .catch((error: unknown) => fail(reply, error));
  };

  const fail = (reply: FastifyReply, error: unknown): void => {
    if (error instanceof NobodyAnswers) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    if (error instanceof LeaderElection) return send(reply, names, bareError(503, error.message, { allowOrigin: true }));
    if (error instanceof UploadError) return send(reply, names, bareError(error.status, error.message));
    const expected = expectedErrorAnswer(error, features);
    if (!expected) tools.logger?.error({ err: error, endpoint: `${spec.method} ${spec.url}` }, 'a handler failed');
    const { status, errors } = expected ?? internalServerError('java.lang.RuntimeException', error instanceof Error ? error.message : String(error));
    return send(reply, names, { status, contentType: JSON_TYPE, body: errorsJson(errors), allowOrigin: true });
  };

  const ask = ({ context }: ServedCluster, request: FastifyRequest, target: string, body: Buffer | undefined, files: EndpointRequest['files']): unknown => {
    requireJobManager(context, spec.method, spec.url, request.params as Record<string, string>);
    schemas ??= requestSchemas(spec, tools.spec, features.unknownBodyFieldsAreIgnored);
    return endpoint.handle(
      {
        method: spec.method,
        path: decodedPath(target),
        body: readBody(body, spec, schemas),
        params: readParams(request.params as Record<string, string>, spec, schemas),
        query: readQuery(target, spec, schemas),
        files,
      },
      context,
    );
  };

  const askForm = async (cluster: ServedCluster, request: FastifyRequest, target: string): Promise<unknown> => {
    const content = await readMultipart(request, {
      directory: tools.temporaryDirectory,
      ...(tools.uploadBudgetBytes === undefined ? {} : { budgetBytes: tools.uploadBudgetBytes }),
      acceptsFiles: spec.acceptsUploads || !features.multipartIsCheckedBeforeRouting,
      losesEscapingNames: features.escapingUploadNamesAreLost,
    });
    try {
      if (content.files.length > 0 && !spec.acceptsUploads) throw new RestHandlerException(400, 'File uploads not allowed.');
      cluster.advance();
      return await ask(cluster, request, target, content.json ?? undefined, content.files);
    } finally {
      await content.discard().catch((error: unknown) => tools.logger?.warn({ err: error }, 'could not remove uploaded files'));
    }
  };

  // An upload changes what is known too, and before its answer is there.
  const forget = ({ cache }: ServedCluster): void => {
    if (spec.method !== 'GET') cache.clear();
  };
  const finishLater = (cluster: ServedCluster, reply: FastifyReply, target: string, answer: Promise<unknown>): Promise<void> =>
    answer
      .finally(() => forget(cluster))
      .then((value) => finish(reply, value, target, null))
      .catch((error: unknown) => fail(reply, error));

  return (request, reply) => {
    const cluster = clusterOf(request.raw);
    const { cache } = cluster;
    const target = withoutBase(cluster.basePath, request.originalUrl);
    if (spec.method === 'POST' && request.isMultipart()) return finishLater(cluster, reply, target, askForm(cluster, request, target));
    try {
      cluster.advance();
      const body = request.body as Buffer | undefined;
      const isKept = spec.method === 'GET' && (body === undefined || body.length === 0);
      // Whatever was kept at another instant goes.
      if (isKept) cache.get(target);
      const answer = ask(cluster, request, target, body, []);
      if (answer instanceof Promise) return finishLater(cluster, reply, target, answer);
      return finish(reply, answer, target, isKept ? cache : null);
    } catch (error) {
      return fail(reply, error);
    } finally {
      forget(cluster);
    }
  };
}

const CASED_HEADERS = new Set(['date', 'expires', 'cache-control', 'last-modified']);

/** Headers of a raw answer, flat, without those that the framework writes itself. */
function headerList(headers: Readonly<Record<string, string>>, names: HeaderNames): string[] {
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'connection' || name === 'content-length') continue;
    list.push(CASED_HEADERS.has(name) ? names(name as 'date') : name, value);
  }
  return list;
}
