import type { Json, Walk, WalkedJob } from './walk.js';

const ENDED = { FINISHED: 'jobs-finished', CANCELED: 'jobs-cancelled', FAILED: 'jobs-failed' } as const;
const FAILED_STATES = new Set(['FAILED', 'CANCELED', 'SUSPENDED', 'FINISHED']);
const COUNTED = ['read-bytes', 'write-bytes', 'read-records', 'write-records'];
const LEVELS = ['ok', 'low', 'high'];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const counts = (all: Json): number => sum(Object.entries(all).filter(([key]) => key !== 'total').map(([, count]) => count as number));

/** Level by the ratio, as Flink's handlers have it. */
function levelOf(ratio: number): string {
  return ratio <= 0.1 ? 'ok' : ratio <= 0.5 ? 'low' : 'high';
}

/** What of one walk contradicts itself; nothing = it agrees. */
export function contradictions(walk: Walk): string[] {
  const wrong: string[] = walk.broken.map((address) => `broken link: ${address}`);
  const same = (what: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b)) wrong.push(`${what}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`);
  };
  const { overview, jobsOverview, jobIds, taskManagers } = walk;
  for (const [status, key] of Object.entries(ENDED)) same(`${key} of /overview and of /jobs/overview`, overview[key], jobsOverview.filter(({ state }) => state === status).length);
  same('jobs-running', overview['jobs-running'], jobsOverview.filter(({ state }) => !FAILED_STATES.has(state as string)).length);
  same('ids of /jobs and /jobs/overview', jobIds.map(({ id, status }) => [id, status]).toSorted(), jobsOverview.map(({ jid, state }) => [jid, state]).toSorted());
  same('task managers', overview['taskmanagers'], taskManagers.length);
  same('slots', overview['slots-total'], sum(taskManagers.map((each) => each['slotsNumber'] as number)));
  same('free slots', overview['slots-available'], sum(taskManagers.map((each) => each['freeSlots'] as number)));
  for (const job of walk.jobs) {
    const shown = jobsOverview.find(({ jid }) => jid === job.details['jid'])!;
    if (!shown) wrong.push(`job ${job.details['jid']} is not in /jobs/overview`);
    else jobAgrees(job, shown, walk, wrong, same);
  }
  return wrong;
}

type Same = (what: string, a: unknown, b: unknown) => void;

/** The adaptive batch scheduler makes a vertex's tasks when its inputs are there: until then it has a parallelism, or -1, and no task. */
function hasTasks(vertex: Json): boolean {
  return vertex['status'] !== 'CREATED' || counts(vertex['tasks'] as Json) > 0;
}

function jobAgrees(job: WalkedJob, shown: Json, walk: Walk, wrong: string[], same: Same): void {
  const { details } = job;
  const at = `job ${details['name']}`;
  same(`${at}: state`, details['state'], shown['state']);
  for (const key of ['name', 'start-time', 'end-time']) same(`${at}: ${key}`, details[key], shown[key]);
  const vertices = (details['vertices'] ?? []) as Json[];
  same(`${at}: tasks in all`, shown['tasks'].total, sum(vertices.map((each) => (hasTasks(each) ? (each['parallelism'] as number) : 0))));
  same(`${at}: tasks by state add up`, counts(shown['tasks'] as Json), shown['tasks'].total);
  same(`${at}: vertices by state`, counts((details['status-counts'] ?? {}) as Json), vertices.length);
  const byState = new Map<string, number>();
  for (const vertex of vertices) for (const [state, count] of Object.entries(vertex['tasks'] as Json)) byState.set(state.toLowerCase(), (byState.get(state.toLowerCase()) ?? 0) + (count as number));
  for (const [state, count] of byState) if (shown['tasks'][state] !== undefined) same(`${at}: tasks ${state}`, shown['tasks'][state], count);
  vertices.forEach((vertex, index) => {
    const inAll = job.vertices[index]!;
    const of = `${at}, ${vertex['name']}`;
    const subtasks = (inAll.details['subtasks'] ?? []) as Json[];
    if (hasTasks(vertex)) same(`${of}: parallelism`, vertex['parallelism'], subtasks.length);
    else same(`${of}: subtasks of a stage that has not begun`, subtasks.length, 0);
    same(`${of}: tasks by state`, counts(vertex['tasks'] as Json), subtasks.length);
    for (const state of new Set(subtasks.map((each) => each['status'] as string))) same(`${of}: ${state}`, vertex['tasks'][state], subtasks.filter((each) => each['status'] === state).length);
    for (const key of COUNTED) same(`${of}: ${key} of the vertex and of its subtasks`, vertex['metrics'][key], sum(subtasks.map((each) => each['metrics'][key] as number)));
    for (const subtask of subtasks) {
      const id = subtask['taskmanager-id'] as string | undefined;
      // A task that has ended may have run where nobody is any more.
      if (subtask['status'] === 'RUNNING' && details['state'] === 'RUNNING' && id !== undefined && id !== '(unassigned)' && !walk.taskManagers.some((each) => each['id'] === id)) wrong.push(`${of}: runs on ${id}, which is not listed`);
      for (const key of COUNTED) if (!((subtask['metrics'][key] as number) >= 0)) wrong.push(`${of}: ${key} is ${subtask['metrics'][key]}`);
    }
    backPressureAgrees(of, inAll.backPressure, subtasks.length, wrong, same);
  });
  checkpointsAgree(at, job, wrong, same);
}

function backPressureAgrees(of: string, backPressure: Json, parallelism: number, wrong: string[], same: Same): void {
  if (backPressure['status'] !== 'ok') return;
  const subtasks = backPressure['subtasks'] as Json[];
  // Sampled (until 1.12) only what ran is told.
  if (subtasks.length > parallelism) wrong.push(`${of}: ${subtasks.length} subtasks sampled of ${parallelism}`);
  const ratioOf = (each: Json): number => Number(each['ratio']);
  for (const each of subtasks) {
    const ratio = ratioOf(each);
    if (ratio >= 0) same(`${of}: level of subtask ${each['subtask']} at ratio ${ratio}`, each['backpressure-level'] ?? each['backpressureLevel'], levelOf(ratio));
    // Their sum may be more: each gauge has an instant of its own, and a real cluster has shown 0.185 + 1.
    const [idle, busy] = [Number(each['idleRatio'] ?? 0), Number(each['busyRatio'] ?? 0)];
    if (ratio > 1 || idle > 1 || busy > 1) wrong.push(`${of}: a ratio of ${ratio}, ${idle}, ${busy} is more than the whole`);
  }
  const greatest = Math.max(0, ...subtasks.map(ratioOf));
  const level = (backPressure['backpressure-level'] ?? backPressure['backpressureLevel']) as string;
  same(`${of}: level at the greatest ratio ${greatest}`, level, levelOf(greatest));
  if (!LEVELS.includes(level)) wrong.push(`${of}: level ${level}`);
}

function checkpointsAgree(at: string, { checkpoints, checkpointDetails }: WalkedJob, wrong: string[], same: Same): void {
  if (!checkpoints['counts']) return;
  const { counts: all, history, latest, summary } = checkpoints as { counts: Json; history: Json[]; latest: Json; summary: Json };
  same(`${at}: checkpoints add up`, all['total'], all['in_progress'] + all['completed'] + all['failed']);
  const ids = history.map((each) => each['id'] as number);
  same(`${at}: history is ordered`, ids, ids.toSorted((a, b) => b - a));
  same(`${at}: checkpoints in progress`, history.filter(({ status }) => status === 'IN_PROGRESS').length, all['in_progress']);
  for (const [kind, status, savepoint] of [['completed', 'COMPLETED', false], ['failed', 'FAILED', null], ['savepoint', 'COMPLETED', true]] as const) {
    const told = latest[kind] as Json | null;
    const inHistory = history.filter((each) => each['status'] === status && (savepoint === null || each['is_savepoint'] === savepoint));
    if (told === null) {
      if (inHistory.length > 0) wrong.push(`${at}: latest.${kind} is null, but ${inHistory[0]!['id']} is in the history`);
      continue;
    }
    if (inHistory.length > 0) same(`${at}: latest.${kind} and the history's`, told['id'], Math.max(...inHistory.map((each) => each['id'] as number)));
    // It may have left a full history, but then all in it are later.
    else if (ids.length === 0 || ids.at(-1)! < (told['id'] as number)) wrong.push(`${at}: latest.${kind} ${told['id']} is not in the history ${ids.join()}`);
  }
  for (const each of history) {
    if (each['num_acknowledged_subtasks'] > each['num_subtasks']) wrong.push(`${at}: checkpoint ${each['id']} has more acknowledgements than subtasks`);
    if (each['status'] === 'COMPLETED') same(`${at}: checkpoint ${each['id']} is acknowledged by all`, each['num_acknowledged_subtasks'], each['num_subtasks']);
    const detail = checkpointDetails.find(({ id }) => id === each['id']);
    if (!detail) continue;
    for (const key of ['status', 'trigger_timestamp', 'state_size', 'end_to_end_duration', 'num_acknowledged_subtasks']) same(`${at}: checkpoint ${each['id']}: ${key}`, detail[key], each[key]);
    const tasks = Object.values((detail['tasks'] ?? {}) as Record<string, Json>);
    same(`${at}: checkpoint ${each['id']}: subtasks of its tasks`, sum(tasks.map((task) => task['num_acknowledged_subtasks'] as number)), each['num_acknowledged_subtasks']);
    same(`${at}: checkpoint ${each['id']}: state of its tasks`, sum(tasks.map((task) => task['state_size'] as number)), each['state_size']);
  }
  for (const [key, value] of Object.entries(summary ?? {})) {
    const { min, avg, max } = value as Record<string, number>;
    if (typeof min === 'number' && !(min <= avg! && avg! <= max!)) wrong.push(`${at}: summary of ${key}: ${min}, ${avg}, ${max}`);
  }
}
