import type { NetworkOptions } from '../state/network-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { JobModel } from '../model/job-model.js';
import { durationOption } from '../options.js';
import { parseMemoryBytes } from '../../versions/flink-options.js';
import { networkFeatures } from '../../versions/network-features.js';
import { parseFlinkVersion } from '../../versions/flink-versions.js';

/** The network options that hold for a job: its own, then the cluster's, then Flink's defaults. */
export function networkOptions(state: SimulationState, job: Pick<JobModel, 'options'>): NetworkOptions {
  const features = networkFeatures(parseFlinkVersion(state.model.flinkVersion)!);
  const options = { ...state.options, ...job.options };
  const bytes = (name: string, fallback: number): number => parseMemoryBytes(options[name] ?? '') ?? fallback;
  const count = (name: string, fallback: number): number => (features.hasBufferCountOptions && /^\s*\d+\s*$/.test(options[name] ?? '') ? Number(options[name]) : fallback);
  return {
    segmentBytes: bytes('taskmanager.memory.segment-size', 32 * 1024),
    exclusiveBuffersPerChannel: count('taskmanager.network.memory.buffers-per-channel', 2),
    floatingBuffersPerGate: count('taskmanager.network.memory.floating-buffers-per-gate', 8),
    maxBuffersPerChannel: features.limitsBuffersPerChannel ? count('taskmanager.network.memory.max-buffers-per-channel', 10) : Number.MAX_SAFE_INTEGER,
    maxOverdraftBuffersPerGate: features.overdraftBuffersPerGate === 0 ? 0 : count('taskmanager.network.memory.max-overdraft-buffers-per-gate', features.overdraftBuffersPerGate),
    blocksUpstream: features.blocksUpstreamOnAlignment,
    bufferDebloatEnabled: features.hasBufferDebloating && options['taskmanager.network.memory.buffer-debloat.enabled'] === 'true',
    bufferDebloatTargetMs: durationOption(options, 'taskmanager.network.memory.buffer-debloat.target', 1000),
    bufferDebloatMinBytes: bytes('taskmanager.memory.min-segment-size', 256),
  };
}
