import type { Disturbances } from './disturbances.js';

/** What came back for a request to Flink's API. */
export interface Outcome {
  readonly method: string;
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** null: the connection ended without a whole answer. */
  readonly status: number | null;
  readonly type: string;
  readonly text: string;
  /** Code of a failed connection. */
  readonly failure?: string;
}

interface Ordinary {
  readonly target: RegExp;
  readonly method?: string;
  readonly status: number;
  readonly text: RegExp;
}

/** Answers that are no 2xx and yet what a real cluster gives to clients that know it as it was a moment ago (which is minutes in the cluster). */
const ORDINARY: readonly Ordinary[] = [
  // What has gone, or ended, since its id was read. The jobs of the scenario never do.
  { target: /^\/taskmanagers\/[^/]+/, status: 404, text: /No TaskExecutor registered under|UnknownTaskExecutorException|Could not find TaskExecutor|because it was unknown/ },
  { target: /^\/taskmanagers\/[^/]+/, status: 500, text: /UnknownTaskExecutorException: No TaskExecutor registered under/ },
  { target: /\/checkpoints\/details\/\d+/, status: 404, text: /Could not find checkpointing statistics|There is no checkpoint statistics/ },
  { target: /\/(savepoints|checkpoints|rescaling)\/[0-9a-f]{32}$/, status: 404, text: /There is no savepoint operation with triggerId|Operation not found|trigger/i },
  // `numbers` is rescaled.
  { target: /\/subtasks\/\d+/, status: 404, text: /Invalid subtask index for vertex/ },
  // The default scheduler has none.
  { target: /\/resource-requirements$/, status: 500, text: /UnsupportedOperationException: The DefaultScheduler does not support/ },
  // Deleted since it was listed: /run and /plan say so in an exception of the server.
  { target: /\/jars\//, status: 404, text: /does not exist/ },
  { target: /\/jars\/[^/]+\/(run|plan)/, status: 500, text: /Jar file [^ ]+ does not exist/ },
];

/** Whether the body of an answer is what its content type says. */
function isReadable({ type, text }: Outcome): boolean {
  if (!type.includes('json') || text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with an answer; null where it is ordinary, or what the script asked for. `baseJobs` never go away. */
export function complaintAbout(outcome: Outcome, disturbances: Disturbances, baseJobs: ReadonlySet<string>): string | null {
  const { method, target, fromMs, untilMs, status, text } = outcome;
  const told = (): string => `${method} ${target}: ${status ?? outcome.failure} ${text.slice(0, 300)}`;
  const effect = disturbances.effectsOn(target, fromMs, untilMs);
  const isOut = disturbances.isOut(fromMs, untilMs);
  if (status === null) return effect.cuts || isOut ? null : told();
  if (effect.changesBody) return null;
  if (effect.statuses.includes(status)) return null;
  if (!isReadable(outcome)) return `${told()} is no JSON`;
  if (status < 300) return null;
  // Whoever has just become leader knows no jobs yet; who stands by reaches nobody.
  if (isOut && (status === 404 || status === 500 || status === 503)) return null;
  const job = /^\/jobs\/([0-9a-f]{32})/.exec(target)?.[1];
  if (job !== undefined && !baseJobs.has(job) && (status === 404 || status === 500) && /not found|Could not find|FlinkJobNotFoundException/.test(text)) return null;
  if (job !== undefined && !baseJobs.has(job) && status === 409 && /has already reached another terminal state/.test(text)) return null;
  return ORDINARY.some((each) => each.status === status && (each.method ?? method) === method && each.target.test(target) && each.text.test(text)) ? null : told();
}
