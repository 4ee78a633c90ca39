import { FLINK_MINORS, parseFlinkVersion } from '../versions/flink-versions.js';
import { DEFAULT_SCENARIO } from '../scenario/shipped-scenarios.js';
import { parseIso } from '../scenario/units.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** When the scenario's open instant is: the scenario's own, now, or a given one (epoch ms). */
export type StartTime = 'scenario' | 'now' | number;

/** What `--dashboard` takes, for messages. */
export const DASHBOARD_PLACES = "a folder with Flink's web files, a flink-dist or flink-runtime-web jar, or a distribution archive (.tgz)";

export interface ServeOptions {
  readonly scenario: string;
  readonly flinkVersion: string | null;
  readonly port: number;
  readonly host: string;
  readonly seed: number | null;
  readonly speed: number;
  readonly clock: 'real' | 'manual';
  /** null = `now`, or `scenario` with a manual clock. */
  readonly startTime: StartTime | null;
  readonly basePath: string;
  readonly dashboard: string | null;
  readonly logLevel: LogLevel;
  readonly control: 'on' | 'off';
  /** null = none is asked for. */
  readonly controlToken: string | null;
  /** null = the server's own. */
  readonly controlPort: number | null;
  /** `user:password` that every request has to bring; null = none. */
  readonly basicAuth: string | null;
  /** PEM files to speak TLS with; null = Flink's options say whether. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** PEM file of who signs clients' certificates; null = clients need none. */
  readonly tlsClientCa: string | null;
  /** Folder of saved snapshots; null = one that goes with the server. */
  readonly snapshots: string | null;
  /** Snapshot to go on from. */
  readonly restore: string | null;
  readonly config: Readonly<Record<string, string>>;
}

/** One option of `serve`: a flag, an environment variable and a key of the config file, all read by the same parser. */
export interface OptionDefinition<K extends keyof ServeOptions = keyof ServeOptions> {
  readonly key: K;
  readonly flag: string;
  readonly argument: string;
  readonly help: string;
  readonly allowed: string;
  readonly fallback: ServeOptions[K];
  /** The words that it may be, where they are few. */
  readonly choices?: readonly string[];
  /** Its value is not shown in messages. */
  readonly isSecret?: true;
  /** undefined = not understood. */
  readonly parse: (text: string) => ServeOptions[K] | undefined;
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);

function wholeNumber(text: string, max: number): number | undefined {
  return /^\d+$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

/** One `key=value`, as a map. */
function parseConfigPair(text: string): Record<string, string> | undefined {
  const match = /^\s*([^=\s]+)\s*=([^]*)$/.exec(text);
  return match ? { [match[1]!]: match[2]!.trim() } : undefined;
}

function define<K extends keyof ServeOptions>(definition: OptionDefinition<K>): OptionDefinition {
  return definition as unknown as OptionDefinition;
}

export const SERVE_OPTIONS: readonly OptionDefinition[] = [
  define({ key: 'scenario', flag: '--scenario', argument: '<name|file>', help: 'what to play: one that ships (see `mock-flink scenarios`) or a YAML file', allowed: 'a name or a file', fallback: DEFAULT_SCENARIO, parse: (text) => text || undefined }),
  define({
    key: 'flinkVersion',
    flag: '--flink-version',
    argument: '<version>',
    help: "Flink version to be, such as 1.20 or 1.20.5; the scenario's when left out",
    allowed: `${FLINK_MINORS.join(', ')}, or a full version such as 1.20.5`,
    fallback: null,
    parse: (text) => parseFlinkVersion(text)?.full,
  }),
  define({ key: 'port', flag: '--port', argument: '<port>', help: 'port to listen on; 0 takes a free one', allowed: '0 to 65535', fallback: 8081, parse: (text) => wholeNumber(text, 65_535) }),
  define({ key: 'host', flag: '--host', argument: '<host>', help: 'address to listen on', allowed: 'a host name or an IP address', fallback: '127.0.0.1', parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined) }),
  define({ key: 'seed', flag: '--seed', argument: '<n>', help: "seed of everything random; the scenario's when left out", allowed: '0 to 4294967295', fallback: null, parse: (text) => wholeNumber(text, 4_294_967_295) }),
  define({
    key: 'speed',
    flag: '--speed',
    argument: '<x>',
    help: 'virtual seconds for each second of the wall clock',
    allowed: 'a number above 0, up to 100000',
    fallback: 1,
    parse: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= 100_000 ? Number(text) : undefined),
  }),
  define({ key: 'clock', flag: '--clock', argument: '<real|manual>', help: '`manual` stands still until the control API moves it', allowed: 'real, manual', choices: ['real', 'manual'], fallback: 'real', parse: oneOf(['real', 'manual']) }),
  define({
    key: 'startTime',
    flag: '--start-time',
    argument: '<scenario|now|ISO>',
    help: 'instant at which the scenario opens: its own, the present, or a given one (default: now; scenario with a manual clock)',
    allowed: 'scenario, now, or an ISO 8601 instant with an offset such as 2020-04-09T08:13:00+08:00',
    fallback: null,
    parse: (text) => (text === 'scenario' || text === 'now' ? text : parseIso(text)?.epochMs),
  }),
  define({
    key: 'basePath',
    flag: '--base-path',
    argument: '<path>',
    help: 'serve below this path too, as YARN’s proxy does: /proxy/application_1582644888198_0190',
    allowed: 'a path that begins with /, and not with /_mock',
    fallback: '',
    parse: (text) => (/^\/_mock(\/|$)/.test(text) ? undefined : /^(\/[^\s?#]+)+$/.test(text) ? text.replace(/\/+$/, '') : text === '' || text === '/' ? '' : undefined),
  }),
  define({ key: 'dashboard', flag: '--dashboard', argument: '<dir|jar|tgz>', help: "Flink's own dashboard: a folder with its files, a flink-dist jar, or a distribution archive", allowed: DASHBOARD_PLACES, fallback: null, parse: (text) => text || undefined }),
  define({ key: 'logLevel', flag: '--log-level', argument: '<level>', help: 'level of the log on stderr', allowed: LOG_LEVELS.join(', '), choices: LOG_LEVELS, fallback: 'warn', parse: oneOf(LOG_LEVELS) }),
  define({ key: 'control', flag: '--control', argument: '<on|off>', help: 'the control API below /_mock; --no-control turns it off', allowed: 'on, off', choices: ['on', 'off'], fallback: 'on', parse: oneOf(['on', 'off']) }),
  define({
    key: 'controlToken',
    flag: '--control-token',
    argument: '<token>',
    help: 'token that the control API asks for, as `Authorization: Bearer …`; better given by the variable, which other users do not see',
    allowed: 'at least 8 characters without blanks',
    fallback: null,
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]{8,1000}$/.test(text) ? text : undefined),
  }),
  define({ key: 'controlPort', flag: '--control-port', argument: '<port>', help: 'port of its own for the control API; 0 takes a free one', allowed: '0 to 65535', fallback: null, parse: (text) => wholeNumber(text, 65_535) }),
  define({
    key: 'basicAuth',
    flag: '--basic-auth',
    argument: '<user:password>',
    help: 'user and password that every request has to bring, as behind a proxy; better given by the variable, which other users do not see',
    allowed: 'user:password, without control characters',
    fallback: null,
    isSecret: true,
    parse: (text) => (/^[^:\x00-\x1f\x7f]+:[^\x00-\x1f\x7f]+$/.test(text) && text.length <= 1_000 ? text : undefined),
  }),
  define({ key: 'tlsCert', flag: '--tls-cert', argument: '<file>', help: 'certificate (PEM, chain and all) to speak TLS with; a keystore is given by --config security.ssl.rest.enabled=true and the like', allowed: 'a file', fallback: null, parse: (text) => text || undefined }),
  define({ key: 'tlsKey', flag: '--tls-key', argument: '<file>', help: 'its private key (PEM)', allowed: 'a file', fallback: null, parse: (text) => text || undefined }),
  define({ key: 'tlsClientCa', flag: '--tls-client-ca', argument: '<file>', help: "certificates (PEM) of who signs clients' certificates; given, clients need one", allowed: 'a file', fallback: null, parse: (text) => text || undefined }),
  define({ key: 'snapshots', flag: '--snapshots', argument: '<dir>', help: 'folder of snapshots that the control API saves; left out, they go when the server ends', allowed: 'a folder', fallback: null, parse: (text) => text || undefined }),
  define({ key: 'restore', flag: '--restore', argument: '<file>', help: 'snapshot to go on from', allowed: 'a file', fallback: null, parse: (text) => text || undefined }),
  define({ key: 'config', flag: '--config', argument: '<key=value>', help: "Flink options by Flink's names; may be repeated", allowed: 'key=value, such as web.backpressure.num-samples=50', fallback: {}, parse: parseConfigPair }),
];

/** `flinkVersion` is MOCK_FLINK_FLINK_VERSION. */
export function environmentName(key: string): string {
  return `MOCK_FLINK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
