import { describe, expect, it } from 'vitest';
import type { MockFlink } from '../../src/library/mock-flink.js';
import { startMockFlink, type MockFlinkOptions } from '../../src/library/start-mock-flink.js';
import { record } from '../../src/recorder/record.js';
import { HttpRestClient } from '../../src/recorder/rest-client.js';
import { surveyCluster } from '../../src/recorder/survey.js';
import { TrafficKeeper } from '../../src/recorder/traffic.js';
import { watchJobs } from '../../src/recorder/watch.js';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { figuresOf, type VertexFigures } from './figures.js';
import { HeldCluster } from './held-cluster.js';
import { NEVER } from './playback.js';

const WATCH = { forMs: 90_000, everyMs: 5_000, signal: NEVER } as const;

interface RoundTrip {
  readonly yaml: string;
  readonly served: readonly VertexFigures[];
  readonly replayed: readonly VertexFigures[];
}

async function watchFigures(options: MockFlinkOptions): Promise<VertexFigures[]> {
  await using flink = await startMockFlink(options);
  const keeper = new TrafficKeeper(new HeldCluster(flink));
  await watchJobs(keeper, await surveyCluster(keeper, 'all', NEVER), WATCH);
  return figuresOf(keeper.answers);
}

async function roundTrip(options: MockFlinkOptions): Promise<RoundTrip> {
  await using flink = await startMockFlink(options);
  const keeper = new TrafficKeeper(new HeldCluster(flink));
  const { yaml } = await record(keeper, { ...WATCH, jobs: 'all' });
  return { yaml, served: figuresOf(keeper.answers), replayed: await watchFigures({ scenario: { yaml } }) };
}

/** Records that the consumers of all topics are behind. */
function lagOf(flink: MockFlink): number {
  return flink.summary().jobs.reduce((lag, job) => lag + job.lag, 0);
}

function differences({ served, replayed }: RoundTrip): string[] {
  return served.flatMap((vertex, v) => {
    const other = replayed[v]!;
    const rate = Math.abs(other.recordsPerSecond / vertex.recordsPerSecond - 1) <= 0.05 ? [] : [`${vertex.name}: ${other.recordsPerSecond} records/s, served ${vertex.recordsPerSecond}`];
    const shares = (['backPressured', 'busy', 'idle'] as const).flatMap((what) =>
      vertex[what].flatMap((share, s) => (Number.isNaN(share) || Math.abs(other[what][s]! - share) <= 0.1 ? [] : [`${vertex.name} ${s}: ${what} ${other[what][s]}, served ${share}`])),
    );
    return [...rate, ...shares];
  });
}

describe('a served scenario, recorded over sockets and played', () => {
  it.each([
    ['healthy', '1.20'],
    ['slow-sink', '2.3'],
    ['hot-key', '1.17'],
    ['unaligned', '1.20'],
    ['backpressure-tour', '1.13'],
    ['incident-2020-04-09', '1.9'],
  ])('%s on Flink %s has the same ratios and throughput', { timeout: 60_000 }, async (scenario, flinkVersion) => {
    const trip = await roundTrip({ scenario, flinkVersion });
    expect(differences(trip)).toEqual([]);
    expect(trip.served[0]!.recordsPerSecond).toBeGreaterThan(0);
  });

  it('keeps ids, placement, ports, memory and options', { timeout: 60_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'hot-key' });
    const { yaml } = await record(new HeldCluster(flink), { ...WATCH, forMs: 20_000, jobs: 'all' });
    await using again = await startMockFlink({ scenario: { yaml } });
    const look = async (cluster: { url: string }, path: string) => (await fetch(cluster.url + path)).json() as Promise<any>;
    const [job] = (await look(flink, '/jobs/overview')).jobs;
    const details = await look(flink, `/jobs/${job.jid}`);
    const again_ = await look(again, `/jobs/${job.jid}`);
    expect(again_.vertices.map(({ id, name, parallelism }: any) => [id, name, parallelism])).toEqual(details.vertices.map(({ id, name, parallelism }: any) => [id, name, parallelism]));
    for (const { id } of details.vertices) {
      const [places, others] = await Promise.all([flink, again].map(async (cluster) => (await look(cluster, `/jobs/${job.jid}/vertices/${id}`)).subtasks.map((subtask: any) => subtask['taskmanager-id'])));
      expect(others).toEqual(places);
    }
    const machines = async (cluster: { url: string }) => (await look(cluster, '/taskmanagers')).taskmanagers.map(({ id, path, dataPort, slotsNumber, hardware, memoryConfiguration }: any) => ({ id, path, dataPort, slotsNumber, cores: hardware.cpuCores, memoryConfiguration }));
    expect(await machines(again)).toEqual(await machines(flink));
    expect(await look(again, `/jobs/${job.jid}/plan`)).toEqual(await look(flink, `/jobs/${job.jid}/plan`));
    expect(await look(again, `/jobs/${job.jid}/checkpoints/config`)).toEqual(await look(flink, `/jobs/${job.jid}/checkpoints/config`));
  });

  it('measures by the cluster’s clock, sixty times as fast as ours', { timeout: 60_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'slow-sink', flinkVersion: '1.20', clock: 'real', speed: 60 });
    const { yaml } = await record(new HttpRestClient(flink.url), { forMs: 6_000, everyMs: 1_000, jobs: 'all', signal: NEVER });
    const given = await watchFigures({ scenario: 'slow-sink', flinkVersion: '1.20' });
    const replayed = await watchFigures({ scenario: { yaml } });
    expect(differences({ yaml, served: given, replayed })).toEqual([]);
  });

  it('has the Kafka lag of the cluster when it opens, and its growth', { timeout: 60_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'slow-sink' });
    const watched = new HeldCluster(flink);
    const lagAtStart = lagOf(flink);
    const { yaml } = await record(watched, { ...WATCH, jobs: 'all' });
    const lagAtEnd = lagOf(flink);
    const { model } = parseScenario(yaml, 'recorded.yaml');
    expect(model.kafka.topics.map(({ partitions }) => partitions)).toEqual(flink.state.model.kafka.topics.map(({ partitions }) => partitions));
    await using again = await startMockFlink({ scenario: { yaml } });
    expect(lagOf(again)).toBeGreaterThan(lagAtStart * 0.8);
    expect(lagOf(again)).toBeLessThan(lagAtStart * 1.2);
    const lagAgain = lagOf(again);
    await again.advanceBy(WATCH.forMs);
    const growth = lagAtEnd - lagAtStart;
    expect(lagOf(again) - lagAgain).toBeGreaterThan(growth * 0.7);
    expect(lagOf(again) - lagAgain).toBeLessThan(growth * 1.3);
  });
});
