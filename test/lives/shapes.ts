/** What of an answer a life is compared by: status, error text, states, slots; without ids, ports, counters and times. */
export type Shape = readonly unknown[];

export interface Answer {
  /** null = nobody answered. */
  readonly status: number | null;
  readonly body: unknown;
}

type Json = Record<string, unknown>;

/** Ids, addresses and numbers that differ from cluster to cluster become words. */
export function withoutIds(text: string): string {
  return text
    .replace(/[^\s'"(]+:\d+-[0-9a-f]{6}/g, '<task manager>')
    .replace(/[0-9a-f]{32}(_[0-9a-f]{32}_\d+_\d+)?(#\d+)?(@[0-9a-f_]+)?/g, '<id>')
    .replace(/localhost(\/[\d.]+)?:\d+/g, '<address>')
    .replace(/_taskmanager_\d+|taskmanager_\d+|jobmanager_\d+|dispatcher_\d+|resourcemanager_\d+/g, '<endpoint>');
}

function firstLine(text: string): string {
  return withoutIds(text.split('\n')[0]!);
}

/** The error's own text and the first line of what lies behind it. */
function errorShape(status: number, errors: readonly string[]): Shape {
  const behind = (errors[1] ?? '').split('\n').find((line) => /^[a-z]+(\.\w+)+(Exception|Error)/.test(line));
  // How the RPC system names who could not be reached is its own affair.
  return [status, firstLine(errors[0]!), ...(behind ? [firstLine(behind).replace(/ Could not send message .*/, ' Could not send message')] : [])];
}

function counted(words: readonly string[]): string[] {
  return [...words].sort();
}

function nonZero(tasks: Json): Json {
  return Object.fromEntries(Object.entries(tasks).filter(([name, count]) => name !== 'total' && count !== 0).sort());
}

function sum(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((total, one) => total + one, 0);
}

const SHAPES: Readonly<Record<string, (body: Json) => readonly unknown[]>> = {
  overview: (body) => ['taskmanagers', 'slots-total', 'slots-available', 'jobs-running', 'jobs-finished', 'jobs-cancelled', 'jobs-failed'].map((key) => body[key]),
  jobs: (body) => (body['jobs'] as Json[]).map((job) => `${job['name'] as string} ${job['state'] as string}`).sort(),
  tasks: (body) => (body['jobs'] as Json[]).map((job) => `${job['name'] as string} ${JSON.stringify(nonZero(job['tasks'] as Json))}`).sort(),
  job: (body) => [body['state']],
  vertices: (body) => counted((body['vertices'] as Json[]).map((vertex) => `${vertex['status'] as string} × ${vertex['parallelism'] as number}`)),
  // What is there of a batch job's vertices: parallelism, subtasks, and how many operators are to come.
  stages: (body) => [
    ...(body['vertices'] as Json[]).map((vertex) => `${vertex['name'] as string} ${vertex['status'] as string} ${vertex['parallelism'] as number} of ${vertex['maxParallelism'] as number}, ${sum(vertex['tasks'] as Record<string, number>)} tasks`),
    body['pending-operators'] ?? null,
  ],
  plan: (body) => ((body['plan'] as Json)['nodes'] as Json[]).map((node) => `${node['description'] as string} ${node['parallelism'] as number}`),
  // Its nodes come in no order.
  streamgraph: (body) => counted((((body['stream-graph'] as Json | undefined)?.['nodes'] ?? []) as Json[]).map((node) => `${node['operator'] as string} ${node['parallelism'] as number} ${(node['inputs'] as Json[]).map((input) => `${input['ship_strategy'] as string} ${input['exchange'] as string}`).join()} ${node['job_vertex_id'] === undefined}`)),
  slots: (body) => [body['slots-available']],
  taskmanagers: (body) => counted((body['taskmanagers'] as Json[]).map((one) => `${one['freeSlots'] as number} of ${one['slotsNumber'] as number}`)),
  taskmanager: () => [],
  checkpoints: (body) => [(body['counts'] as Json)['restored']],
  exceptions: (body) => [firstLine((body['root-exception'] as string | null) ?? '').slice(0, 200), ((body['exceptionHistory'] as { entries: Json[] } | undefined)?.entries ?? []).map((entry) => entry['exceptionName'])],
  requirements: (body) => counted(Object.values(body).map((one) => JSON.stringify((one as Json)['parallelism']))),
  rescales: (body) => {
    const latest = body['latest'] as Record<string, Json | null>;
    return [Object.entries(body['rescalesCounts'] as Json).map(([name, count]) => `${name} ${count as number}`), ...Object.values(latest).map((one) => one && `${one['triggerCause'] as string} ${one['terminatedReason'] as string}`)];
  },
  history: (body) => (body as unknown as Json[]).map((one) => [one['triggerCause'], one['terminalState'] ?? null, one['terminatedReason'] ?? null].join(' ')),
  summary: (body) => [body['rescalesCounts']],
  rescaleconfig: (body) => [body],
  savepoint: (body) => [(body['status'] as Json)['id']],
  config: () => [],
  index: () => [],
};

export const QUESTIONS = Object.keys(SHAPES);

export function shapeOf(question: string, { status, body }: Answer): Shape {
  if (status === null) return ['no answer'];
  if (question === 'index') return [status];
  if (body !== null && typeof body === 'object' && 'errors' in body) return errorShape(status, (body as { errors: string[] }).errors);
  return [status, ...SHAPES[question]!(body as Json)];
}
