import { describe, expect, it } from 'vitest';
import { createSimulationState } from '../../../src/simulation/create-state.js';
import { restartStrategyOf, restartStrategyText } from '../../../src/simulation/lifecycle/restart-strategy.js';
import { bpJob, twoTaskManagers } from '../fixture.js';

function strategyWith(version: string, options: Record<string, string>, job = bpJob()) {
  return restartStrategyOf(createSimulationState(twoTaskManagers(version, { options })), job);
}

describe('the restart strategy', () => {
  it('is read from the old and the new option', () => {
    const expected = { kind: 'fixed-delay', attempts: 3, delayMs: 2000 };
    const details = { 'restart-strategy.fixed-delay.attempts': '3', 'restart-strategy.fixed-delay.delay': '2 s' };
    expect(strategyWith('1.9.3', { 'restart-strategy': 'fixed-delay', ...details })).toEqual(expected);
    expect(strategyWith('2.3.0', { 'restart-strategy.type': 'fixed-delay', ...details })).toEqual(expected);
  });

  it('of the job comes before the cluster\'s', () => {
    const own = { kind: 'failure-rate', maxFailuresPerInterval: 5, intervalMs: 60_000, delayMs: 10 } as const;
    expect(strategyWith('1.20.5', { 'restart-strategy.type': 'none' }, bpJob({ restartStrategy: own }))).toEqual(own);
    expect(strategyWith('1.20.5', { 'restart-strategy.type': 'none' }, { ...bpJob(), options: { 'restart-strategy.type': 'failure-rate', 'restart-strategy.failure-rate.max-failures-per-interval': '7' } })).toMatchObject({ kind: 'failure-rate', maxFailuresPerInterval: 7 });
  });

  it('defaults by version and checkpointing', () => {
    expect(strategyWith('1.20.5', {}, bpJob({ iv: 0 }))).toEqual({ kind: 'none' });
    expect(strategyWith('1.9.3', {})).toEqual({ kind: 'fixed-delay', attempts: 2147483647, delayMs: 0 });
    expect(strategyWith('1.20.5', {})).toEqual({ kind: 'fixed-delay', attempts: 2147483647, delayMs: 1000 });
    expect(strategyWith('2.0.2', {})).toMatchObject({ kind: 'exponential-delay', initialBackoffMs: 1000, maxBackoffMs: 60_000, backoffMultiplier: 1.5 });
  });

  it('prints itself as the recorded clusters printed it', () => {
    const strategy = { kind: 'fixed-delay', attempts: 3, delayMs: 2000 } as const;
    expect(restartStrategyText(createSimulationState(twoTaskManagers('1.9.3')), strategy)).toBe('FixedDelayRestartStrategy(maxNumberRestartAttempts=3, delayBetweenRestartAttempts=2000)');
    expect(restartStrategyText(createSimulationState(twoTaskManagers('1.13.6')), strategy)).toBe('FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=3, backoffTimeMS=2000)');
  });
});
