import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RecorderMemory } from '../../control/console/recorder.js';
import { readPlainData } from '../../serialization/plain-data.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import type { Scenario } from '../../scenario/scenario.js';
import { shippedScenarioFile } from '../../scenario/shipped-scenarios.js';
import { DAY_MS, EXACT_FROM_MS, EXACT_UNTIL_MS, moveLeaves, type MovedLeaves } from './moved-leaves.js';

/** A simulated cluster at the instant at which its scenario opens, and what the console has recorded of the time before. */
export interface OpenedCluster {
  readonly state: SimulationState;
  readonly recorded: RecorderMemory;
}

/** A scenario that ships, opened: found out once, when the package is built. The scenario's model is the state's, with the start and the port that were asked for. */
export interface OpenedScenario {
  readonly scenario: Scenario;
  readonly cluster: OpenedCluster;
}

/** What the file holds. */
export interface OpenedFile {
  /** SHA-256 of the scenario's text. */
  readonly source: string;
  /** All of the scenario that is plain data. */
  readonly scenario: Omit<Scenario, 'model' | 'file'>;
  readonly cluster: OpenedCluster;
  readonly moved: MovedLeaves;
}

/** Where the build puts it. */
export function openedFile(name: string): URL {
  return new URL(`./${encodeURIComponent(name)}.opened`, import.meta.url);
}

export function hashOfFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * What writeOpenedScenario wrote, with the instant at which it opens (epoch ms) and the port that are asked for; null = the scenario's. Null
 * when it is of no use: it is not there, was made of another text or by another V8, or would be moved too far.
 */
export function readOpenedScenario(file: string | URL, name: string, openMs: number | null, port: number | null): OpenedScenario | null {
  const yaml = shippedScenarioFile(name);
  if (yaml === null) return null;
  let opened: OpenedFile;
  try {
    opened = readPlainData(readFileSync(file)) as OpenedFile;
  } catch {
    return null;
  }
  if (opened.source !== hashOfFile(yaml)) return null;
  const { scenario, cluster, moved } = opened;
  const { state } = cluster;
  const byMs = openMs === null ? 0 : openMs - state.nowMs;
  if (state.model.startMs + byMs < EXACT_FROM_MS + DAY_MS || state.nowMs + byMs > EXACT_UNTIL_MS - 365 * DAY_MS) return null;
  const fromPort = state.model.cluster.jobManager.restPort;
  const toPort = port ?? fromPort;
  if (byMs !== 0 || toPort !== fromPort) moveLeaves(cluster, moved, { byMs, fromPort, toPort });
  return { scenario: { ...scenario, file: yaml, model: state.model }, cluster };
}
