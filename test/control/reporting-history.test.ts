import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MockFlink } from '../../src/index.js';
import { ask, smallCluster } from './small-cluster.js';

let receiver: Socket;
let port: number;
let received: string[];

beforeEach(async () => {
  received = [];
  receiver = createSocket('udp4').on('message', (data) => void received.push(data.toString()));
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterEach(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

const config = (): Record<string, string> => ({
  'metrics.reporter.r.factory.class': 'org.apache.flink.metrics.statsd.StatsDReporterFactory',
  'metrics.reporter.r.host': '127.0.0.1',
  'metrics.reporter.r.port': String(port),
  'metrics.reporter.r.interval': '10 s',
  'metrics.reporter.r.filter.includes': 'jobmanager:numRunningJobs',
});

const reports = async (flink: MockFlink): Promise<{ sent: number }> => (await ask(flink.controlUrl, 'GET', '/reporters')).body.reporters[0];
const lag = async (flink: MockFlink): Promise<string> => JSON.stringify((await ask(flink.controlUrl, 'GET', '/kafka/v3/kafka/mock/consumer/orders-reader/lag')).body.status);

async function sentAfter(flink: MockFlink, ms: number): Promise<number> {
  const before = (await reports(flink)).sent;
  await flink.advanceBy(ms);
  // What is under way is delivered first.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return (await reports(flink)).sent - before;
}

describe('reporters and the history of commits', () => {
  it('begin anew at a reset to the start: reports come from then on, commits of the other life are forgotten', async () => {
    await using flink = await smallCluster({ control: true, config: config() });
    expect(await sentAfter(flink, 65_000)).toBe(6);
    const commits = await lag(flink);
    expect(commits).toMatch(/"offset":[1-9]/);
    await flink.reset();
    expect(await lag(flink)).toBeUndefined();
    // Without it the next report would come a minute later, when time is where it was.
    expect(await sentAfter(flink, 65_000)).toBe(6);
    expect(await lag(flink)).toBe(commits);
  });

  it('go back to a mark with the cluster', async () => {
    await using flink = await smallCluster({ control: true, config: config() });
    await flink.advanceBy(44_000);
    await flink.history.mark('here');
    const atMark = await lag(flink);
    expect(await sentAfter(flink, 7_000)).toBe(1);
    const later = await lag(flink);
    expect(later).not.toBe(atMark);
    await flink.reset('here');
    expect(await lag(flink)).toBe(atMark);
    expect(await sentAfter(flink, 5_900)).toBe(0);
    expect(await sentAfter(flink, 200)).toBe(1);
    await flink.advanceBy(900);
    expect(await lag(flink)).toBe(later);
  });

  it('go on in another process from a snapshot', async () => {
    await using flink = await smallCluster({ control: true, config: config() });
    await flink.advanceBy(44_000);
    const bytes = await flink.snapshot();
    await using other = await smallCluster({ control: true, config: config(), snapshot: bytes });
    expect(await lag(other)).toBe(await lag(flink));
    expect([await sentAfter(flink, 5_900), await sentAfter(other, 5_900)]).toEqual([0, 0]);
    expect([await sentAfter(flink, 200), await sentAfter(other, 200)]).toEqual([1, 1]);
    expect(await lag(other)).toBe(await lag(flink));
  });
});
