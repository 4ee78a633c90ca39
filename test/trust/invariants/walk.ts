import type { FlinkVersion } from '../../../src/versions/flink-versions.js';

export type Json = Record<string, any>;

/** Everything that the API tells at one instant, and every address that was asked. */
export interface Walk {
  readonly overview: Json;
  readonly jobIds: readonly Json[];
  readonly jobsOverview: readonly Json[];
  readonly taskManagers: readonly Json[];
  readonly jobs: readonly WalkedJob[];
  /** Addresses that a dashboard follows and that did not answer 200. */
  readonly broken: readonly string[];
  readonly asked: number;
}

export interface WalkedJob {
  readonly details: Json;
  readonly checkpoints: Json;
  readonly checkpointDetails: readonly Json[];
  readonly vertices: readonly { readonly details: Json; readonly backPressure: Json }[];
}

type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

const IN_TURN = 8;

/** Asks for what a dashboard of the version would show: every list, and every thing in every list. */
export async function walk(get: Get, version: FlinkVersion): Promise<Walk> {
  const minor = Number(version.full.split('.')[0]) * 100 + Number(version.full.split('.')[1]);
  const has = (major: number, its: number): boolean => minor >= major * 100 + its;
  const broken: string[] = [];
  let asked = 0;
  const text = async (path: string): Promise<string | null> => {
    asked++;
    const answer = await get(path);
    if (answer.status === 200) return answer.text;
    broken.push(`${path} ${answer.status} ${answer.text.slice(0, 160)}`);
    return null;
  };
  const json = async (path: string): Promise<Json> => JSON.parse((await text(path)) ?? '{}') as Json;
  const all = async (paths: readonly string[]): Promise<void> => {
    for (let at = 0; at < paths.length; at += IN_TURN) await Promise.all(paths.slice(at, at + IN_TURN).map(text));
  };

  const [overview, jobs, jobsOverview, taskManagers] = [await json('/overview'), await json('/jobs'), await json('/jobs/overview'), await json('/taskmanagers')];
  await all(['/config', '/jars', '/jobmanager/config', '/jobmanager/metrics', '/jobmanager/log', '/jobmanager/stdout', '/jobs/metrics', '/taskmanagers/metrics']);
  if (has(1, 11)) for (const { name } of (await json('/jobmanager/logs'))['logs'] as Json[]) await text(`/jobmanager/logs/${encodeURIComponent(name)}`);
  if (has(1, 15)) await text('/jobmanager/thread-dump');
  if (has(2, 3)) for (const { id } of (await json('/applications/overview'))['applications'] as Json[]) await all([`/applications/${id}`, `/applications/${id}/exceptions`]);

  for (const { id } of taskManagers['taskmanagers'] as Json[]) {
    const at = `/taskmanagers/${encodeURIComponent(id)}`;
    await all([at, `${at}/metrics`, `${at}/log`, `${at}/stdout`, ...(has(1, 11) ? [`${at}/thread-dump`] : [])]);
    if (has(1, 11)) for (const { name } of (await json(`${at}/logs`))['logs'] as Json[]) await text(`${at}/logs/${encodeURIComponent(name)}`);
  }

  const walked: WalkedJob[] = [];
  for (const { jid } of jobsOverview['jobs'] as Json[]) {
    const at = `/jobs/${jid}`;
    const details = await json(at);
    await all([`${at}/plan`, `${at}/config`, `${at}/exceptions`, `${at}/accumulators`, `${at}/metrics`, `${at}/execution-result`, ...(has(1, 16) ? [`${at}/status`] : [])]);
    // A job without checkpoints has none to tell of, which a dashboard expects.
    const told = await get(`${at}/checkpoints`);
    if (told.status !== 200 && !/has not been enabled|No checkpointing statistics/.test(told.text)) broken.push(`${at}/checkpoints ${told.status} ${told.text.slice(0, 160)}`);
    const checkpoints = told.status === 200 ? (JSON.parse(told.text) as Json) : {};
    if (checkpoints['counts']) await get(`${at}/checkpoints/config`);
    const checkpointDetails: Json[] = [];
    const known = new Set([...((checkpoints['history'] ?? []) as Json[]), ...Object.values((checkpoints['latest'] ?? {}) as Record<string, Json | null>).filter((each) => each !== null)].map((each) => each['id'] as number));
    const evictable = ((checkpoints['latest'] ?? {}) as Json)['restored']?.['id'] as number | undefined;
    for (const id of known) {
      // What was restored may come from another job, or be forgotten.
      if (id === evictable && !((checkpoints['history'] ?? []) as Json[]).some((each) => each['id'] === id)) continue;
      const detail = await json(`${at}/checkpoints/details/${id}`);
      checkpointDetails.push(detail);
      await all(Object.keys((detail['tasks'] ?? {}) as Json).map((vertex) => `${at}/checkpoints/details/${id}/subtasks/${vertex}`));
    }
    const vertices: { details: Json; backPressure: Json }[] = [];
    for (const { id } of (details['vertices'] ?? []) as Json[]) {
      const of = `${at}/vertices/${id}`;
      const vertex = await json(of);
      await all([`${of}/subtasktimes`, `${of}/taskmanagers`, `${of}/accumulators`, `${of}/subtasks/accumulators`, `${of}/metrics`, `${of}/subtasks/metrics`, ...(has(1, 10) ? [`${of}/watermarks`] : []), ...(has(1, 20) ? [`${of}/jm-operator-metrics`] : [])]);
      for (const { subtask, attempt } of ((vertex['subtasks'] ?? []) as Json[]).slice(0, 4)) await all([`${of}/subtasks/${subtask}`, `${of}/subtasks/${subtask}/attempts/${attempt}`, `${of}/subtasks/${subtask}/attempts/${attempt}/accumulators`, `${of}/subtasks/${subtask}/metrics`]);
      // Until 1.12 the back pressure of an ended job is Flink's own 500: its JobMaster, which is asked, is gone.
      const isAsked = has(1, 13) || !['FINISHED', 'CANCELED', 'FAILED'].includes(details['state'] as string);
      vertices.push({ details: vertex, backPressure: isAsked ? await json(`${of}/backpressure`) : {} });
    }
    walked.push({ details, checkpoints, checkpointDetails, vertices });
  }
  return { overview, jobIds: (jobs['jobs'] ?? []) as Json[], jobsOverview: jobsOverview['jobs'] as Json[], taskManagers: taskManagers['taskmanagers'] as Json[], jobs: walked, broken, asked };
}
