/** One thing that is wrong in a file. Line and column count from 1; null = it concerns the file as a whole. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  /** Such as `jobs[0].vertices[1].parallelism`; empty for the root. */
  readonly path: string;
  /** What was found, what is allowed, what to do. */
  readonly message: string;
}

export function formatProblem(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}:${problem.column}`;
  return `${place}: ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`;
}

/** More messages than anybody reads. */
const MAX_SHOWN = 50;

/** A scenario that cannot be used; carries everything that was found wrong with it. */
export class ScenarioError extends Error {
  /** In the order of the file. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    const shown = sorted.slice(0, MAX_SHOWN).map(formatProblem);
    super([...shown, ...(sorted.length > MAX_SHOWN ? [`… and ${sorted.length - MAX_SHOWN} more`] : [])].join('\n'));
    this.name = 'ScenarioError';
    this.problems = sorted;
  }
}

export type Path = readonly (string | number)[];

export function formatPath(path: Path): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${/^[\w-]+$/.test(part) ? part : JSON.stringify(part)}`)).join('');
}

/** How a value is shown in a message: short, on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `a map (${Object.keys(value).slice(0, 3).join(', ')}${Object.keys(value).length > 3 ? ', …' : ''})`;
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
