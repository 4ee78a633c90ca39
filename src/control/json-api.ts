import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod';
import { requireToken } from './access.js';
import { inputValidator } from './input-problems.js';
import { BODY_LIMITS, useProblems } from './problem.js';

export interface JsonApiOptions {
  readonly title: string;
  readonly description: string;
  /** Asked for on every path but `openPaths`; null = none. */
  readonly token: string | null;
  readonly openPaths: readonly string[];
  /** Where all routes are described, for whoever asks for one that is not there. */
  readonly documents: string;
}

/**
 * Makes a scope an API of our own: JSON bodies checked by zod, errors as application/problem+json, a token, an OpenAPI document. No
 * access-control headers: pages of other origins have no business here.
 */
export async function useJsonApi(scope: FastifyInstance, { title, description, token, openPaths, documents }: JsonApiOptions): Promise<void> {
  const known: { method: string; url: string }[] = [];
  scope.addHook('onRoute', ({ method, url }) => void [method].flat().forEach((each) => known.push({ method: each, url })));
  useProblems(scope, () => known, documents);
  if (token !== null) requireToken(scope, token, (request) => openPaths.includes(request.url.split('?')[0]!));
  scope.setValidatorCompiler(inputValidator);
  scope.setSerializerCompiler(serializerCompiler);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMITS.jsonBytes }, scope.getDefaultJsonParser('error', 'error'));
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1', description: `${description} Errors are application/problem+json.`, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      ...(token === null ? {} : { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] }),
    },
    transform: jsonSchemaTransform,
  });
}
