import type { ScenarioOverrides } from '../scenario/build-scenario.js';
import { parseScenario } from '../scenario/load-scenario.js';
import type { Scenario } from '../scenario/scenario.js';

/** Scenarios that are kept; that which was asked for longest ago goes first. */
const KEPT = 8;

const known = new Map<string, Scenario>();

/** A scenario of a text, which tests ask for again and again: it is frozen, so that all can have the same. */
export function scenarioOnce(text: string, file: string, overrides: ScenarioOverrides): Scenario {
  const key = JSON.stringify([file, text, overrides]);
  const scenario = known.get(key) ?? parseScenario(text, file, overrides);
  known.delete(key);
  known.set(key, scenario);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return scenario;
}
