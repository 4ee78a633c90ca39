import type { Notes } from './notes.js';
import type { ClusterSurvey, JobSurvey } from './survey.js';
import type { JobWatch } from './watch.js';
import { writeDuration } from './written-values.js';

/** Flink says Long.MAX_VALUE for checkpoints that are triggered by nobody's clock. */
const LONGEST_INTERVAL_MS = 1e15;

function backendOf(name: string): 'hashmap' | 'rocksdb' | 'forst' {
  return /rocks/i.test(name) ? 'rocksdb' : /forst/i.test(name) ? 'forst' : 'hashmap';
}

/** Checkpoint configuration as the job has it; null when no clock triggers any. */
export function inferCheckpointing(job: JobSurvey, watch: JobWatch, survey: ClusterSurvey, notes: Notes): Record<string, unknown> | null {
  const config = job.checkpointing;
  if (config === null || config.interval >= LONGEST_INTERVAL_MS || config.interval <= 0) return null;
  const option = (...keys: string[]): string | undefined => survey.options.find(({ key }) => keys.includes(key))?.value;
  const durations = watch.checkpoints.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const seen = durations.length === 0 ? 'none completed' : `${durations.length} completed, ${durations[0]} to ${durations.at(-1)} ms, median ${durations[Math.floor(durations.length / 2)]} ms`;
  notes.add([], `Measured: the job's configuration. Of the last checkpoints ${seen}${watch.failedCheckpoints > 0 ? `, ${watch.failedCheckpoints} failed` : ''}; their durations come out of the simulation.`);
  const { externalization } = config;
  return {
    interval: writeDuration(config.interval),
    timeout: writeDuration(config.timeout),
    minPause: writeDuration(config.min_pause),
    maxConcurrent: config.max_concurrent,
    mode: config.mode.toUpperCase(),
    ...(config.unaligned_checkpoints ? { unaligned: true, alignedTimeout: writeDuration(config.aligned_checkpoint_timeout) } : {}),
    retention: !externalization?.enabled ? 'NO_EXTERNALIZED_CHECKPOINTS' : externalization.delete_on_cancellation ? 'DELETE_ON_CANCELLATION' : 'RETAIN_ON_CANCELLATION',
    tolerableFailures: Math.max(0, config.tolerable_failed_checkpoints),
    ...(config.checkpoints_after_tasks_finish ? {} : { afterTasksFinish: false }),
    stateBackend: backendOf(config.state_backend ?? option('state.backend.type', 'state.backend') ?? ''),
    ...(option('execution.checkpointing.incremental', 'state.backend.incremental') === 'true' ? { incremental: true } : {}),
  };
}
