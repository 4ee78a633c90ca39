import { parseDurationMs } from '../simulation/options.js';
import { parseMemoryBytes } from './flink-options.js';

/** How Flink reads an option's value. */
interface OptionKind {
  /** For messages. */
  readonly allowed: string;
  readonly reads: (text: string) => boolean;
}

const DURATION: OptionKind = { allowed: 'a duration such as 50 s, 500 ms, 10 min or PT5S', reads: (text) => parseDurationMs(text) !== null };
const MEMORY: OptionKind = { allowed: 'a memory size such as 32 kb, 64m or 1073741824', reads: (text) => parseMemoryBytes(text) !== null };
const WHOLE: OptionKind = { allowed: 'a whole number', reads: (text) => /^\s*-?\d+\s*$/.test(text) };
const NUMBER: OptionKind = { allowed: 'a number', reads: (text) => text.trim() !== '' && Number.isFinite(Number(text)) };
const BOOLEAN: OptionKind = { allowed: 'true or false', reads: (text) => /^\s*(true|false)\s*$/i.test(text) };
const oneOf = (...values: readonly string[]): OptionKind => ({ allowed: values.join(', '), reads: (text) => values.includes(text.trim().toLowerCase()) });

const NETWORK = 'taskmanager.network.memory';
const ADAPTIVE = 'jobmanager.adaptive-scheduler';
const RESTART = 'restart-strategy';

const NAMES: ReadonlyMap<OptionKind, readonly string[]> = new Map([
  [
    DURATION,
    [
      'heartbeat.interval', 'heartbeat.timeout', 'slot.request.timeout', 'slot.idle.timeout', 'taskmanager.slot.timeout', 'pekko.ask.timeout', 'akka.ask.timeout', 'client.retry-period',
      'resourcemanager.standalone.start-up-time', 'jobstore.expiration-time', 'high-availability.zookeeper.client.session-timeout',
      'web.refresh-interval', 'rest.cache.checkpoint-statistics.timeout', 'rest.async.store-duration', 'rest.profiling.duration-max', 'metrics.fetcher.update-interval', 'metrics.latency.interval',
      'web.backpressure.cleanup-interval', 'web.backpressure.refresh-interval', 'web.backpressure.delay-between-samples',
      'rest.flamegraph.cleanup-interval', 'rest.flamegraph.refresh-interval', 'rest.flamegraph.delay-between-samples',
      'execution.checkpointing.interval', 'execution.checkpointing.timeout', 'execution.checkpointing.min-pause', 'execution.checkpointing.alignment-timeout', 'execution.checkpointing.aligned-checkpoint-timeout',
      'state.changelog.periodic-materialize.interval', 'state.backend.changelog.periodic-materialize.interval', `${NETWORK}.buffer-debloat.target`, `${NETWORK}.buffer-debloat.period`,
      `${ADAPTIVE}.submission.resource-wait-timeout`, `${ADAPTIVE}.resource-wait-timeout`, `${ADAPTIVE}.submission.resource-stabilization-timeout`, `${ADAPTIVE}.resource-stabilization-timeout`,
      `${ADAPTIVE}.executing.cooldown-after-rescaling`, `${ADAPTIVE}.scaling-interval.min`, `${ADAPTIVE}.executing.resource-stabilization-timeout`, `${ADAPTIVE}.rescale-trigger.max-delay`,
      `${RESTART}.fixed-delay.delay`, `${RESTART}.failure-rate.delay`, `${RESTART}.failure-rate.failure-rate-interval`,
      `${RESTART}.exponential-delay.initial-backoff`, `${RESTART}.exponential-delay.max-backoff`, `${RESTART}.exponential-delay.reset-backoff-threshold`,
    ],
  ],
  [MEMORY, ['taskmanager.memory.process.size', 'taskmanager.memory.flink.size', 'jobmanager.memory.process.size', 'jobmanager.memory.flink.size', 'taskmanager.memory.segment-size', 'taskmanager.memory.min-segment-size', 'jobmanager.adaptive-batch-scheduler.avg-data-volume-per-task', 'execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task']],
  [
    WHOLE,
    [
      'rest.port', 'jobmanager.rpc.port', 'web.backpressure.num-samples', 'rest.flamegraph.num-samples', 'rest.flamegraph.stack-depth', 'rest.profiling.history-size', 'rest.server.max-content-length', 'web.checkpoints.history', 'web.exception-history-size',
      'jobstore.max-capacity', 'cluster.thread-dump.stacktrace-max-depth', 'heartbeat.rpc-failure-threshold', 'parallelism.default', 'taskmanager.numberOfTaskSlots',
      'execution.checkpointing.max-concurrent-checkpoints', 'execution.checkpointing.tolerable-failed-checkpoints', 'metrics.latency.history-size', `${ADAPTIVE}.rescale-trigger.max-checkpoint-failures`,
      `${NETWORK}.buffers-per-channel`, `${NETWORK}.floating-buffers-per-gate`, `${NETWORK}.max-buffers-per-channel`, `${NETWORK}.max-overdraft-buffers-per-gate`,
      `${RESTART}.fixed-delay.attempts`, `${RESTART}.failure-rate.max-failures-per-interval`,
    ],
  ],
  [NUMBER, [`${RESTART}.exponential-delay.backoff-multiplier`, `${RESTART}.exponential-delay.jitter-factor`, 'taskmanager.cpu.cores']],
  [
    BOOLEAN,
    [
      'web.submit.enable', 'web.cancel.enable', 'web.rescale.enable', 'rest.flamegraph.enabled', 'rest.profiling.enabled', 'security.ssl.rest.enabled', 'security.ssl.rest.authentication-enabled', 'security.ssl.enabled',
      'taskmanager.jvm-exit-on-oom', 'cluster.evenly-spread-out-slots', 'state.changelog.enabled', 'state.backend.changelog.enabled', 'execution.checkpointing.incremental', 'state.backend.incremental',
      'execution.checkpointing.unaligned.enabled', 'execution.checkpointing.unaligned', 'execution.shutdown-on-application-finish', `${NETWORK}.buffer-debloat.enabled`,
    ],
  ],
  [oneOf('exactly_once', 'at_least_once'), ['execution.checkpointing.mode']],
  [oneOf('default', 'adaptive', 'adaptivebatch', 'adaptive-batch', 'adaptive_batch', 'ng', 'legacy'), ['jobmanager.scheduler']],
  [oneOf('reactive', 'none'), ['scheduler-mode']],
  [oneOf('full', 'region'), ['jobmanager.execution.failover-strategy']],
  [oneOf('none', 'off', 'disable', 'fixed-delay', 'fixeddelay', 'failure-rate', 'failurerate', 'exponential-delay', 'exponentialdelay'), [`${RESTART}.type`, RESTART]],
]);

const KINDS = new Map([...NAMES].flatMap(([kind, names]) => names.map((name) => [name, kind] as const)));

/** What an option of the simulation may be, if it cannot be read as given; null when it can, or is none that the simulation reads. */
export function unreadableOption(name: string, text: string): string | null {
  const kind = KINDS.get(name);
  return kind === undefined || kind.reads(text) ? null : kind.allowed;
}
