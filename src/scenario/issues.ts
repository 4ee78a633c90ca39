import type { z } from 'zod';
import { nearestName } from './nearest-name.js';
import { showValue, type Path, type Problem } from './scenario-error.js';
import type { YamlSource } from './yaml-source.js';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  tuple: 'a list',
  null: 'null',
};

/** Schemas without their wrappers (optional, default, nullable, transform …). */
function unwrap(schema: Schema): Schema {
  const def = schema._zod.def as { innerType?: Schema; in?: Schema };
  const inner = def.innerType ?? def.in;
  return inner ? unwrap(inner) : schema;
}

/** Schemas that may apply at a path: more than one below a union. */
function schemasAt(schema: Schema, path: Path): Schema[] {
  const plain = unwrap(schema);
  const def = plain._zod.def as { type: string; options?: Schema[]; shape?: Record<string, Schema>; element?: Schema; valueType?: Schema };
  if (def.type === 'union') return def.options!.flatMap((option) => schemasAt(option, path));
  if (path.length === 0) return [plain];
  const [first, ...rest] = path;
  const next = def.type === 'object' ? def.shape![String(first)] : def.type === 'array' ? def.element : def.type === 'record' ? def.valueType : undefined;
  return next ? schemasAt(next, rest) : [];
}

function keysAt(schema: Schema, path: Path): string[] {
  return [...new Set(schemasAt(schema, path).flatMap((found) => Object.keys((found._zod.def as { shape?: object }).shape ?? {})))];
}

/** How badly a branch of a union fits: wrong kind of value first, then unknown keys, then the rest. */
function misfit(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    if (issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_union')) return sum + 1_000_000;
    // A list or a map where one of some words is allowed: another branch may take it.
    if (issue.path.length === 0 && issue.code === 'invalid_value' && typeof issue.input === 'object') return sum + 1_000_000;
    if (issue.path.length <= 1 && issue.code === 'invalid_value') return sum + 10_000;
    if (issue.path.length === 0 && issue.code === 'unrecognized_keys') return sum + 100 * issue.keys.length;
    if (issue.path.length === 1 && issue.input === undefined) return sum + 100;
    return sum + 1;
  }, 0);
}

/** What is wrong, as problems at their places in the file. `base` is where the checked value sits in it. */
export function problemsOf(issues: readonly Issue[], schema: Schema, source: YamlSource, base: Path = []): Problem[] {
  return strictest(issues).flatMap((issue) => problemsOfIssue(issue, [], schema, source, base));
}

/** A number may be beyond several limits, such as that of whole numbers: the last, narrowest one is told. */
function strictest(issues: readonly Issue[]): Issue[] {
  return issues.filter((issue, i) => issue.code !== 'too_big' || !issues.some((later, j) => j > i && later.code === 'too_big' && later.path.join('.') === issue.path.join('.')));
}

function problemsOfIssue(issue: Issue, above: Path, schema: Schema, source: YamlSource, base: Path): Problem[] {
  const local: Path = [...above, ...(issue.path as (string | number)[])];
  const path: Path = [...base, ...local];
  const found = showValue(issue.input);
  const wrong = (allowed: string): Problem[] =>
    issue.input === undefined
      ? [source.problemAt(path, `is missing; add it: ${allowed}`)]
      : [source.problemAt(path, `found ${found}; allowed: ${allowed}`)];
  switch (issue.code) {
    case 'invalid_type': {
      const whole = issue.expected === 'number' && schemasAt(schema, local).some((found) => (found._zod.def as { format?: string }).format === 'safeint');
      return wrong(TYPE_NAMES[whole ? 'int' : issue.expected] ?? issue.expected);
    }
    case 'unrecognized_keys': {
      const allowed = keysAt(schema, local);
      return issue.keys.map((key) => {
        const near = nearestName(key, allowed);
        return source.problemAtKey([...path, key], `unknown key; ${near === null ? '' : `did you mean \`${near}\`? `}allowed: ${allowed.join(', ')}`);
      });
    }
    case 'invalid_value': {
      const near = typeof issue.input === 'string' ? nearestName(issue.input, issue.values.map(String)) : null;
      return wrong(`${issue.values.map((value) => String(value)).join(', ')}${near === null ? '' : `; did you mean \`${near}\`?`}`);
    }
    case 'invalid_key':
      return issue.issues.map((inner) => source.problemAtKey(path, `found the key ${JSON.stringify(local.at(-1))}; allowed: ${allowedBy(inner)}`));
    case 'invalid_union': {
      const branches = [...issue.errors].sort((a, b) => misfit(a) - misfit(b));
      const best = branches[0];
      if (best === undefined || misfit(best) >= 1_000_000) return wrong(allowedBy(issue));
      return best.flatMap((inner) => problemsOfIssue(inner as Issue, local, schema, source, base));
    }
    default:
      return wrong(allowedBy(issue));
  }
}

/** What zod says of a union when nobody gave it words. */
export const UNEXPLAINED = 'Invalid input';

/** What would be allowed in place of a value, where that does not hang on what is around it. */
function allowedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map(String).join(', ');
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_union':
      return issue.message === UNEXPLAINED ? [...new Set(issue.errors.flatMap(([first]) => (first ? [allowedBy(first)] : [])))].join(', or ') : issue.message;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
