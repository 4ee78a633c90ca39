import { logLine } from '../logs/index.js';
import { restoreOffsets } from '../kafka/index.js';
import type { RestorePointState } from '../state/checkpoint-state.js';
import type { FailoverState, JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { startChangelog } from './changelog.js';
import { partOf } from './snapshot-sizes.js';
import { normalizePath } from './storage.js';

/** A job starts over after a failure: from its latest completed checkpoint, or from the beginning. */
export function restoreForRestart(state: SimulationState, job: JobState, failover: FailoverState): void {
  const checkpoints = job.checkpoints;
  const point = checkpoints?.restorePoint ?? null;
  if (checkpoints) {
    if (point) restoreFrom(state, job, point);
    else if (failover.global) logLine(state, state.jobManager.log, 'resettingCoordinators');
  }
  const others = failover.tasks === null ? [] : positionsOfOthers(state, job, failover.tasks);
  restoreOffsets(state, job, point?.id ?? null, point?.jobId ?? job.id);
  for (const putBack of others) for (const [column, p, offset] of putBack) column[p] = offset;
}

/** Where the Kafka sources are that run on: a restart of a region does not touch them. */
function positionsOfOthers(state: SimulationState, job: JobState, restarted: readonly (readonly [number, number])[]): [Float64Array, number, number][][] {
  return job.vertices.map((_, v) => {
    const source = state.kafka.sources.get(`${job.id}/${v}`);
    if (!source) return [];
    const kept: [Float64Array, number, number][] = [];
    source.owners.forEach((owner, p) => {
      if (restarted.some(([rv, rs]) => rv === v && rs === owner)) return;
      for (const column of [source.emitted, source.polled, source.fetched, source.initial]) kept.push([column, p, column[p]]);
    });
    return kept;
  });
}

/** The coordinator of a job that starts goes back to a checkpoint. */
export function restoreFrom(state: SimulationState, job: JobState, point: RestorePointState): void {
  const checkpoints = job.checkpoints!;
  const { log } = state.jobManager;
  logLine(state, log, 'restoring', { id: job.id, kind: point.isSavepoint ? 'Savepoint' : 'Checkpoint', checkpoint: point.id, timestamp: point.triggerMs, path: point.externalPath });
  logLine(state, log, 'noMasterState');
  checkpoints.counts.restored++;
  checkpoints.latestRestored = { id: point.id, restoreTimestampMs: state.nowMs, isSavepoint: point.isSavepoint, externalPath: point.externalPath };
  state.revision++;
}

/** What lies under a savepoint's or checkpoint's path; undefined when nothing does. */
export function findSnapshot(state: SimulationState, path: string): RestorePointState | undefined {
  const { snapshots } = state.checkpointStorage;
  const normal = normalizePath(path);
  return snapshots.get(normal) ?? snapshots.get(`file:${normal}`) ?? snapshots.get(normal.replace(/\/_metadata$/, ''));
}

/** A new job begins where a savepoint or checkpoint of an earlier one ended. */
export function restoreAtSubmission(state: SimulationState, job: JobState, path: string, point: RestorePointState, allowNonRestoredState: boolean): void {
  const { log } = state.jobManager;
  const checkpoints = job.checkpoints!;
  logLine(state, log, 'startingFromSavepoint', { id: job.id, path, nonRestored: allowNonRestoredState ? 'allowing non restored state' : '' });
  checkpoints.nextCheckpointId = point.id + 1;
  checkpoints.restorePoint = { ...point, isSavepoint: true };
  logLine(state, log, 'resetCheckpointId', { id: job.id, checkpoint: point.id + 1 });
  restoreFrom(state, job, checkpoints.restorePoint);
  restoreOffsets(state, job, point.id, point.jobId);
}

/** A task's state is back when it runs: its part of what the checkpoint held. */
export function restoreSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const vertex = job.vertices[vertexIndex];
  const point = job.checkpoints?.restorePoint;
  const held = point?.stateBytes.get(vertex.id);
  if (held) vertex.columns.stateBytes[subtask] = partOf(held, vertex, subtask);
  vertex.columns.stateChangeBytes[subtask] = partOf(point?.changeBytes?.get(vertex.id), vertex, subtask);
  startChangelog(state, job, vertexIndex, subtask);
}
