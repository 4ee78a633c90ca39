import { atStart } from '../scenario/at-start.js';
import { loadScenario } from '../scenario/load-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import type { ClusterDefinition } from './cluster-definition.js';

interface Shelved {
  readonly scenario: Scenario;
  /** The model that was asked for last: clusters that open at the same instant share it. */
  model: SimulationModel | null;
}

/** What a cluster is made from. */
export interface ClusterInput {
  readonly scenario: Scenario;
  readonly model: SimulationModel;
  readonly openAtMs: number;
}

/** Scenarios, each loaded once for all clusters that play it: what is plain and frozen is shared by them. */
export class ScenarioShelf {
  private readonly shelf = new Map<string, Shelved>();
  private readonly names = new Set<string>();

  /** Throws a ScenarioError. */
  of(definition: ClusterDefinition): Scenario {
    return this.take(definition).scenario;
  }

  /** Whether a scenario was loaded by this name. */
  has(name: string): boolean {
    return this.names.has(name);
  }

  /** The cluster's model: all but its seed is shared with those of its kind. `opensMs`: epoch ms at which it opens; null = at the scenario's own instant. */
  inputOf(definition: ClusterDefinition, opensMs: number | null, restPort: number): ClusterInput {
    const shelved = this.take(definition);
    const { scenario } = shelved;
    const openAtMs = definition.openAtMs ?? scenario.openAtMs;
    const startMs = opensMs === null ? scenario.model.startMs : opensMs - openAtMs;
    if (shelved.model?.startMs !== startMs) shelved.model = atStart(scenario.model, startMs, restPort, definition.options);
    return { scenario, model: { ...shelved.model!, seed: definition.seed }, openAtMs };
  }

  private take({ scenario: name, flinkVersion, options }: ClusterDefinition): Shelved {
    const key = JSON.stringify([name, flinkVersion, Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    let shelved = this.shelf.get(key);
    if (!shelved) {
      shelved = { scenario: loadScenario(name, { ...(flinkVersion === null ? {} : { flinkVersion }), options }), model: null };
      this.shelf.set(key, shelved);
      this.names.add(name);
    }
    return shelved;
  }
}
