import type { CheckpointingModel } from '../../simulation/model/job-model.js';
import { booleanOption, durationOption, findOption } from '../../simulation/options.js';
import type { RestFeatures } from '../../versions/rest-features.js';

type Options = Readonly<Record<string, string>>;

const LONG_MAX = 9223372036854775807n;
const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_MATERIALIZATION_MS = 600_000;

const BACKENDS: Readonly<Record<CheckpointingModel['stateBackend'], string>> = { hashmap: 'HashMapStateBackend', rocksdb: 'EmbeddedRocksDBStateBackend', forst: 'ForStStateBackend' };

function storesInFiles(options: Options): boolean {
  return findOption(options, 'execution.checkpointing.dir', 'state.checkpoints.dir') !== undefined;
}

/** Simple class name of the state backend. */
function stateBackendName(stateBackend: CheckpointingModel['stateBackend'], options: Options, features: RestFeatures): string {
  if (!features.stateBackendIncludesStorage) return BACKENDS[stateBackend];
  if (stateBackend !== 'hashmap') return 'RocksDBStateBackend';
  return storesInFiles(options) ? 'FsStateBackend' : 'MemoryStateBackend';
}

function clusterBackend(options: Options): CheckpointingModel['stateBackend'] {
  const name = findOption(options, 'state.backend.type', 'state.backend');
  return name === 'rocksdb' || name === 'forst' ? name : 'hashmap';
}

/**
 * Flink's CheckpointConfigInfo.
 * @param config null = checkpointing is off: savepoints are possible all the same, so that there is a configuration
 * @param known false while nothing but the settings is known: the job has no execution graph
 */
export function checkpointConfigInfo(config: CheckpointingModel | null, options: Options, features: RestFeatures, known: boolean) {
  return {
    mode: config ? config.mode.toLowerCase() : features.disabledCheckpointingMode,
    interval: config ? config.intervalMs : LONG_MAX,
    timeout: config ? config.timeoutMs : durationOption(options, 'execution.checkpointing.timeout', DEFAULT_TIMEOUT_MS),
    min_pause: config ? config.minPauseMs : 0,
    max_concurrent: config ? config.maxConcurrent : 1,
    externalization: {
      enabled: config !== null && config.retention !== 'NO_EXTERNALIZED_CHECKPOINTS',
      delete_on_cancellation: config === null || config.retention !== 'RETAIN_ON_CANCELLATION',
    },
    state_backend: known ? stateBackendName(config?.stateBackend ?? clusterBackend(options), options, features) : 'Unknown',
    checkpoint_storage: known ? (storesInFiles(options) ? 'FileSystemCheckpointStorage' : 'JobManagerCheckpointStorage') : 'Unknown',
    unaligned_checkpoints: config?.unaligned ?? false,
    tolerable_failed_checkpoints: config?.tolerableFailures ?? 0,
    aligned_checkpoint_timeout: config?.alignedTimeoutMs ?? 0,
    checkpoints_after_tasks_finish: config?.afterTasksFinish ?? true,
    state_changelog_enabled: booleanOption(options, 'state.changelog.enabled', booleanOption(options, 'state.backend.changelog.enabled', false)),
    changelog_periodic_materialization_interval: durationOption(options, ['state.changelog.periodic-materialize.interval', 'state.backend.changelog.periodic-materialize.interval'], DEFAULT_MATERIALIZATION_MS),
    changelog_storage: findOption(options, 'state.changelog.storage', 'state.backend.changelog.storage') ?? 'memory',
  };
}
