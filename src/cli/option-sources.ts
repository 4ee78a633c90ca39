import { nearestName } from '../scenario/nearest-name.js';
import { parseYaml, readTextFile } from '../scenario/yaml-source.js';
import { formatProblem, showValue } from '../scenario/scenario-error.js';
import { CliError } from './cli-error.js';
import { environmentName, SERVE_OPTIONS, type OptionDefinition, type ServeOptions } from './serve-options.js';

/** Values as commander gives them: text, or a list of texts (--config). */
export type FlagValues = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Given {
  readonly text: string;
  /** Where it came from, for messages. */
  readonly from: string;
}

const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function fromFile(file: string): Map<string, Given[]> {
  const given = new Map<string, Given[]>();
  const source = parseYaml(readTextFile(file), file, () => true);
  const fail = (path: readonly string[], message: string): never => {
    throw new CliError(formatProblem(source.problemAtKey(path, message)));
  };
  if (typeof source.value !== 'object' || source.value === null || Array.isArray(source.value)) fail([], `found ${showValue(source.value)}; allowed: a map of options, such as \`port: 8082\``);
  const byName = new Map(SERVE_OPTIONS.flatMap((option) => [[option.key, option] as const, [kebab(option.key), option] as const]));
  for (const [name, value] of Object.entries(source.value as object)) {
    const option = byName.get(name as never);
    if (!option) {
      const names = SERVE_OPTIONS.map(({ key }) => kebab(key));
      const near = nearestName(name, names);
      fail([name], `unknown key; ${near ? `did you mean \`${near}\`? ` : ''}allowed: ${names.join(', ')}`);
      continue;
    }
    const { line, column } = source.problemAt([name], '');
    const from = `${file}:${line}:${column}: ${name}`;
    if (typeof value === 'string') given.set(option.key, [{ text: value, from }]);
    else if (option.key === 'config' && typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')) {
      given.set('config', Object.entries(value as Record<string, string>).map(([key, text]) => ({ text: `${key}=${text}`, from })));
    } else fail([name], `found ${showValue(value)}; allowed: ${option.allowed}`);
  }
  return given;
}

function parse(option: OptionDefinition, given: Given): ServeOptions[keyof ServeOptions] {
  const value = option.parse(given.text);
  if (value !== undefined) return value;
  if (option.isSecret) throw new CliError(`${given.from}: what was given cannot be one; allowed: ${option.allowed}`);
  const near = nearestName(given.text, option.allowed.split(/,? or |, /));
  throw new CliError(`${given.from}: found ${JSON.stringify(given.text)}; allowed: ${option.allowed}${near && /^\w+$/.test(near) ? `; did you mean ${near}?` : ''}`);
}

/**
 * What Kubernetes puts into every container beside a service named mock-flink, such as MOCK_FLINK_SERVICE_HOST, or MOCK_FLINK_PORT with
 * tcp://10.0.0.7:8081: not meant for us.
 */
function isServiceLink(name: string, value: string | undefined): boolean {
  if (/^MOCK_FLINK_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/.test(name)) return true;
  return name === 'MOCK_FLINK_PORT' && /^(tcp|udp|sctp):\/\//.test(value ?? '');
}

/** The options in force: flags before environment before config file before defaults (`config` is merged key by key). */
export function resolveServeOptions(flags: FlagValues, variables: Readonly<Record<string, string | undefined>>, configFile: string | undefined): ServeOptions {
  const environment = Object.fromEntries(Object.entries(variables).filter(([name, value]) => !isServiceLink(name, value)));
  const known = new Set([...SERVE_OPTIONS.map(({ key }) => environmentName(key)), 'MOCK_FLINK_CONFIG_FILE']);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('MOCK_FLINK_') || known.has(name)) continue;
    const near = nearestName(name, known);
    throw new CliError(`environment variable ${name}: unknown; ${near ? `did you mean ${near}? ` : ''}allowed: ${[...known].join(', ')}`);
  }
  const file = configFile ?? environment['MOCK_FLINK_CONFIG_FILE'];
  const inFile = file === undefined || file === '' ? new Map<string, Given[]>() : fromFile(file);
  const entries = SERVE_OPTIONS.map((option) => {
    const name = environmentName(option.key);
    const flag = flags[option.key];
    const levels: Given[][] = [
      inFile.get(option.key) ?? [],
      // A variable holds several Flink options, separated by `;` or line ends.
      (option.key === 'config' ? (environment[name] ?? '').split(/[;\n]/) : [environment[name] ?? '']).filter((text) => text.trim() !== '').map((text) => ({ text, from: `environment variable ${name}` })),
      flag === undefined ? [] : [flag].flat().map((text) => ({ text, from: `option ${option.flag}` })),
    ];
    if (option.key === 'config') return [option.key, Object.assign({}, ...levels.flat().map((given) => parse(option, given)))] as const;
    // Every value is checked, also one that a stronger source replaces: a mistake in a file does not lie in wait.
    const values = levels.flat().map((given) => parse(option, given));
    return [option.key, values.length === 0 ? option.fallback : values.at(-1)] as const;
  });
  return Object.freeze(Object.fromEntries(entries)) as unknown as ServeOptions;
}
