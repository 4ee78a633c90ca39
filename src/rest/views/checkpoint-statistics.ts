import type { CheckpointState, VertexCheckpointState } from '../../simulation/state/checkpoint-state.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import { abstractIdHash, hashMapOrder } from '../java/hash-order.js';
import { statsSummary, ZERO_SUMMARY, type StatsSummary } from './statistics.js';

type SizeColumn = 'checkpointedSizeBytes' | 'stateSizeBytes' | 'alignmentBufferedBytes' | 'processedBytes' | 'persistedBytes';

/** Subtasks that have acknowledged. */
function acknowledged(vertex: VertexCheckpointState): number[] {
  const subtasks: number[] = [];
  for (let subtask = 0; subtask < vertex.ackMs.length; subtask++) if (vertex.ackMs[subtask]! >= 0) subtasks.push(subtask);
  return subtasks;
}

function sum(vertices: readonly VertexCheckpointState[], column: SizeColumn): number {
  let total = 0;
  for (const vertex of vertices) {
    const values = vertex[column];
    for (let subtask = 0; subtask < values.length; subtask++) if (vertex.ackMs[subtask]! >= 0) total += Math.floor(values[subtask]!);
  }
  return total;
}

/** Sizes of a checkpoint, or of a vertex's part of it. */
function sizes(vertices: readonly VertexCheckpointState[], features: RestFeatures) {
  return {
    checkpointed_size: sum(vertices, 'checkpointedSizeBytes'),
    state_size: sum(vertices, 'stateSizeBytes'),
    alignment_buffered: features.reportsAlignmentBuffered ? sum(vertices, 'alignmentBufferedBytes') : 0,
    processed_data: sum(vertices, 'processedBytes'),
    persisted_data: sum(vertices, 'persistedBytes'),
  };
}

/** Of checkpoints that are complete, to which nothing is added any more. */
const COMPLETE_SIZES = new WeakMap<readonly VertexCheckpointState[], ReturnType<typeof sizes>>();

function checkpointSizes({ status, vertices }: CheckpointState, features: RestFeatures): ReturnType<typeof sizes> {
  if (status !== 'COMPLETED') return sizes(vertices, features);
  let known = COMPLETE_SIZES.get(vertices);
  if (!known) COMPLETE_SIZES.set(vertices, (known = sizes(vertices, features)));
  return known;
}

/** From the trigger to an acknowledgement, -1 when there is none. */
function sinceTrigger(checkpoint: CheckpointState, ackMs: number): number {
  return ackMs < 0 ? -1 : Math.floor(ackMs) - Math.floor(checkpoint.triggerMs);
}

function endToEndDuration(checkpoint: CheckpointState): number {
  return sinceTrigger(checkpoint, checkpoint.status === 'FAILED' ? checkpoint.failureMs : checkpoint.latestAckMs);
}

function checkpointType(checkpoint: CheckpointState, features: RestFeatures): string {
  if (checkpoint.checkpointType === 'SAVEPOINT' || checkpoint.checkpointType === 'SYNC_SAVEPOINT') return checkpoint.checkpointType;
  return checkpoint.unaligned && features.tellsUnalignedCheckpoints ? 'UNALIGNED_CHECKPOINT' : 'CHECKPOINT';
}

/** A vertex's part of a checkpoint. */
export function taskCheckpointStatistics(checkpoint: CheckpointState, vertex: VertexCheckpointState, features: RestFeatures) {
  return {
    id: checkpoint.id,
    status: checkpoint.status,
    latest_ack_timestamp: Math.floor(vertex.latestAckMs),
    ...sizes([vertex], features),
    end_to_end_duration: sinceTrigger(checkpoint, vertex.latestAckMs),
    num_subtasks: vertex.ackMs.length,
    num_acknowledged_subtasks: vertex.numAcknowledged,
  };
}

const CLASS_NAMES = { IN_PROGRESS: 'in_progress', COMPLETED: 'completed', FAILED: 'failed' } as const;

/**
 * Flink's CheckpointStatistics.
 * @param includeTasks overviews leave `tasks` empty
 */
export function checkpointStatistics(checkpoint: CheckpointState, features: RestFeatures, includeTasks: boolean) {
  const vertices = includeTasks ? hashMapOrder(checkpoint.vertices, (vertex) => abstractIdHash(vertex.vertexId)) : [];
  return {
    className: CLASS_NAMES[checkpoint.status],
    id: checkpoint.id,
    status: checkpoint.status,
    is_savepoint: checkpoint.isSavepoint,
    savepointFormat: checkpoint.savepointFormat,
    trigger_timestamp: Math.floor(checkpoint.triggerMs),
    latest_ack_timestamp: Math.floor(checkpoint.latestAckMs),
    ...checkpointSizes(checkpoint, features),
    end_to_end_duration: endToEndDuration(checkpoint),
    num_subtasks: checkpoint.numSubtasks,
    num_acknowledged_subtasks: checkpoint.numAcknowledged,
    checkpoint_type: checkpointType(checkpoint, features),
    tasks: Object.fromEntries(vertices.map((vertex) => [vertex.vertexId, taskCheckpointStatistics(checkpoint, vertex, features)])),
    external_path: checkpoint.externalPath,
    discarded: checkpoint.discarded,
    failure_timestamp: Math.floor(checkpoint.failureMs),
    failure_message: checkpoint.failureMessage,
  };
}

/** Statistics over the subtasks of a vertex; Flink keeps no histogram of them, so that percentiles are NaN. */
export function subtaskSummary(checkpoint: CheckpointState, vertex: VertexCheckpointState, features: RestFeatures) {
  const subtasks = acknowledged(vertex);
  const over = (column: Float64Array): StatsSummary => statsSummary(subtasks.map((subtask) => Math.floor(column[subtask]!)), false);
  return {
    checkpointed_size: over(vertex.checkpointedSizeBytes),
    state_size: over(vertex.stateSizeBytes),
    end_to_end_duration: statsSummary(subtasks.map((subtask) => Math.max(0, sinceTrigger(checkpoint, vertex.ackMs[subtask]!))), false),
    checkpoint_duration: { sync: over(vertex.syncDurationMs), async: over(vertex.asyncDurationMs) },
    alignment: {
      buffered: features.reportsAlignmentBuffered ? over(vertex.alignmentBufferedBytes) : ZERO_SUMMARY,
      processed: over(vertex.processedBytes),
      persisted: over(vertex.persistedBytes),
      duration: over(vertex.alignmentDurationMs),
    },
    start_delay: over(vertex.startDelayMs),
  };
}

/** Flink's SubtaskCheckpointStatistics. */
export function subtaskCheckpointStatistics(checkpoint: CheckpointState, vertex: VertexCheckpointState, subtask: number, features: RestFeatures) {
  const ackMs = vertex.ackMs[subtask]!;
  if (ackMs < 0) return { className: 'pending', index: subtask, status: 'pending_or_failed' };
  const whole = (column: Float64Array): number => Math.floor(column[subtask]!);
  return {
    className: 'completed',
    index: subtask,
    ack_timestamp: Math.floor(ackMs),
    end_to_end_duration: sinceTrigger(checkpoint, ackMs),
    checkpointed_size: whole(vertex.checkpointedSizeBytes),
    state_size: whole(vertex.stateSizeBytes),
    checkpoint: { sync: whole(vertex.syncDurationMs), async: whole(vertex.asyncDurationMs) },
    alignment: {
      buffered: features.reportsAlignmentBuffered ? whole(vertex.alignmentBufferedBytes) : 0,
      processed: whole(vertex.processedBytes),
      persisted: whole(vertex.persistedBytes),
      duration: whole(vertex.alignmentDurationMs),
    },
    start_delay: whole(vertex.startDelayMs),
    unaligned_checkpoint: checkpoint.unaligned,
    aborted: false,
    status: 'completed',
  };
}
