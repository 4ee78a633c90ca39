import type { EndpointSpec, RestSpec } from '../versions/rest-spec.js';
import type { OpenApiDocument } from './openapi.js';
import { requestSchemas } from './request-schemas.js';

/** What lies under keys of any name. */
interface Node {
  [key: string]: unknown;
}

const STATUS_TEXTS: Readonly<Record<number, string>> = { 200: 'OK', 202: 'Accepted' };

/** What the schemas cannot say: lists joined with commas, files, bodies that may be left out, 64-bit numbers. */
export function refineDocument(document: OpenApiDocument, spec: RestSpec, lenient: boolean): OpenApiDocument {
  const { paths = {}, components } = document as { paths?: Record<string, Record<string, Node>>; components?: { schemas?: Record<string, Node> } };
  for (const endpoint of spec.endpoints) {
    const operation = paths[endpoint.url.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    if (operation) refineOperation(operation, endpoint, requestSchemas(endpoint, spec, lenient).body.safeParse({}).success);
  }
  const schemas = components?.schemas;
  // The transformation lists every class twice, as input and as output; answers are outputs.
  if (schemas) for (const name of Object.keys(schemas)) if (name.endsWith('Input') && name.slice(0, -5) in schemas) delete schemas[name];
  widenIntegers(document);
  return document;
}

function refineOperation(operation: Node, endpoint: EndpointSpec, bodyMayBeEmpty: boolean): void {
  for (const parameter of (operation.parameters ?? []) as Node[]) {
    if (parameter.in !== 'query') continue;
    parameter.style = 'form';
    parameter.explode = false;
  }
  const body = operation.requestBody as Node | undefined;
  if (body) body.required = !bodyMayBeEmpty && !endpoint.acceptsUploads;
  if (endpoint.acceptsUploads) {
    const request = endpoint.request === null ? {} : { request: (Object.values((body?.content ?? {}) as Record<string, Node>)[0]?.schema ?? {}) as Node };
    const schema = { type: 'object', properties: { ...request, file: { type: 'string', format: 'binary' } } };
    operation.requestBody = { required: true, content: { 'multipart/form-data': { schema } } };
  }
  const responses = operation.responses as Record<string, Node>;
  const success = responses[endpoint.status]!;
  success.description = STATUS_TEXTS[endpoint.status] ?? 'Success';
  if (endpoint.response === null) success.content = { 'text/plain': { schema: { type: 'string' } } };
  responses.default!.description = 'An error: its texts, the first of them with a stack trace from 1.10 on.';
}

/** JavaScript's bounds are not Java's. */
function widenIntegers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  for (const child of Object.values(node)) widenIntegers(child);
}
