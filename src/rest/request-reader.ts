import type { z } from 'zod';
import type { EndpointSpec, ParameterSpec } from '../versions/rest-spec.js';
import type { EndpointRequest } from './endpoint.js';
import { InternalServerException, RestHandlerException } from './errors.js';
import { parseJsonBody } from './json-body.js';
import { queryParameters } from './request-target.js';
import type { RequestSchemas } from './request-schemas.js';

const NO_PARAMETERS = Object.freeze({});

/** The fields of a body, or Flink's complaint about it. */
export function readBody(body: Buffer | undefined, { requestClass }: EndpointSpec, schemas: RequestSchemas): EndpointRequest['body'] {
  const isEmpty = body === undefined || body.length === 0;
  let value: unknown;
  try {
    value = isEmpty ? {} : parseJsonBody(body);
  } catch {
    throw new RestHandlerException(400, `Request did not match expected format ${requestClass}.`);
  }
  // Jackson reads null as no request at all, which HandlerRequest does not take.
  if (value === null) throw new InternalServerException('java.lang.NullPointerException', '');
  const checked = schemas.body.safeParse(value);
  if (checked.success) return checked.data;
  throw new RestHandlerException(400, isEmpty ? 'Bad request received. Request did not conform to expected format.' : `Request did not match expected format ${requestClass}.`);
}

function unresolvable(kind: 'path' | 'query', key: string, value: string): RestHandlerException {
  const unresolved = `Cannot resolve ${kind} parameter (${key}) from value "${value}".`;
  return new RestHandlerException(400, `Bad request, could not parse parameters: ${unresolved}`, undefined, [`org.apache.flink.runtime.rest.handler.HandlerRequestException: ${unresolved}`]);
}

/** The first parameter, in Flink's order, that a check complained about. */
function firstWrong(specs: readonly ParameterSpec[], issues: readonly z.core.$ZodIssue[]): string {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  return specs.find(({ key }) => wrong.has(key))!.key;
}

/** Path parameters, checked and normalized (identifiers in lower case). */
export function readParams(params: Readonly<Record<string, string>>, endpoint: EndpointSpec, schemas: RequestSchemas): EndpointRequest['params'] {
  if (schemas.params === null) return NO_PARAMETERS;
  const checked = schemas.params.safeParse(params);
  if (checked.success) return checked.data;
  const key = firstWrong(endpoint.path, checked.error.issues);
  throw unresolvable('path', key, params[key]!);
}

/** Query parameters that the endpoint knows; repetitions are joined, then split at commas as Java does it (empty ones at the end are dropped). */
export function readQuery(target: string, endpoint: EndpointSpec, schemas: RequestSchemas): EndpointRequest['query'] {
  if (schemas.query === null || !target.includes('?')) return NO_PARAMETERS;
  const given = queryParameters(target);
  const joined: Record<string, string> = {};
  const split: Record<string, string[]> = {};
  for (const { key } of endpoint.query) {
    const values = given.get(key);
    if (!values) continue;
    joined[key] = values.join(',');
    split[key] = javaSplit(joined[key]);
  }
  const checked = schemas.query.safeParse(split);
  if (checked.success) return checked.data;
  const key = firstWrong(endpoint.query, checked.error.issues);
  throw unresolvable('query', key, joined[key]!);
}

function javaSplit(text: string): string[] {
  const parts = text.split(',');
  if (parts.length === 1) return parts;
  while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}
