import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, getGlobalDispatcher, setGlobalDispatcher, type Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMockFlink } from '../../src/index.js';
import { installFlinkJava, type FlinkJava } from './install/flink-java.js';
import { installGoClient } from './install/libraries.js';
import { run, runWell, tryInstall, type Installation } from './install/tools.js';
import { FlinkCli, flinkConf } from './support/flink-cli.js';
import { playLibraryJobs } from './support/library-values.js';
import { MockCluster } from './support/mock-cluster.js';

const file = (name: string): string => fileURLToPath(new URL(`../trust/tls/${name}`, import.meta.url));
const PASSWORD = 'truststore-password';
const SERVER = { 'security.ssl.rest.enabled': 'true', 'security.ssl.rest.keystore': file('server.p12'), 'security.ssl.rest.keystore-password': 'keystore-password', 'security.ssl.rest.key-password': 'keystore-password' };

async function startTls(version: string): Promise<MockCluster> {
  const flink = await startMockFlink({ scenario: 'recorded-script', flinkVersion: version, clock: 'real', speed: 5, config: SERVER, control: true });
  return MockCluster.of(version, flink.url, () => flink.close());
}

let folder: string;
let usual: Dispatcher;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-tls-'));
  // The test's own questions trust the same authority.
  usual = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(file('ca.pem'), 'utf8') } }));
});
afterAll(async () => {
  await getGlobalDispatcher().close();
  setGlobalDispatcher(usual);
  rmSync(folder, { recursive: true, force: true });
});

/** A truststore with the authority that signed the server's certificate, as an operator makes it. */
async function truststore(type: 'JKS' | 'PKCS12'): Promise<Record<string, string>> {
  const store = path.join(folder, `trust-${type}`);
  rmSync(store, { force: true });
  await runWell('keytool', ['-importcert', '-noprompt', '-alias', 'ca', '-file', file('ca.pem'), '-keystore', store, '-storetype', type, '-storepass', PASSWORD]);
  return { 'security.ssl.rest.enabled': 'true', 'security.ssl.rest.truststore': store, 'security.ssl.rest.truststore-password': PASSWORD };
}

describe.each([['2.3.0', 'PKCS12'], ['1.20.5', 'JKS'], ['1.13.6', 'JKS'], ['1.9.3', 'JKS']] as const)('Flink %s with security.ssl.rest.enabled', (version, type) => {
  let flink: Installation<FlinkJava>;
  let cluster: MockCluster | undefined;
  let trust: Record<string, string>;

  beforeAll(async () => {
    flink = await tryInstall(`Flink ${version}'s client`, () => installFlinkJava(version));
    if ('skipped' in flink) return;
    trust = await truststore(type);
    cluster = await startTls(version);
  }, 300_000);
  afterAll(() => cluster?.stop());

  test('its command line runs, lists and cancels a job', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const cli = FlinkCli.start(flink.value, cluster!.port, trust);
    try {
      const started = await cli.run('run', '-d', '-c', 'Bp', fileURLToPath(cluster!.jar), '--name', 'over-tls', '--us', '0', '--rate', '500');
      const job = /JobID ([0-9a-f]{32})/.exec(started.stdout)?.[1];
      expect(job, started.stdout + started.stderr).toBeDefined();
      await cluster!.reaches(job!, 'RUNNING');
      const listed = await cli.run('list', '-r');
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(`${job} : over-tls (RUNNING)`)]);
      expect((await cli.run('cancel', job!)).code).toBe(0);
      await cluster!.reaches(job!, 'CANCELED');
    } finally {
      await cli.stop();
    }
  }, 240_000);

  test('its command line gets nothing without TLS, or without trust', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const before = await cluster!.get('/jobs');
    const { 'security.ssl.rest.truststore': _, 'security.ssl.rest.truststore-password': __, ...untrusting } = trust;
    for (const options of [{}, untrusting]) {
      const cli = FlinkCli.start(flink.value, cluster!.port, { ...options, 'client.timeout': '10 s', 'rest.retry.max-attempts': '1', 'rest.retry.delay': '10' });
      try {
        expect((await cli.run('list')).code).not.toBe(0);
      } finally {
        await cli.stop();
      }
    }
    expect(await cluster!.get('/jobs')).toEqual(before);
  }, 240_000);

  test('RestClusterClient lists, takes a savepoint and cancels', async (context) => {
    if ('skipped' in flink) return context.skip(flink.skipped);
    const job = await cluster!.runBp(await cluster!.upload(), 'by-client', { us: 0, rate: 500 });
    await cluster!.reaches(job, 'RUNNING');
    await cluster!.hasCheckpoint(job);
    const format = version.startsWith('1.9') || version.startsWith('1.13') ? '' : ' CANONICAL';
    const conf = flinkConf(flink.value, cluster!.port, trust);
    try {
      const steps = ['listJobs', `getJobStatus ${job}`, `triggerSavepoint ${job}${format}`, `cancel ${job}`];
      const { stdout, stderr, code } = await run('java', flink.value.command('ClusterClient', [String(cluster!.port), ...steps]), { env: { ...process.env, FLINK_CONF_DIR: conf } });
      expect(code, stderr.slice(-2000)).toBe(0);
      expect(stdout).toContain(`getJobStatus ${job} -> RUNNING`);
      expect(stdout).toMatch(new RegExp(`triggerSavepoint ${job}${format} -> .*savepoint-`));
      expect(stdout).not.toContain('!!');
    } finally {
      rmSync(conf, { recursive: true, force: true });
    }
    await cluster!.reaches(job, 'CANCELED');
  }, 240_000);
});

test('flink-go-api reads over https what it reads over http', async (context) => {
  const client = await tryInstall('flink-go-api', installGoClient);
  if ('skipped' in client) return context.skip(client.skipped);
  const cluster = await startTls('2.3.0');
  try {
    const { jobid, toStop, toCancel, data, jar } = await playLibraryJobs(cluster);
    const text = await runWell(client.value, [cluster.url, jobid, toStop, toCancel, `${data}/savepoints`, jar], { timeoutMs: 120_000, env: { ...process.env, SSL_CERT_FILE: file('ca.pem') } });
    expect(text).toBe(readFileSync(new URL('./expected/flink-go-api.txt', import.meta.url), 'utf8'));
    const untrusting = await run(client.value, [cluster.url, jobid, toStop, toCancel, `${data}/savepoints`, jar], { timeoutMs: 120_000 });
    expect(untrusting.stdout).toContain('certificate signed by unknown authority');
  } finally {
    await cluster.stop();
  }
}, 300_000);
