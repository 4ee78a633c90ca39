import type { NetworkOptions } from '../state/network-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { JobModel } from '../model/job-model.js';
import { networkFeatures } from '../../versions/network-features.js';
import { parseFlinkVersion } from '../../versions/flink-versions.js';

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, bytes: 1, k: 1024, kb: 1024, kibibytes: 1024, m: 1024 ** 2, mb: 1024 ** 2, mebibytes: 1024 ** 2, g: 1024 ** 3, gb: 1024 ** 3 };
const DURATIONS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, sec: 1000, second: 1000, seconds: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

function withUnit(text: string | undefined, units: Readonly<Record<string, number>>, fallback: number): number {
  const match = /^\s*([0-9]+)\s*([a-z]*)\s*$/i.exec(text ?? '');
  const unit = match === null ? undefined : units[match[2].toLowerCase()];
  return match === null || unit === undefined ? fallback : Number(match[1]) * unit;
}

/** The network options that hold for a job: its own, then the cluster's, then Flink's defaults. */
export function networkOptions(state: SimulationState, job: Pick<JobModel, 'options'>): NetworkOptions {
  const features = networkFeatures(parseFlinkVersion(state.model.flinkVersion)!);
  const option = (name: string) => job.options[name] ?? state.options[name];
  const count = (name: string, fallback: number) => (features.hasBufferCountOptions ? withUnit(option(name), { '': 1 }, fallback) : fallback);
  return {
    segmentBytes: withUnit(option('taskmanager.memory.segment-size'), UNITS, 32 * 1024),
    exclusiveBuffersPerChannel: count('taskmanager.network.memory.buffers-per-channel', 2),
    floatingBuffersPerGate: count('taskmanager.network.memory.floating-buffers-per-gate', 8),
    maxBuffersPerChannel: features.limitsBuffersPerChannel ? count('taskmanager.network.memory.max-buffers-per-channel', 10) : Number.MAX_SAFE_INTEGER,
    maxOverdraftBuffersPerGate: features.overdraftBuffersPerGate === 0 ? 0 : count('taskmanager.network.memory.max-overdraft-buffers-per-gate', features.overdraftBuffersPerGate),
    blocksUpstream: features.blocksUpstreamOnAlignment,
    bufferDebloatEnabled: features.hasBufferDebloating && option('taskmanager.network.memory.buffer-debloat.enabled') === 'true',
    bufferDebloatTargetMs: withUnit(option('taskmanager.network.memory.buffer-debloat.target'), DURATIONS, 1000),
    bufferDebloatMinBytes: withUnit(option('taskmanager.memory.min-segment-size'), UNITS, 256),
  };
}
