import { emptyCheckpointStats } from '../../simulation/checkpoints/create-coordinator.js';
import type { CheckpointState } from '../../simulation/state/checkpoint-state.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { NotFoundException, RestHandlerException } from '../errors.js';
import { rowList } from '../serializer/long-list.js';
import { checkpointConfigInfo } from '../views/checkpoint-config.js';
import { checkpointStatistics, subtaskCheckpointStatistics, subtaskSummary, taskCheckpointStatistics } from '../views/checkpoint-statistics.js';
import { getCheckpointStats, getExecutionGraph } from '../views/execution-graph-cache.js';
import type { CheckpointStatsSnapshot, ExecutionGraph } from '../views/execution-graph.js';
import { statsSummary, ZERO_SUMMARY } from '../views/statistics.js';

const NO_CHECKPOINTS: Omit<CheckpointStatsSnapshot, 'config'> = emptyCheckpointStats();

/** Streaming jobs have statistics even without periodic checkpoints, since savepoints are possible; batch jobs have none. */
function hasCheckpointing(graph: ExecutionGraph, features: RestFeatures): boolean {
  return graph.model.jobType === 'STREAMING' && (!graph.isSparse || features.sparseJobHasCheckpointStats);
}

/** The checkpoint of a path with :jobid and :checkpointid. */
function getCheckpoint(request: EndpointRequest, context: EndpointContext): CheckpointState {
  const jobId = request.params['jobid']!;
  if (!hasCheckpointing(getExecutionGraph(context, jobId), context.features)) throw new RestHandlerException(404, `Checkpointing was not enabled for job ${jobId}.`);
  const id = Number(request.params['checkpointid']);
  const stats = getCheckpointStats(context, jobId);
  const remembered = stats ? [...stats.history, stats.latestCompleted, stats.latestSavepoint, stats.latestFailed] : [];
  const found = remembered.find((checkpoint) => checkpoint?.id === id);
  if (!found) throw new RestHandlerException(404, `Could not find checkpointing statistics for checkpoint ${request.params['checkpointid']!}.`);
  return found;
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/checkpoints',
    handle(request, context) {
      const { features } = context;
      const jobId = request.params['jobid']!;
      if (!hasCheckpointing(getExecutionGraph(context, jobId), context.features)) throw new RestHandlerException(404, 'Checkpointing has not been enabled.');
      const stats = getCheckpointStats(context, jobId) ?? NO_CHECKPOINTS;
      const { counts, summary, latestRestored: restored } = stats;
      const line = (checkpoint: CheckpointState | null) => checkpoint && checkpointStatistics(checkpoint, features, false);
      return {
        counts: { restored: counts.restored, total: counts.total, in_progress: counts.inProgress, completed: counts.completed, failed: counts.failed },
        summary: {
          checkpointed_size: statsSummary(summary.checkpointedSize, true),
          state_size: statsSummary(summary.stateSize, true),
          end_to_end_duration: statsSummary(summary.endToEndDuration, true),
          alignment_buffered: features.reportsAlignmentBuffered ? statsSummary(summary.alignmentBuffered, true) : ZERO_SUMMARY,
          processed_data: statsSummary(summary.processedData, true),
          persisted_data: statsSummary(summary.persistedData, true),
        },
        latest: {
          completed: line(stats.latestCompleted),
          savepoint: line(stats.latestSavepoint),
          failed: line(stats.latestFailed),
          restored: restored && { id: restored.id, restore_timestamp: Math.floor(restored.restoreTimestampMs), is_savepoint: restored.isSavepoint, external_path: restored.externalPath },
        },
        history: stats.history.map(line),
      };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/checkpoints/config',
    handle(request, context) {
      const jobId = request.params['jobid']!;
      const graph = getExecutionGraph(context, jobId);
      if (!hasCheckpointing(graph, context.features)) throw new RestHandlerException(404, `Checkpointing is not enabled for this job (${jobId}).`);
      return checkpointConfigInfo(graph.model.checkpointing, { ...context.state.options, ...graph.model.options }, context.features, !graph.isSparse);
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/checkpoints/details/:checkpointid',
    handle: (request, context) => checkpointStatistics(getCheckpoint(request, context), context.features, true),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid',
    handle(request, context) {
      const { features } = context;
      const checkpoint = getCheckpoint(request, context);
      const vertexId = request.params['vertexid']!;
      const vertex = checkpoint.vertices.find((candidate) => candidate.vertexId === vertexId);
      if (!vertex) throw new NotFoundException(`There is no checkpoint statistics for task ${vertexId}.`);
      return {
        ...taskCheckpointStatistics(checkpoint, vertex, features),
        summary: subtaskSummary(checkpoint, vertex, features),
        subtasks: rowList(vertex.ackMs.length, (subtask) => subtaskCheckpointStatistics(checkpoint, vertex, subtask, features)),
      };
    },
  }),
];
