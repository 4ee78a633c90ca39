import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { problemsOf, UNEXPLAINED } from '../scenario/issues.js';
import { plainSource } from '../scenario/plain-source.js';
import { ScenarioError, type Path, type Problem } from '../scenario/scenario-error.js';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;

const isMap = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with something that a caller sent: where it is, what was found, what is allowed. Of a map that fits none of several forms the schema's own words say most. */
export function problemsOfInput(issues: readonly Issue[], schema: Schema, base: Path = []): Problem[] {
  const source = plainSource(null, 'request');
  const hasOwnWords = (issue: Issue): boolean => issue.code === 'invalid_union' && issue.message !== UNEXPLAINED && isMap(issue.input);
  const own = issues.filter(hasOwnWords).map(({ path, message }) => source.problemAt([...base, ...(path as Path)], message));
  return [...own, ...problemsOf(issues.filter((issue) => !hasOwnWords(issue)), schema, source, base)];
}

/** The same in a line. */
export function describeIssues(issues: readonly Issue[], schema: Schema, base: Path = []): string {
  return problemsOfInput(issues, schema, base).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}

/** Numbers in paths and queries come as text: what was written is told, not what became of it. */
function asWritten(issue: Issue, data: unknown): Issue {
  const input = issue.path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined), data);
  return { ...issue, input } as Issue;
}

/** Lets fastify check what comes by a zod schema, and refuse it in our own words. */
export const inputValidator: FastifySchemaCompiler<Schema> = ({ schema }) => (data) => {
  const result = z.safeParse(schema, data, { reportInput: true });
  if (result.success) return { value: result.data };
  return { error: new ScenarioError(problemsOfInput(result.error.issues.map((issue) => asWritten(issue, data)), schema)) };
};
