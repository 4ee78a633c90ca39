import { parseFlinkVersion, type FlinkVersion } from '../versions/flink-versions.js';
import { lifecycleFeatures, type LifecycleFeatures } from '../versions/lifecycle-features.js';
import type { SimulationState } from './state/simulation-state.js';

interface VersionFacts {
  readonly version: FlinkVersion;
  readonly lifecycle: LifecycleFeatures;
}

/** Facts are a pure function of the text, so keeping them changes nothing but the time it takes. */
const KNOWN = new Map<string, VersionFacts>();

function factsOf(state: SimulationState): VersionFacts {
  const text = state.model.flinkVersion;
  let facts = KNOWN.get(text);
  if (!facts) {
    const version = parseFlinkVersion(text);
    if (!version) throw new RangeError(`Unknown Flink version ${text}`);
    facts = { version, lifecycle: lifecycleFeatures(version) };
    KNOWN.set(text, facts);
  }
  return facts;
}

/** The Flink version that is simulated. */
export function versionOf(state: SimulationState): FlinkVersion {
  return factsOf(state).version;
}

/** How jobs, tasks and checkpoints live in that version. */
export function lifecycleOf(state: SimulationState): LifecycleFeatures {
  return factsOf(state).lifecycle;
}
