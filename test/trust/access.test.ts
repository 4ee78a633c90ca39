import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect as connectTls } from 'node:tls';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMockFlink } from '../../src/index.js';
import { TlsConfigError } from '../../src/server/tls.js';
import { startServer } from '../../src/server/start-server.js';
import { smallCluster } from '../control/small-cluster.js';
import { modelOf } from './support/model-of.js';
import { sendRaw } from './support/raw-client.js';
import { watchedServer } from './support/watched-server.js';

const file = (name: string): string => fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
const ca = readFileSync(file('ca.pem'), 'utf8');
const KEYSTORE = { 'security.ssl.rest.enabled': 'true', 'security.ssl.rest.keystore': file('server.p12'), 'security.ssl.rest.keystore-password': 'keystore-password', 'security.ssl.rest.key-password': 'keystore-password' };

async function get(url: string, connect: object, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const dispatcher = new Agent({ connect });
  try {
    const response = await undiciFetch(url, { dispatcher, headers });
    return { status: response.status, text: await response.text() };
  } finally {
    await dispatcher.destroy();
  }
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-access-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('TLS', () => {
  it("is spoken with Flink's keystore options, and with nothing else then", async () => {
    await using flink = await smallCluster({ config: KEYSTORE, control: true });
    expect(flink.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await get(`${flink.url}/overview`, { ca })).toMatchObject({ status: 200 });
    expect(await get(`${flink.controlUrl}/health`, { ca })).toMatchObject({ status: 200 });
    // Who knows not who signed it does not trust it.
    await expect(get(`${flink.url}/overview`, {})).rejects.toThrow();
    expect((await sendRaw(Number(new URL(flink.url).port), 'GET /overview HTTP/1.1\r\nHost: x\r\n\r\n')).answers).toEqual([]);
    const config = JSON.parse((await get(`${flink.url}/jobmanager/config`, { ca })).text) as { key: string; value: string }[];
    expect(config.filter(({ key }) => /password/.test(key)).map(({ value }) => value)).toEqual(['******', '******']);
  });

  it('has the protocol that security.ssl.protocol names', async () => {
    const spoken = async (config: Record<string, string>, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> => {
      await using flink = await smallCluster({ config: { ...KEYSTORE, ...config } });
      return await new Promise((resolve, reject) => {
        const socket = connectTls({ host: '127.0.0.1', port: Number(new URL(flink.url).port), ca, maxVersion, minVersion: maxVersion }, () => {
          resolve(socket.getProtocol());
          socket.destroy();
        });
        socket.once('error', reject);
      });
    };
    expect(await spoken({}, 'TLSv1.2')).toBe('TLSv1.2');
    await expect(spoken({}, 'TLSv1.3')).rejects.toThrow(/protocol/i);
    expect(await spoken({ 'security.ssl.protocol': 'TLSv1.3' }, 'TLSv1.3')).toBe('TLSv1.3');
    expect(await spoken({ 'security.ssl.algorithms': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' }, 'TLSv1.2')).toBe('TLSv1.2');
  });

  it('asks for a certificate where authentication is mutual', async () => {
    const mutual = { ...KEYSTORE, 'security.ssl.rest.authentication-enabled': 'true', 'security.ssl.rest.truststore': file('ca.pem') };
    const client = { ca, cert: readFileSync(file('client.pem')), key: readFileSync(file('client.key')) };
    const pinned = '9F:E7:49:7C:67:16:F5:2E:AF:F3:50:81:BA:93:78:5F:B8:EF:E3:82';
    for (const config of [mutual, { ...mutual, 'security.ssl.rest.cert.fingerprint': pinned }]) {
      await using flink = await smallCluster({ config });
      expect((await get(`${flink.url}/overview`, client)).status).toBe(200);
      await expect(get(`${flink.url}/overview`, { ca })).rejects.toThrow();
    }
    await expect(smallCluster({ config: { ...mutual, 'security.ssl.rest.cert.fingerprint': 'aa:bb' } })).rejects.toThrow('no certificate of');
  });

  it('takes PEM files of its own, for the port of the control API too', async () => {
    await using flink = await startMockFlink({ scenario: 'empty', tls: { certificate: file('server.pem'), key: file('server.key') }, control: { port: 0 } });
    expect((await get(`${flink.url}/overview`, { ca })).status).toBe(200);
    expect(flink.controlUrl).toMatch(/^https:/);
    expect((await get(`${flink.controlUrl}/health`, { ca })).status).toBe(200);
  });

  it('says what is wrong with a keystore, and what to do', async () => {
    const jks = path.join(folder, 'old.jks');
    writeFileSync(jks, Buffer.from('feedfeed00000002', 'hex'));
    const wrong = async (config: Record<string, string>): Promise<string> => {
      const error: unknown = await smallCluster({ config: { ...KEYSTORE, ...config } }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TlsConfigError);
      return (error as Error).message;
    };
    expect(await wrong({ 'security.ssl.rest.keystore': jks })).toContain(`keytool -importkeystore -srckeystore ${jks} -destkeystore ${folder}/old.p12 -deststoretype PKCS12`);
    expect(await wrong({ 'security.ssl.rest.keystore': path.join(folder, 'nope') })).toContain('does not exist');
    const secret = 'not-the-password-at-all';
    const message = await wrong({ 'security.ssl.rest.keystore-password': secret, 'security.ssl.rest.key-password': secret });
    expect(message).toContain('the password of the keystore is wrong');
    expect(message).not.toContain(secret);
    expect(await wrong({ 'security.ssl.rest.key-password': 'another' })).toContain('key-password differs');
    expect(await wrong({ 'security.ssl.protocol': 'SSLv3' })).toContain('allowed: TLSv1, TLSv1.1, TLSv1.2, TLSv1.3');
    expect(await wrong({ 'security.ssl.rest.authentication-enabled': 'true' })).toContain('security.ssl.rest.truststore is not set');
    expect(await wrong({ 'security.ssl.rest.authentication-enabled': 'true', 'security.ssl.rest.truststore': file('server.p12') })).toContain('keytool -exportcert -rfc');
  });
});

describe('user and password', () => {
  const basic = (text: string): Record<string, string> => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  it('are asked for everything, and let in', async () => {
    await using flink = await smallCluster({ basicAuth: 'flink:s3cret:with colon', control: true });
    for (const target of [`${flink.url}/overview`, `${flink.url}/`, `${flink.url}/jars`, `${flink.controlUrl}/state`, `${flink.url}/nope`]) {
      const refused = await fetch(target);
      expect([refused.status, refused.headers.get('www-authenticate'), await refused.text()]).toEqual([401, 'Basic realm="mock-flink", charset="UTF-8"', '{"errors":["Unauthorized"]}']);
    }
    expect((await fetch(`${flink.url}/overview`, { headers: basic('flink:s3cret:with colon') })).status).toBe(200);
    expect((await fetch(`${flink.controlUrl}/state`, { headers: basic('flink:s3cret:with colon') })).status).toBe(200);
    for (const wrong of ['flink:', 'flink:s3cret', ':s3cret:with colon', 'flink:s3cret:with colon ', '']) expect((await fetch(`${flink.url}/overview`, { headers: basic(wrong) })).status).toBe(401);
    for (const authorization of ['Basic', 'Basic !!!', 'Bearer x', `basic${' '.repeat(2_000)}`, 'Basic ' + 'A'.repeat(10_000)]) expect((await fetch(`${flink.url}/overview`, { headers: { authorization } })).status).toBe(401);
    // An answer that is known already is for nobody else either.
    expect((await fetch(`${flink.url}/overview`)).status).toBe(401);
  });

  it('do not stand in the way of the token of the control API', async () => {
    await using flink = await smallCluster({ basicAuth: 'flink:secret', control: { token: 'token-of-the-test' } });
    expect((await fetch(`${flink.controlUrl}/state`, { headers: { authorization: 'Bearer token-of-the-test' } })).status).toBe(200);
    expect((await fetch(`${flink.controlUrl}/state`, { headers: basic('flink:secret') })).status).toBe(401);
    await using apart = await smallCluster({ basicAuth: 'flink:secret', control: { port: 0 } });
    expect((await fetch(`${apart.controlUrl}/state`)).status).toBe(401);
    expect((await fetch(`${apart.controlUrl}/state`, { headers: basic('flink:secret') })).status).toBe(200);
    expect((await fetch(`${flink.url}/_mockery`, { headers: { authorization: 'Bearer token-of-the-test' } })).status).toBe(401);
  });
});

describe('secrets', () => {
  /** Option and the first minor that hides it. */
  const HIDDEN: readonly (readonly [string, string])[] = [
    ['some.password', '1.9'], ['s3.SECRET-key', '1.9'], ['fs.azure.account.key.x', '1.9'], ['metrics.reporter.dghttp.apikey', '1.12'], ['x.auth-params', '1.17'], ['y.service-key', '1.17'], ['z.token', '1.17'],
    ['u.basic-auth', '1.17'], ['java.jaas.config', '1.17'], ['otel.http-headers', '1.19'], ['v.api-key', '2.1'],
  ];
  const ORDER = ['1.9', '1.12', '1.17', '1.19', '2.1', '2.3'];

  it.each(ORDER)("are hidden in /jobmanager/config as %s hides them", async (minor) => {
    const config = Object.fromEntries(HIDDEN.map(([key]) => [key, `value-of-${key}`]));
    await using flink = await smallCluster({ flinkVersion: minor, config });
    const shown = Object.fromEntries(((await (await fetch(`${flink.url}/jobmanager/config`)).json()) as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
    for (const [key, since] of HIDDEN) expect([key, shown[key]]).toEqual([key, ORDER.indexOf(since) <= ORDER.indexOf(minor) ? '******' : `value-of-${key}`]);
  });

  it('of requests are in no log, journal, snapshot or error', async () => {
    const secret = 'tell-it-to-nobody';
    await using watched = await watchedServer('1.20', { control: { token: secret }, basicAuth: `user:${secret}` });
    const { server } = watched;
    const authorization = `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`;
    const answers: string[] = [];
    for (const target of ['/overview', '/jobs/xyz', '/nope', '/jobs/%zz']) answers.push(await (await fetch(`${server.url}${target}`, { headers: { authorization, cookie: `session=${secret}` } })).text());
    answers.push(await (await fetch(`${server.url}/overview`, { headers: { authorization: `Basic ${secret}` } })).text());
    answers.push(await (await fetch(`${server.controlUrl}/state`, { headers: { authorization: `Bearer ${secret}x` } })).text());
    const bearer = { authorization: `Bearer ${secret}` };
    answers.push(await (await fetch(`${server.controlUrl}/journal`, { headers: bearer })).text());
    answers.push(await (await fetch(`${server.controlUrl}/openapi.json`, { headers: bearer })).text());
    answers.push(Buffer.from(await (await fetch(`${server.controlUrl}/snapshot`, { headers: bearer })).arrayBuffer()).toString('latin1'));
    const everything = [...answers, ...watched.log].join('\n');
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(authorization);
  });
});

describe('other origins', () => {
  it("may read what Flink lets them read, and nothing of the control API", async () => {
    await using flink = await smallCluster({ control: true });
    const origin = { origin: 'http://evil.example' };
    expect((await fetch(`${flink.url}/overview`, { headers: origin })).headers.get('access-control-allow-origin')).toBe('*');
    for (const [method, at] of [['GET', '/state'], ['GET', '/health'], ['GET', '/nope'], ['OPTIONS', '/clock'], ['POST', '/clock']]) {
      const response = await fetch(`${flink.controlUrl}${at}`, { method: method!, headers: origin });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    // What a page may send without asking first (a form, text) changes nothing.
    const before = flink.simulation.nowMs;
    const response = await fetch(`${flink.controlUrl}/clock`, { method: 'POST', body: '{"advanceMs":60000}', headers: { ...origin, 'content-type': 'text/plain' } });
    expect([response.status, flink.simulation.nowMs]).toEqual([415, before]);
  });
});

describe('files of the dashboard', () => {
  it('come from their folder only, whatever leads out of it', async () => {
    const root = path.join(folder, 'web');
    mkdirSync(path.join(root, 'assets'), { recursive: true });
    writeFileSync(path.join(root, 'index.html'), 'the page');
    writeFileSync(path.join(folder, 'secret.txt'), 'keep out');
    symlinkSync(path.join(folder, 'secret.txt'), path.join(root, 'link.txt'));
    symlinkSync(folder, path.join(root, 'assets', 'up'));
    await using server = await startServer({ model: modelOf('1.20'), port: 0, clock: { mode: 'manual' }, dashboard: root });
    const port = Number(new URL(server.url).port);
    const [page] = (await sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', { expected: 1 })).answers;
    expect(page?.body).toBe('the page');
    for (const target of ['/link.txt', '/assets/up/secret.txt', '/../secret.txt', '/assets/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/%2e%2e%2fsecret.txt', '/..%5csecret.txt', '/assets/..%2f..%2fsecret.txt', '/%252e%252e/secret.txt', `/${folder}/secret.txt`, `//${folder}/secret.txt`, '/secret.txt%00.html', `/file:${folder}/secret.txt`]) {
      const [answer] = (await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, { expected: 1 })).answers;
      expect([target, answer?.status]).toEqual([target, 404]);
      expect(answer?.body).not.toContain('keep out');
    }
  });
});
