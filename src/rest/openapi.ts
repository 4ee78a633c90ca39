import swagger from '@fastify/swagger';
import { fastify, type FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { FlinkVersion } from '../versions/flink-versions.js';
import { restFeatures } from '../versions/rest-features.js';
import { restSpec, type EndpointSpec } from '../versions/rest-spec.js';
import { requestSchemas } from './request-schemas.js';
import { refineDocument } from './openapi-refinement.js';
import { ResponseSchemas, SchemaRegistry } from './response-schemas.js';

export type OpenApiDocument = ReturnType<FastifyInstance['swagger']>;

const ERRORS = z.strictObject({ errors: z.array(z.string()) });

/** First path segment: how the documents are grouped. */
function tagOf(url: string): string {
  return url.split('/')[1]!;
}

function operationId({ method, url }: EndpointSpec): string {
  const words = url.split('/').flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split('-')));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The OpenAPI document of a version, made from the same schemas that check its requests. */
export async function openApiDocument(version: FlinkVersion): Promise<OpenApiDocument> {
  const spec = restSpec(version);
  const lenient = restFeatures(version).unknownBodyFieldsAreIgnored;
  const registry = new SchemaRegistry();
  registry.add(ERRORS, { id: 'ErrorResponseBody' });
  const responses = new ResponseSchemas(spec, registry);
  const app = fastify({ logger: false, exposeHeadRoutes: false });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Flink JobManager REST API',
        description: `The REST API of Apache Flink ${version.minor} as mock-flink answers it. Every path exists below /v1 too.`,
        version: `v1/${version.minor}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
    },
    transform: createJsonSchemaTransform({ schemaRegistry: registry }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry: registry }),
  });
  app.after(() => {
    for (const endpoint of spec.endpoints) {
      const { params, query, body } = requestSchemas(endpoint, spec, lenient);
      const success = endpoint.response === null ? z.string().meta({ description: 'A file.' }) : responses.of(endpoint.response);
      app.route({
        method: endpoint.method,
        url: endpoint.url,
        schema: {
          operationId: operationId(endpoint),
          tags: [tagOf(endpoint.url)],
          ...(endpoint.description === '' ? {} : { summary: endpoint.description.split('. ')[0]!.replace(/\.$/, ''), description: endpoint.description }),
          ...(params ? { params } : {}),
          ...(query ? { querystring: query } : {}),
          ...(endpoint.request !== null && endpoint.method !== 'GET' ? { body } : {}),
          ...(endpoint.acceptsUploads ? { consumes: ['multipart/form-data'] } : {}),
          response: { [endpoint.status]: success, default: ERRORS },
        } as object,
        handler: () => null,
      });
    }
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return refineDocument(document, spec, lenient);
}
