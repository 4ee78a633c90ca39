import type { Json } from './walk.js';

/** The part of a walk that is compared with the next one. */
export interface Watched {
  readonly taskManagers: readonly Json[];
  readonly jobs: readonly { readonly details: Json; readonly checkpoints: Json; readonly vertices: readonly { readonly details: Json }[] }[];
}

/** What must not become less from one walk to the next, by name. */
function growing(walk: Watched): Map<string, number> {
  const numbers = new Map<string, number>();
  const note = (name: string, value: unknown): void => {
    if (typeof value === 'number' && !Number.isNaN(value)) numbers.set(name, value);
  };
  for (const { id, timeSinceLastHeartbeat } of walk.taskManagers) note(`last heartbeat of ${id}`, timeSinceLastHeartbeat);
  for (const { details, checkpoints, vertices } of walk.jobs) {
    // A job that another leader has recovered begins anew.
    const life = `${details['jid']} since ${details['start-time']}`;
    note(`now of ${life}`, details['now']);
    for (const [state, at] of Object.entries((details['timestamps'] ?? {}) as Json)) note(`${state} of ${life}`, at);
    for (const key of ['restored', 'total', 'completed', 'failed']) note(`checkpoints ${key} of ${life}`, checkpoints['counts']?.[key]);
    for (const kind of ['completed', 'failed', 'savepoint', 'restored']) {
      const told = checkpoints['latest']?.[kind] as Json | null | undefined;
      note(`latest ${kind} of ${life}`, told?.['id']);
    }
    note(`newest checkpoint of ${life}`, checkpoints['history']?.[0]?.id);
    for (const { details: vertex } of vertices) {
      for (const subtask of (vertex['subtasks'] ?? []) as Json[]) {
        const attempt = `${vertex['name']} ${subtask['subtask']}, attempt ${subtask['attempt']} of ${life}`;
        note(`duration of ${attempt}`, subtask['duration']);
        // A number that says itself that it is not whole tells nothing: 0 while nobody has told the job manager.
        for (const key of ['read-bytes', 'write-bytes', 'read-records', 'write-records']) if (subtask['metrics'][`${key}-complete`] !== false) note(`${key} of ${attempt}`, subtask['metrics'][key]);
      }
    }
  }
  return numbers;
}

/** What must stay once it is set. */
function fixed(walk: Watched): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { details, checkpoints } of walk.jobs) {
    if (details['end-time'] > 0) numbers.set(`end of ${details['jid']} since ${details['start-time']}`, details['end-time']);
    for (const each of (checkpoints['history'] ?? []) as Json[]) numbers.set(`start of checkpoint ${each['id']} of ${details['jid']} since ${details['start-time']}`, each['trigger_timestamp']);
  }
  return numbers;
}

/** What ran backwards, or changed though it was over, between two walks. */
export function runBackwards(before: Watched, after: Watched): string[] {
  const [was, is] = [growing(before), growing(after)];
  const [stood, stands] = [fixed(before), fixed(after)];
  return [
    ...[...was].filter(([name, value]) => is.has(name) && is.get(name)! < value).map(([name, value]) => `${name} ran back from ${value} to ${is.get(name)}`),
    ...[...stood].filter(([name, value]) => stands.has(name) && stands.get(name) !== value).map(([name, value]) => `${name} changed from ${value} to ${stands.get(name)}`),
  ];
}
