import { startMockFlink, type MockFlinkOptions } from '../../../src/index.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { contradictions } from './agreement.js';
import { runBackwards } from './monotony.js';
import { walk, type Walk } from './walk.js';

export interface Played {
  readonly wrong: readonly string[];
  readonly asked: number;
  readonly simulatedMs: number;
}

/** Plays a scenario with a held clock, walks all of the API after each step, and tells what did not agree. */
export async function playAndWalk(options: MockFlinkOptions & { readonly flinkVersion: string }, stepsMs: readonly number[]): Promise<Played> {
  await using flink = await startMockFlink({ ...options, clock: 'manual' });
  const version = parseFlinkVersion(options.flinkVersion)!;
  const get = async (path: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${flink.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const wrong: string[] = [];
  let before: Walk | null = null;
  let asked = 0;
  for (const stepMs of stepsMs) {
    await flink.advanceBy(stepMs);
    if (flink.simulation.state.jobManager.availability !== 'LEADING') continue;
    const now = await walk(get, version);
    asked += now.asked;
    const at = new Date(flink.simulation.nowMs).toISOString();
    wrong.push(...contradictions(now).map((text) => `${at} ${text}`), ...(before ? runBackwards(before, now).map((text) => `${at} ${text}`) : []));
    before = now;
  }
  return { wrong, asked, simulatedMs: stepsMs.reduce((sum, each) => sum + each, 0) };
}
