import type { RestartStrategyModel } from '../../simulation/model/job-model.js';
import { findOption } from '../../simulation/options.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import type { ExecutionGraph } from './execution-graph.js';

const CLUSTER_DEFAULT = 'Cluster level default restart strategy';

/** The restart strategy as a job's configuration shows it: a sentence. */
export function restartStrategyText(graph: ExecutionGraph, clusterOptions: Readonly<Record<string, string>>, features: RestFeatures): string {
  if (graph.isSparse) return CLUSTER_DEFAULT;
  const own = graph.model.restartStrategy ?? (isConfigured(graph, clusterOptions) && features.clusterRestartStrategyIsShown ? graph.restartStrategy : null);
  return own === null ? CLUSTER_DEFAULT : describe(own, features.restartStrategyDurations === 'iso-8601' ? isoDuration : (ms) => `${ms} ms`);
}

function isConfigured(graph: ExecutionGraph, clusterOptions: Readonly<Record<string, string>>): boolean {
  return findOption({ ...clusterOptions, ...graph.model.options }, 'restart-strategy.type', 'restart-strategy') !== undefined;
}

function describe(strategy: RestartStrategyModel, duration: (ms: number) => string): string {
  switch (strategy.kind) {
    case 'none':
      return 'Restart deactivated.';
    case 'fixed-delay':
      return `Restart with fixed delay (${duration(strategy.delayMs)}). #${strategy.attempts} restart attempts.`;
    case 'failure-rate':
      return `Failure rate restart with maximum of ${strategy.maxFailuresPerInterval} failures within interval ${duration(strategy.intervalMs)} and fixed delay ${duration(strategy.delayMs)}.`;
    case 'exponential-delay':
      return (
        `Restart with exponential delay: starting at ${duration(strategy.initialBackoffMs)}, increasing by ${strategy.backoffMultiplier.toFixed(6)}, ` +
        `with maximum ${duration(strategy.maxBackoffMs)}. Delay resets after ${duration(strategy.resetThresholdMs)} with jitter ${strategy.jitterFactor.toFixed(6)}`
      );
  }
}

/** A duration as java.time.Duration prints it: `PT1M30S`. */
export function isoDuration(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  const parts = [hours > 0 ? `${hours}H` : '', minutes > 0 ? `${minutes}M` : '', seconds > 0 ? `${seconds}S` : ''].join('');
  return `PT${parts === '' ? '0S' : parts}`;
}
