import type { RecordedAnswer } from '../../golden/recording.js';
import { FLINK_MINORS, parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restSpec, type EndpointSpec, type ParameterSpec } from '../../../src/versions/rest-spec.js';
import { FittingCluster } from './fitting-cluster.js';
import { ADAPTIVE_REQUESTS, neverAnswered, REQUESTS } from './fitting-requests.js';

const MOST_TEXT = 60;
const MOST_KEYS_OF_A_MAP = 2;
const MOST_EXAMPLE = 1600;
const IDENTIFIER = /^([0-9a-f]{32}|\d+)$/;

interface Row {
  readonly key: string;
  /** As the newest minor that has it tells it. */
  readonly spec: EndpointSpec;
  readonly minors: string[];
}

function rows(): Row[] {
  const found = new Map<string, Row>();
  for (const minor of FLINK_MINORS) {
    for (const spec of restSpec(parseFlinkVersion(minor)!).endpoints) {
      const key = `${spec.method} ${spec.url}`;
      found.set(key, { key, spec, minors: [...(found.get(key)?.minors ?? []), minor] });
    }
  }
  return [...found.values()].sort((a, b) => (a.spec.url < b.spec.url ? -1 : a.spec.url > b.spec.url ? 1 : a.spec.method < b.spec.method ? -1 : 1));
}

/** The beginning of an answer: one element of each list, short texts. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.length > 1 ? [shortened(value[0]), '…'] : value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const shown = entries.every(([key]) => IDENTIFIER.test(key)) ? entries.slice(0, MOST_KEYS_OF_A_MAP) : entries;
  return Object.fromEntries(shown.map(([key, item]) => [key, shortened(item)]));
}

function example({ json, text, headers }: RecordedAnswer, address: string): string {
  if (json === undefined) return `${headers['content-type'] ?? 'no content type'}\n${(text ?? '').split('\n').slice(0, 3).join('\n')}`;
  const whole = JSON.stringify(shortened(json), null, 1).replaceAll(address, 'http://localhost:8081');
  return whole.length > MOST_EXAMPLE ? `${whole.slice(0, MOST_EXAMPLE).replace(/\n[^\n]*$/, '')}\n…` : whole;
}

/** The answer that tells most. */
function fullest(answers: readonly RecordedAnswer[]): RecordedAnswer {
  return answers.reduce((best, each) => (JSON.stringify(each.json ?? '').length > JSON.stringify(best.json ?? '').length ? each : best));
}

const parameter = ({ key, valueType, mandatory }: ParameterSpec): string => `\`${key}\`${mandatory ? '' : '?'} (${valueType})`;

function section({ key, spec, minors }: Row, answer: RecordedAnswer | undefined, minor: string, address: string): string {
  const range = minors.length === 1 ? minors[0]! : `${minors[0]!} – ${minors.at(-1)!}`;
  const facts = [`Flink ${range}.`, spec.description.replaceAll('<', '&lt;'), spec.query.length > 0 ? `Query: ${spec.query.map(parameter).join(', ')}.` : ''].filter((text) => text !== '');
  const release = parseFlinkVersion(minor)!.full;
  const never = neverAnswered(key, release);
  const shown = never
    ? `Always ${never.status}: ${never.reason}.`
    : answer
      ? `\`${answer.method} ${answer.path}\` on ${release}: ${answer.status}\n\n\`\`\`json\n${example(answer, address)}\n\`\`\``
      : '';
  return [`## ${key}`, facts.join(' '), shown].filter((text) => text !== '').join('\n\n');
}

/** docs/endpoints.md: each endpoint with the minors that have it and an answer of the newest of them. */
export async function endpointReference(): Promise<string> {
  const all = rows();
  const sections = new Map<string, string>();
  const order = Object.keys(REQUESTS);
  for (const minor of new Set(all.map(({ minors }) => minors.at(-1)!))) {
    const release = parseFlinkVersion(minor)!.full;
    const here = all.filter(({ minors }) => minors.at(-1) === minor);
    for (const scheduler of ['default', 'adaptive'] as const) {
      const requests = scheduler === 'default' ? REQUESTS : ADAPTIVE_REQUESTS;
      const keys = scheduler === 'default' ? order : Object.keys(ADAPTIVE_REQUESTS);
      await using cluster = await FittingCluster.start(release, scheduler);
      const { url } = cluster.server;
      for (const key of keys) {
        const row = here.find((each) => each.key === key);
        if (row) sections.set(key, section(row, fullest(await requests[key]!(cluster)), minor, url));
      }
      for (const row of here) if (scheduler === 'adaptive' && !sections.has(row.key)) sections.set(row.key, section(row, undefined, minor, url));
    }
  }
  const head = '# Endpoints\n\nEvery endpoint of Flink\'s REST API, the minors that have it and how the simulation answers. Made by `npm run docs:endpoints`; lists are cut to their first element, texts to their beginning.\n';
  return `${head}\n${all.map(({ key }) => sections.get(key)!).join('\n\n')}\n`;
}
