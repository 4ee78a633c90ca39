import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startMockFlink, type MockFlinkOptions } from '../../src/index.js';
import { freePort } from '../support/running-server.js';
import { runCli } from './run-cli.js';

const pem = (name: string): string => fileURLToPath(new URL(`../trust/tls/${name}`, import.meta.url));
const portOf = (url: string): string => new URL(url).port;

/** Exit code and message of a check with those variables, while a server with those options runs. */
async function check(options: MockFlinkOptions, variables: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<{ code: number | null; stderr: string }> {
  await using flink = await startMockFlink({ scenario: 'empty', clock: 'manual', control: true, ...options });
  const { code, stderr } = await runCli(['health', ...args], { MOCK_FLINK_PORT: portOf(flink.url), ...variables });
  return { code, stderr };
}

describe('mock-flink health', () => {
  it('is 0 and silent for a server that is up, also while its job manager is down', async () => {
    expect(await check({})).toEqual({ code: 0, stderr: '' });
    await using flink = await startMockFlink({ scenario: 'empty', clock: 'manual', control: true });
    flink.events.apply({ crashJobManager: { restartAfter: '1 h' } });
    await flink.advanceBy('1 s');
    expect((await runCli(['health', '--port', portOf(flink.url)])).code).toBe(0);
  });

  it('brings user and password, without which it is 1', async () => {
    expect(await check({ basicAuth: 'me:secret' }, { MOCK_FLINK_BASIC_AUTH: 'me:secret' })).toEqual({ code: 0, stderr: '' });
    expect(await check({ basicAuth: 'me:secret' })).toEqual({ code: 1, stderr: expect.stringMatching(/^mock-flink: 127\.0\.0\.1:\d+\/_mock\/health answered 401\n$/) });
  });

  it('speaks TLS where the variables, or the answer to plain HTTP, say so', async () => {
    const tls = { certificate: pem('server.pem'), key: pem('server.key') };
    expect(await check({ tls }, { MOCK_FLINK_TLS_CERT: pem('server.pem'), MOCK_FLINK_TLS_KEY: pem('server.key') })).toEqual({ code: 0, stderr: '' });
    expect(await check({ tls })).toEqual({ code: 0, stderr: '' });
    expect(await check({ tls: { ...tls, clientCertificates: pem('ca.pem') } })).toEqual({ code: 0, stderr: '' });
  });

  it('asks the control port where it has one, and Flink where there is no control API', async () => {
    expect((await check({ control: false }, { MOCK_FLINK_CONTROL: 'off' })).code).toBe(0);
    await using flink = await startMockFlink({ scenario: 'empty', clock: 'manual', control: { port: 0 } });
    expect((await runCli(['health'], { MOCK_FLINK_CONTROL_PORT: portOf(flink.controlUrl!) })).code).toBe(0);
  });

  it('is 1, with a line, where nobody listens or nobody answers', async () => {
    expect(await runCli(['health', '--port', String(await freePort())])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^mock-flink: .*does not answer \(connect ECONNREFUSED.*\)\n$/) });
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    expect(await runCli(['health', '--port', String(port), '--timeout', '300 ms'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no answer within 300 ms') });
    silent.close();
  });

  it('is 2 for options that are wrong', async () => {
    expect((await runCli(['health'], { MOCK_FLINK_PORT: 'x' })).code).toBe(2);
    expect(await runCli(['health', '--port', '0'])).toMatchObject({ code: 2, stderr: expect.stringContaining('give --port') });
  });
});
