import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveServeOptions } from '../../src/cli/option-sources.js';
import { environmentName, SERVE_OPTIONS } from '../../src/cli/serve-options.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'options-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(text: string): string {
  const file = path.join(folder, 'mock-flink.yaml');
  writeFileSync(file, text);
  return file;
}

describe('options of serve', () => {
  it('leave alone what Kubernetes says of a service named mock-flink', () => {
    const links = { MOCK_FLINK_SERVICE_HOST: '10.0.0.7', MOCK_FLINK_SERVICE_PORT: '8081', MOCK_FLINK_SERVICE_PORT_REST: '8081', MOCK_FLINK_PORT: 'tcp://10.0.0.7:8081', MOCK_FLINK_PORT_8081_TCP: 'tcp://10.0.0.7:8081', MOCK_FLINK_PORT_8081_TCP_ADDR: '10.0.0.7' };
    expect(resolveServeOptions({}, links, undefined)).toEqual(resolveServeOptions({}, {}, undefined));
  });

  it('have defaults', () => {
    expect(resolveServeOptions({}, {}, undefined)).toEqual({
      scenario: 'incident-2020-04-09',
      flinkVersion: null,
      port: 8081,
      host: '127.0.0.1',
      seed: null,
      speed: 1,
      clock: 'real',
      startTime: null,
      basePath: '',
      dashboard: null,
      logLevel: 'warn',
      control: 'on',
      controlToken: null,
      controlPort: null,
      basicAuth: null,
      tlsCert: null,
      tlsKey: null,
      tlsClientCa: null,
      snapshots: null,
      restore: null,
      config: {},
    });
  });

  it('come from flags before environment before file before defaults', () => {
    const file = configFile('port: 1\nseed: 2\nspeed: 3\n');
    const environment = { MOCK_FLINK_PORT: '4', MOCK_FLINK_SEED: '5' };
    expect(resolveServeOptions({ port: '6' }, environment, file)).toMatchObject({ port: 6, seed: 5, speed: 3, host: '127.0.0.1' });
  });

  it('find the config file by its variable too', () => {
    expect(resolveServeOptions({}, { MOCK_FLINK_CONFIG_FILE: configFile('port: 99') }, undefined).port).toBe(99);
  });

  it('merge --config key by key over all sources', () => {
    const file = configFile('config: { a: 1, b: 1.10, c: true }\n');
    const options = resolveServeOptions({ config: ['c=3', 'd=x=y;z'] }, { MOCK_FLINK_CONFIG: 'b=2; e = 5 s' }, file);
    expect(options.config).toEqual({ a: '1', b: '2', c: '3', d: 'x=y;z', e: '5 s' });
  });

  it('can all be given in the environment and in a file, in both spellings', () => {
    const values: Record<string, string> = {
      scenario: 'healthy', flinkVersion: '2.3', port: '0', host: '::1', seed: '7', speed: '0.5', clock: 'manual', startTime: '2020-04-09T08:13:00+08:00',
      basePath: '/proxy/application_1/', dashboard: 'web', logLevel: 'debug', control: 'off', controlToken: 'a-long-token', controlPort: '0', basicAuth: 'user:pass:word', tlsCert: 'a.pem', tlsKey: 'a.key', tlsClientCa: 'ca.pem', snapshots: 'snapshots', restore: 'a.snapshot', config: 'a=1',
    };
    expect(Object.keys(values)).toEqual(SERVE_OPTIONS.map(({ key }) => key));
    const expected = {
      scenario: 'healthy', flinkVersion: '2.3.0', port: 0, host: '::1', seed: 7, speed: 0.5, clock: 'manual', startTime: Date.UTC(2020, 3, 9, 0, 13),
      basePath: '/proxy/application_1', dashboard: 'web', logLevel: 'debug', control: 'off', controlToken: 'a-long-token', controlPort: 0, basicAuth: 'user:pass:word', tlsCert: 'a.pem', tlsKey: 'a.key', tlsClientCa: 'ca.pem', snapshots: 'snapshots', restore: 'a.snapshot', config: { a: '1' },
    };
    expect(resolveServeOptions(values, {}, undefined)).toEqual(expected);
    expect(resolveServeOptions({}, Object.fromEntries(Object.entries(values).map(([key, value]) => [environmentName(key), value])), undefined)).toEqual(expected);
    for (const spell of [(key: string) => key, (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]) {
      const text = Object.entries(values).map(([key, value]) => `${spell(key)}: ${JSON.stringify(value)}\n`).join('');
      expect(resolveServeOptions({}, {}, configFile(text))).toEqual(expected);
    }
  });

  it.each([
    ['a flag', () => resolveServeOptions({ port: '80810' }, {}, undefined), 'option --port: found "80810"; allowed: 0 to 65535'],
    ['a variable', () => resolveServeOptions({}, { MOCK_FLINK_CLOCK: 'manaul' }, undefined), 'environment variable MOCK_FLINK_CLOCK: found "manaul"; allowed: real, manual; did you mean manual?'],
    ['a file', () => resolveServeOptions({}, {}, configFile('port: 8081\nspeed: fast\n')), 'mock-flink.yaml:2:8: speed: found "fast"; allowed: a number above 0, up to 100000'],
    ['a file, though a flag replaces it', () => resolveServeOptions({ speed: '2' }, {}, configFile('speed: fast\n')), 'mock-flink.yaml:1:8: speed: found "fast"'],
    ['an unknown key of a file', () => resolveServeOptions({}, {}, configFile('prot: 8081\n')), 'mock-flink.yaml:1:1: prot: unknown key; did you mean `port`? allowed: scenario, flink-version, port'],
    ['an unknown variable', () => resolveServeOptions({}, { MOCK_FLINK_PROT: '1' }, undefined), 'environment variable MOCK_FLINK_PROT: unknown; did you mean MOCK_FLINK_PORT?'],
    ['a version that is none', () => resolveServeOptions({ flinkVersion: '1.21' }, {}, undefined), 'option --flink-version: found "1.21"; allowed: 1.9, 1.10, '],
    ['a pair that is none', () => resolveServeOptions({ config: ['web.timeout'] }, {}, undefined), 'option --config: found "web.timeout"; allowed: key=value'],
    ['a file that does not exist', () => resolveServeOptions({}, {}, path.join(folder, 'none.yaml')), 'none.yaml: there is no such file'],
  ])('say where a bad value came from: %s', (_, resolve, message) => {
    expect(resolve).toThrow(message);
  });
});
