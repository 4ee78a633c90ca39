import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FLINK_MINORS, FLINK_VERSIONS } from '../../src/versions/flink-versions.js';
import { VERSIONS as MESSAGE_CLASSES } from '../../test/clients/support/header-expectations.js';

const ROOT = new URL('../../', import.meta.url);
const names = (folder: string): string[] => readdirSync(new URL(folder, ROOT)).sort();
const text = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const unzipped = (file: string): unknown => JSON.parse(gunzipSync(readFileSync(new URL(file, ROOT))).toString());

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
const versionIn = (name: string): string => /\d+\.\d+(\.\d+)?(?=\D*$)/.exec(name)![0];

/** What there is of a version, or a dash. */
type Column = (version: string) => string;
const among = (versions: readonly string[]): Column => (version) => (versions.some((each) => minorOf(each) === minorOf(version)) ? '✓' : '–');

interface Endpoints {
  readonly endpoints: readonly { readonly since: string; readonly last: string }[];
}

function endpointCount(version: string): string {
  const minor = FLINK_MINORS.indexOf(minorOf(version));
  const { endpoints } = JSON.parse(text('src/versions/rest-spec.json')) as Endpoints;
  return String(endpoints.filter(({ since, last }) => FLINK_MINORS.indexOf(since) <= minor && minor <= FLINK_MINORS.indexOf(last)).length);
}

function recordedSteps(version: string): string {
  const file = names('test/golden').find((name) => name === `${version}.json.gz`);
  return file ? String((unzipped(`test/golden/${file}`) as { records: unknown[] }).records.length) : '–';
}

const LIVES = names('test/golden/lives').map((file) => file.replace('.json.gz', ''));
const clientVersions = (program: string): string[] => names('test/clients/expected').filter((file) => file.startsWith(`${program}-`)).map((file) => versionIn(file.replace('.txt', '')));

const COLUMNS: Readonly<Record<string, Column>> = {
  endpoints: endpointCount,
  'recorded answers': recordedSteps,
  'recorded lives': (version) => String(LIVES.filter((life) => versionIn(life) === version).length).replace(/^0$/, '–'),
  'recorded exposition': among(names('test/golden/prometheus').map((file) => versionIn(file.replace(/-(jobmanager|taskmanager)\.txt\.gz$/, '')))),
  'message classes': among(MESSAGE_CLASSES.map(({ version }) => version)),
  RestClusterClient: among(clientVersions('cluster-client')),
  'flink command': among(clientVersions('command-line')),
  'OpenAPI fuzzed': among([...text('test/clients/fuzz.test.ts').matchAll(/'(\d\.\d+)'/g)].map(([, minor]) => minor!)),
  dashboard: among([...text('test/browser/dashboards.test.ts').matchAll(/\bversion: '([\d.]+)'/g)].map(([, version]) => version!)),
};

function row(version: string): string {
  return `| ${minorOf(version)} | ${version} | ${Object.values(COLUMNS).map((column) => column(version)).join(' | ')} |`;
}

/** docs/compatibility.md: which version is held to what, read off the tests and their recordings. */
export function compatibilityPage(): string {
  const lives = [...new Set(LIVES.map((life) => life.replace(/-[\d.]+$/, '')))];
  const libraries = names('test/clients/expected').filter((file) => !/-\d/.test(file)).map((file) => file.replace('.txt', ''));
  return `# Compatibility

What each version of Flink is held to. This page is made from the tests and the recordings that they compare with; \`npm test\` fails when it is out of date.

| minor | release | ${Object.keys(COLUMNS).join(' | ')} |
| --- | --- | ${Object.keys(COLUMNS).map(() => '---').join(' | ')} |
${FLINK_VERSIONS.map(row).join('\n')}

| column | what is compared |
| --- | --- |
| endpoints | REST endpoints of the minor; each is called by a test, and its answer has to fit the minor's classes ([endpoints](endpoints.md)) |
| recorded answers | answers of a real cluster to one script (some are asked for until something happens); ours have to be alike ([differences](differences.md)) |
| recorded lives | what a real cluster went through while it was watched, lived again ([lifecycle](lifecycle.md)) |
| recorded exposition | names and labels of a real Prometheus reporter ([reporters](reporters.md)) |
| message classes | Flink's own Java classes of the release read the answers and write the same bytes ([clients](clients.md)); with \`CLIENT_VERSIONS=all\` every minor but 1.11 |
| RestClusterClient, flink command | unmodified, they print what they print with a real cluster |
| OpenAPI fuzzed | the published document, by schemathesis |
| dashboard | Flink's real web interface, page by page in Chromium |

Minors without recordings follow the tables of their own message classes, and the sources where wordings could be read.

Lives: ${lives.map((life) => `\`${life}\``).join(', ')}.

Client libraries, unmodified, with 2.3: ${libraries.map((library) => `\`${library}\``).join(', ')}; their versions are in [clients](clients.md).
`;
}
