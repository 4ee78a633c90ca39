/** A kept watch of a real cluster, recorded again, played, and watched in the same way. */
import { readFileSync } from 'node:fs';
import { InProcessClient } from '../../src/recorder/in-process-client.js';
import { record, type ScenarioRecord } from '../../src/recorder/record.js';
import { surveyCluster } from '../../src/recorder/survey.js';
import { ReplayClient, TrafficKeeper, readTraffic, type Traffic } from '../../src/recorder/traffic.js';
import { watchJobs } from '../../src/recorder/watch.js';
import { startMockFlink } from '../../src/library/start-mock-flink.js';
import { figuresOf, type VertexFigures } from './figures.js';

/** As the fixtures were watched. */
export const WATCH = { forMs: 60_000, everyMs: 5_000 } as const;
export const NEVER: AbortSignal = new AbortController().signal;

export function fixtureTraffic(name: string): Traffic {
  return readTraffic(readFileSync(new URL(`fixtures/${name}.json.gz`, import.meta.url)));
}

export function recordFixture(name: string): Promise<ScenarioRecord> {
  return record(new ReplayClient(fixtureTraffic(name)), { ...WATCH, jobs: 'all', signal: NEVER });
}

export interface Playback {
  readonly measured: readonly VertexFigures[];
  readonly played: readonly VertexFigures[];
  readonly measuredCheckpointsMs: readonly number[];
  readonly playedCheckpointsMs: readonly number[];
}

function checkpointsOf({ answers }: Traffic): number[] {
  const last = answers.filter(({ path }) => path.endsWith('/checkpoints')).at(-1)!;
  const { history } = JSON.parse(last.body) as { history: { status: string; end_to_end_duration: number }[] };
  return history.filter(({ status }) => status === 'COMPLETED').map((checkpoint) => checkpoint.end_to_end_duration);
}

export async function playFixture(name: string): Promise<Playback> {
  const traffic = fixtureTraffic(name);
  const { yaml } = await recordFixture(name);
  await using flink = await startMockFlink({ scenario: { yaml }, listen: false });
  const keeper = new TrafficKeeper(new InProcessClient(flink));
  await watchJobs(keeper, await surveyCluster(keeper, 'all', NEVER), { ...WATCH, signal: NEVER });
  return {
    measured: figuresOf(traffic.answers),
    played: figuresOf(keeper.answers),
    measuredCheckpointsMs: checkpointsOf(traffic),
    playedCheckpointsMs: checkpointsOf(keeper.traffic()),
  };
}
