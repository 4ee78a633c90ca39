import { findOption, durationOption, numberOption } from '../options.js';
import { uniform } from '../random.js';
import type { JobModel, RestartStrategyModel } from '../model/job-model.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

const INTEGER_MAX = 2147483647;
const PREFIX = 'restart-strategy';

/** The strategy that holds for a job: its own, what its or the cluster's options say, or the version's default. */
export function restartStrategyOf(state: SimulationState, job: JobModel): RestartStrategyModel {
  if (job.restartStrategy) return job.restartStrategy;
  const options = { ...state.options, ...job.options };
  const features = lifecycleOf(state);
  switch (findOption(options, PREFIX, `${PREFIX}.type`)?.trim().toLowerCase()) {
    case 'none':
    case 'off':
    case 'disable':
      return { kind: 'none' };
    case 'fixed-delay':
    case 'fixeddelay':
      return { kind: 'fixed-delay', attempts: numberOption(options, `${PREFIX}.fixed-delay.attempts`, 1), delayMs: durationOption(options, `${PREFIX}.fixed-delay.delay`, features.defaultRestartDelayMs) };
    case 'failure-rate':
    case 'failurerate':
      return {
        kind: 'failure-rate',
        maxFailuresPerInterval: numberOption(options, `${PREFIX}.failure-rate.max-failures-per-interval`, 1),
        intervalMs: durationOption(options, `${PREFIX}.failure-rate.failure-rate-interval`, 60_000),
        delayMs: durationOption(options, `${PREFIX}.failure-rate.delay`, features.defaultRestartDelayMs),
      };
    case 'exponential-delay':
    case 'exponentialdelay':
      return exponentialDelay(options, features.exponentialMaxBackoffMs, features.exponentialMultiplier);
    default:
      if (!job.checkpointing) return { kind: 'none' };
      if (features.defaultRestartStrategy === 'exponential-delay') return exponentialDelay(options, features.exponentialMaxBackoffMs, features.exponentialMultiplier);
      return { kind: 'fixed-delay', attempts: INTEGER_MAX, delayMs: features.defaultRestartDelayMs };
  }
}

function exponentialDelay(options: Readonly<Record<string, string>>, maxBackoffMs: number, multiplier: number): RestartStrategyModel {
  const key = `${PREFIX}.exponential-delay`;
  return {
    kind: 'exponential-delay',
    initialBackoffMs: durationOption(options, `${key}.initial-backoff`, 1000),
    maxBackoffMs: durationOption(options, `${key}.max-backoff`, maxBackoffMs),
    backoffMultiplier: numberOption(options, `${key}.backoff-multiplier`, multiplier),
    resetThresholdMs: durationOption(options, `${key}.reset-backoff-threshold`, 3_600_000),
    jitterFactor: numberOption(options, `${key}.jitter-factor`, 0.1),
  };
}

/** The strategy as the JobMaster's log and `Recovery is suppressed by …` print it. */
export function restartStrategyText(state: SimulationState, strategy: RestartStrategyModel): string {
  const { restartStrategySuffix: suffix } = lifecycleOf(state);
  const old = suffix === 'RestartStrategy';
  switch (strategy.kind) {
    case 'none':
      return old ? 'NoRestartStrategy' : `No${suffix}`;
    case 'fixed-delay':
      return `FixedDelay${suffix}(maxNumberRestartAttempts=${strategy.attempts}, ${old ? 'delayBetweenRestartAttempts' : 'backoffTimeMS'}=${strategy.delayMs})`;
    case 'failure-rate':
      return old
        ? `FailureRateRestartStrategy(failuresInterval=${strategy.intervalMs} msdelayInterval=${strategy.delayMs} msmaxFailuresPerInterval=${strategy.maxFailuresPerInterval})`
        : `FailureRate${suffix}(FailureRate${suffix}(failuresIntervalMS=${strategy.intervalMs},backoffTimeMS=${strategy.delayMs},maxFailuresPerInterval=${strategy.maxFailuresPerInterval})`;
    case 'exponential-delay':
      return `ExponentialDelay${suffix}(initialBackoffMS=${strategy.initialBackoffMs}, maxBackoffMS=${strategy.maxBackoffMs}, backoffMultiplier=${strategy.backoffMultiplier}, resetBackoffThresholdMS=${strategy.resetThresholdMs}, jitterFactor=${strategy.jitterFactor}, currentBackoffMS=${strategy.initialBackoffMs}, lastFailureTimestamp=0)`;
  }
}

/**
 * What the strategy answers to a failure now: the delay before the restart, ms, or null for no restart. The failure is noted in
 * `job.restartTimesMs`.
 */
export function delayBeforeRestart(state: SimulationState, job: JobState): number | null {
  const { restartStrategy: strategy, restartTimesMs: times } = job;
  const nowMs = state.nowMs;
  switch (strategy.kind) {
    case 'none':
      return null;
    case 'fixed-delay':
      times.push(nowMs);
      return times.length <= strategy.attempts ? strategy.delayMs : null;
    case 'failure-rate':
      while (times.length > 0 && times[0] < nowMs - strategy.intervalMs) times.shift();
      times.push(nowMs);
      return times.length <= strategy.maxFailuresPerInterval ? strategy.delayMs : null;
    case 'exponential-delay': {
      const last = times.at(-1);
      if (last !== undefined && nowMs - last >= strategy.resetThresholdMs + strategy.maxBackoffMs) times.length = 0;
      times.push(nowMs);
      const backoff = Math.min(strategy.maxBackoffMs, strategy.initialBackoffMs * strategy.backoffMultiplier ** (times.length - 1));
      const jitter = (2 * uniform(state.model.seed, 'restart-jitter', job.id, job.numRestarts) - 1) * strategy.jitterFactor * backoff;
      return Math.round(Math.min(strategy.maxBackoffMs, Math.max(strategy.initialBackoffMs, backoff + jitter)));
    }
  }
}
