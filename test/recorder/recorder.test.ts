import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startMockFlink } from '../../src/library/start-mock-flink.js';
import { chainNames, isPlainChain, plainDescription } from '../../src/recorder/chain-names.js';
import { redact } from '../../src/recorder/infer-options.js';
import { inferRestartStrategy } from '../../src/recorder/infer-restart-strategy.js';
import { InProcessClient } from '../../src/recorder/in-process-client.js';
import { nearestFlinkVersion, record } from '../../src/recorder/record.js';
import { HttpRestClient, readBaseUrl } from '../../src/recorder/rest-client.js';
import type { Answer, RestClient } from '../../src/recorder/rest-client.js';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { fixtureTraffic, NEVER } from './playback.js';
import { ReplayClient } from '../../src/recorder/traffic.js';

const WATCH = { forMs: 20_000, everyMs: 5_000, jobs: 'all', signal: NEVER } as const;

let server: Server | undefined;
afterEach(async () => {
  if (server) await new Promise((resolve) => server!.close(resolve));
  server = undefined;
});

async function serve(status: number, body: string): Promise<string> {
  server = createServer((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body));
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;
}

/** Changes answers on their way. */
function changed(client: RestClient, change: (answer: Answer) => Answer): RestClient {
  return { get: async (path) => change(await client.get(path)), sleep: (ms, signal) => client.sleep(ms, signal), now: () => client.now() };
}

describe('a cluster that cannot be recorded', () => {
  it('is told when nobody answers', async () => {
    const url = await serve(200, '');
    await new Promise((resolve) => server!.close(resolve));
    server = undefined;
    await expect(record(new HttpRestClient(url), WATCH)).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)/);
  });

  it('is told when it is no Flink', async () => {
    await expect(record(new HttpRestClient(await serve(200, '<html>hello</html>')), WATCH)).rejects.toThrow(/not as a Flink job manager does/);
  });

  it('is told when it wants to know who asks', async () => {
    await expect(record(new HttpRestClient(await serve(401, 'no')), WATCH)).rejects.toThrow(/refused with 401; give credentials with --token or --header/);
  });

  it('is told when no job runs, or not the one that was named', async () => {
    await using empty = await startMockFlink({ scenario: 'empty', listen: false });
    await expect(record(new InProcessClient(empty), WATCH)).rejects.toThrow('no job runs there');
    await using healthy = await startMockFlink({ scenario: 'healthy', listen: false });
    await expect(record(new InProcessClient(healthy), { ...WATCH, jobs: { job: 'nope' } })).rejects.toThrow(/no job "nope" runs there; there are: .+ \(RUNNING\)/);
  });

  it('is recorded as far as it was seen when the job ends meanwhile', { timeout: 30_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'hot-key', listen: false });
    const client = new InProcessClient(flink);
    let looks = 0;
    const { id } = flink.summary().jobs[0]!;
    const { yaml } = await record(client, { ...WATCH, forMs: 60_000, onShot: () => void (++looks === 7 && flink.jobs.cancel(id)) });
    expect(looks).toBeLessThan(13);
    expect(yaml).toMatch(/Watched for \d+ s, until the job was CANCEL/);
    expect(() => parseScenario(yaml, 'recorded.yaml')).not.toThrow();
  });
});

describe('a recording that is stopped', () => {
  it('writes what was seen', { timeout: 30_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'hot-key', listen: false });
    const stopping = new AbortController();
    let looks = 0;
    const { yaml, jobs } = await record(new InProcessClient(flink), { ...WATCH, forMs: 3_600_000, signal: stopping.signal, onShot: () => void (++looks === 8 && stopping.abort()) });
    expect(looks).toBe(8);
    expect(jobs).toBe(1);
    expect(yaml).toMatch(/Watched for \d+ s/);
    expect(parseScenario(yaml, 'recorded.yaml').model.jobs).toHaveLength(1);
  });

  it('says that too little was seen when it was stopped at once', { timeout: 30_000 }, async () => {
    await using flink = await startMockFlink({ scenario: 'hot-key', listen: false });
    const stopping = new AbortController();
    stopping.abort();
    const { yaml, warnings } = await record(new InProcessClient(flink), { ...WATCH, signal: stopping.signal });
    expect(warnings.join()).toContain('too little was seen');
    expect(() => parseScenario(yaml, 'recorded.yaml')).not.toThrow();
  });
});

describe('secrets', () => {
  it.each([
    ['s3.secret-key', 'abc', '******'],
    ['security.kerberos.login.password', 'abc', '******'],
    ['kafka.sasl.jaas.config', 'user', '******'],
    ['my.api-key', '1234', '******'],
    ['high-availability.url', 'http://me:pw@zk:2181', '******'],
    ['security.delegation.tokens.enabled', 'true', 'true'],
    ['taskmanager.numberOfTaskSlots', '4', '4'],
    ['state.checkpoints.dir', 's3://bucket/path', 's3://bucket/path'],
  ])('%s: %s is written as %s', (key, value, written) => {
    expect(redact(key, value)).toBe(written);
  });

  it('are in no option, and no reporter that sends is kept', async () => {
    const client = changed(new ReplayClient(fixtureTraffic('low-load')), (answer) =>
      answer.path === '/jobmanager/config'
        ? {
            ...answer,
            body: JSON.stringify([
              ...(JSON.parse(answer.body) as unknown[]),
              { key: 'fs.token', value: 'hunter2' },
              { key: 'metrics.reporter.influx.factory.class', value: 'org.apache.flink.metrics.influxdb.InfluxdbReporterFactory' },
              { key: 'metrics.reporter.influx.host', value: 'influx.example.com' },
            ]),
          }
        : answer,
    );
    const { yaml } = await record(client, { ...WATCH, forMs: 60_000 });
    expect(yaml).not.toContain('hunter2');
    expect(yaml).not.toContain('influx.example.com');
    expect(yaml).toContain('Left out: the reporter influx');
    expect(yaml).toContain('metrics.reporter.prom.port');
  });
});

describe('names and sentences', () => {
  it.each([
    ['Map', ['Map']],
    ['Source: A -> Map -> Sink: B', ['Source: A', 'Map', 'Sink: B']],
    ['A -> (B -> C, D)', ['A', 'B', 'C', 'D']],
    ['Scan(table=[[a, b]], fields=[c -> d]) -> Calc(select=[a, b])', ['Scan(table=[[a, b]], fields=[c -> d])', 'Calc(select=[a, b])']],
  ])('the chain %s has the operators %j', (name, operators) => {
    expect(chainNames(name)).toEqual(operators);
  });

  it('tells a description that says more than the names', () => {
    expect(isPlainChain(plainDescription('A -&gt; B'), ['A', 'B'])).toBe(true);
    expect(isPlainChain(plainDescription('A<br/>+- B<br/>   +- C<br/>'), ['A', 'B', 'C'])).toBe(true);
    expect(isPlainChain(plainDescription('[1]:Calc(select=[a])<br/>'), ['Calc'])).toBe(false);
  });

  it.each([
    ['Restart deactivated.', { kind: 'none' }],
    ['Restart with fixed delay (2000 ms). #3 restart attempts.', { kind: 'fixed-delay', attempts: 3, delay: '2 s' }],
    ['Restart with fixed delay (PT1M30S). #3 restart attempts.', { kind: 'fixed-delay', attempts: 3, delay: '90 s' }],
    ['Failure rate restart with maximum of 2 failures within interval PT1M and fixed delay PT0.5S.', { kind: 'failure-rate', maxFailures: 2, interval: '1 min', delay: '500 ms' }],
    [
      'Restart with exponential delay: starting at PT1S, increasing by 1.500000, with maximum PT1M. Delay resets after PT1H with jitter 0.100000',
      { kind: 'exponential-delay', initialBackoff: '1 s', maxBackoff: '1 min', multiplier: 1.5, resetThreshold: '60 min', jitter: 0.1 },
    ],
    ['Cluster level default restart strategy', null],
  ])('%s', (sentence, strategy) => {
    expect(inferRestartStrategy(sentence)).toEqual(strategy);
  });

  it.each([
    ['1.20.5', '1.20.5', true],
    ['2.0-SNAPSHOT', '2.0.2', true],
    ['2.4.0', '2.3.0', false],
    ['3.1.0', '2.3.0', false],
    ['1.8.3', '1.9.3', false],
  ])('Flink %s is played as %s', (told, played, isKnown) => {
    expect(nearestFlinkVersion(told)).toMatchObject({ version: { full: played }, isKnown });
  });

  it.each([
    ['http://flink:8081/', 'http://flink:8081'],
    ['flink:8081', 'http://flink:8081'],
    ['https://gate/proxy/app_1/', 'https://gate/proxy/app_1'],
  ])('the address %s is %s', (text, url) => {
    expect(readBaseUrl(text)).toBe(url);
  });
});
