// Makes src/versions/rest-spec.json: one table of all REST endpoints of all Flink minors, from one file per release that lists each
// endpoint with its parameters, request and response classes as reflection over Flink's message classes gives them.
// What reflection cannot see (custom serializers, class-wide inclusion rules, subclasses) is corrected by rest-spec-corrections.json.
//
//     node scripts/make-rest-spec.mjs FOLDER        reads FOLDER/<version>.json
//
// Notation of a type: integer, number, boolean, string, raw (JSON as it is), the name of a class or enum of the table;
// `T[]` array, `{T}` map, `T?` may be null; then one of `non-null`, `non-empty`, `non-default` when the key is left out for such a value.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const RELEASES = ['1.9.3', '1.10.3', '1.11.4', '1.12.5', '1.13.6', '1.14.6', '1.15.4', '1.16.3', '1.17.2', '1.18.1', '1.19.3', '1.20.5', '2.0.2', '2.1.3', '2.2.1', '2.3.0'];
const corrections = JSON.parse(readFileSync(path.join(root, 'scripts', 'rest-spec-corrections.json'), 'utf8'));
const folder = process.argv[2];
if (!folder) throw new Error('usage: node scripts/make-rest-spec.mjs FOLDER');

const minorOf = (release) => release.split('.').slice(0, 2).join('.');
const INCLUSIONS = { NON_NULL: ' non-null', NON_EMPTY: ' non-empty', NON_DEFAULT: ' non-default', ALWAYS: '' };

/** Per class and minor its fields; per enum name its members by minor. */
const classes = new Map();
const enums = new Map();
const minors = RELEASES.map(minorOf);

function shortName(java) {
  return java.replaceAll('$', '.');
}

function enumType(key, members) {
  const text = members.join('|');
  for (let n = 1; ; n++) {
    const name = `#${key}${n === 1 ? '' : n}`;
    const known = enums.get(name);
    if (known === undefined) enums.set(name, text);
    if (known === undefined || known === text) return name;
  }
}

/** Notation of a node, its classes recorded on the way. */
function notation(node, key, minor) {
  const inclusion = node.include ? INCLUSIONS[node.include] : '';
  return baseNotation(node, key, minor) + (node.nullable ? '?' : '') + inclusion;
}

function baseNotation(node, key, minor) {
  const { java } = node;
  const custom = java && corrections.types[java];
  if (custom) return typeof custom === 'string' ? custom : shortName(java);
  if (node.type === 'array') return notation(node.items, key, minor) + '[]';
  if (node.enum) return enumType(key, node.enum);
  if (node.type === 'any') return 'raw';
  if (node.type !== 'object') return node.type;
  if (typeof node.additionalProperties === 'object') return `{${notation(node.additionalProperties, key, minor)}}`;
  if (!java) return 'raw';
  if (node.recursive) return shortName(java);
  const fields = Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, child]) => [name, notation(child, name, minor)]));
  // A generic class is a class for each of its arguments.
  const generic = corrections.generic[java];
  const name = shortName(java) + (generic ? `<${fields[generic].replace(/ .*/, '')}>` : '');
  record(name, minor, fields);
  return name;
}

function record(name, minor, fields) {
  const byMinor = classes.get(name) ?? new Map();
  classes.set(name, byMinor);
  const known = byMinor.get(minor);
  if (known && JSON.stringify(known) !== JSON.stringify(fields)) throw new Error(`${name} has two forms in ${minor}`);
  byMinor.set(minor, fields);
}

/** `[[since, value], …]`, one entry for each change. */
function changes(valueByMinor) {
  const table = [];
  for (const minor of minors) {
    if (!valueByMinor.has(minor)) continue;
    const value = valueByMinor.get(minor);
    if (table.length === 0 || JSON.stringify(table.at(-1)[1]) !== JSON.stringify(value)) table.push([minor, value]);
  }
  return table;
}

/** The value itself where it never changed. */
function constantOrChanges(valueByMinor) {
  const table = changes(valueByMinor);
  return table.length === 1 ? table[0][1] : table;
}

const endpoints = new Map();
for (const release of RELEASES) {
  const minor = minorOf(release);
  for (const endpoint of JSON.parse(readFileSync(path.join(folder, `${release}.json`), 'utf8'))) {
    const key = `${endpoint.method} ${endpoint.url}`;
    const alias = corrections.sameAs[key];
    const source = alias ? { ...JSON.parse(readFileSync(path.join(folder, `${release}.json`), 'utf8')).find((e) => `${e.method} ${e.url}` === alias), java: endpoint.java } : endpoint;
    const facts = endpoints.get(key) ?? { method: endpoint.method, url: endpoint.url, facts: new Map() };
    endpoints.set(key, facts);
    const add = (name, value) => {
      if (!facts.facts.has(name)) facts.facts.set(name, new Map());
      facts.facts.get(name).set(minor, value);
    };
    const parameter = ({ key: name, mandatory, valueType }, kind) => `${name}${mandatory || kind === 'path' ? '' : '?'}: ${valueType.replace(/^.*\$/, '')}`;
    add('headers', source.java);
    add('description', source.description ?? '');
    add('status', source.status ?? 200);
    add('path', (source.path ?? []).map((p) => parameter(p, 'path')));
    add('query', (source.query ?? []).map((p) => parameter(p, 'query')));
    add('upload', source['file-upload'] ?? false);
    add('requestClass', source.request?.java ?? 'EmptyRequestBody');
    const request = source.request ? notation(source.request, 'request', minor) : 'EmptyRequestBody';
    add('request', request === 'EmptyRequestBody' ? null : request);
    add('response', source.response ? notation(source.response, 'response', minor) : null);
  }
}

// Routes that Flink registers without a message class.
for (const { method, url, description, hasVersionPrefixSince } of corrections.unlisted) {
  const always = (value) => new Map(minors.map((minor) => [minor, value]));
  const facts = { headers: '', description, status: 200, path: [], query: [], upload: false, requestClass: 'EmptyRequestBody', request: null, response: null };
  const hasVersionPrefix = new Map(minors.map((minor) => [minor, minors.indexOf(minor) >= minors.indexOf(hasVersionPrefixSince)]));
  endpoints.set(`${method} ${url}`, { method, url, facts: new Map([...Object.entries(facts).map(([name, value]) => [name, always(value)]), ['hasVersionPrefix', hasVersionPrefix]]) });
}

// Classes that the corrections define: fields by minor, each from a minor on.
for (const [java, table] of Object.entries(corrections.types)) {
  if (typeof table === 'string') continue;
  for (const minor of minors) {
    const current = table.filter(([since]) => minors.indexOf(since) <= minors.indexOf(minor)).at(-1);
    if (current) record(shortName(java), minor, current[1]);
  }
}
// The plan was JSON text before it became a class: its keys are in the corrections.
for (const name of corrections.plan) for (const fields of classes.get(name).values()) if (/^(raw|string)$/.test(fields.plan)) fields.plan = 'JobPlan';

// Inclusion rules of whole classes or single fields.
for (const [name, rules] of Object.entries(corrections.inclusion)) {
  for (const fields of classes.get(name)?.values() ?? []) {
    for (const [field, type] of Object.entries(fields)) {
      const rule = rules[field] ?? rules['*'];
      if (rule && !/ non-/.test(type)) fields[field] = `${type} ${rule}`;
    }
  }
}
// Subclasses, told apart by a discriminator key that comes first.
const { variants } = corrections;
for (const { subtypes } of Object.values(variants)) for (const type of Object.values(subtypes)) if (!classes.has(type)) throw new Error(`no class ${type}`);

const out = {
  about: 'Made by scripts/make-rest-spec.mjs. Values that changed are lists of [since minor, value].',
  enums: Object.fromEntries([...enums].map(([name, text]) => [name.slice(1), text])),
  variants,
  types: Object.fromEntries([...classes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, byMinor]) => [name, changes(byMinor)])),
  endpoints: [...endpoints.values()]
    .sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.method < b.method ? -1 : 1))
    .map(({ method, url, facts }) => {
      // Some message classes are older than the route.
      const registeredSince = minors.indexOf(corrections.registeredSince[`${method} ${url}`] ?? minors[0]);
      const present = minors.filter((minor, index) => facts.get('status').has(minor) && index >= registeredSince);
      return {
        method,
        url,
        since: present[0],
        last: present.at(-1),
        ...Object.fromEntries([...facts].map(([name, values]) => [name, name === 'description' ? [...values.values()].at(-1) : constantOrChanges(values)])),
      };
    }),
};

/** JSON with one line for each class form, endpoint fact and enum. */
function print(value, depth, limit) {
  if (depth >= limit || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pad = '  '.repeat(depth + 1);
  const body = Array.isArray(value) ? value.map((item) => pad + print(item, depth + 1, limit)) : Object.entries(value).map(([key, item]) => `${pad}${JSON.stringify(key)}: ${print(item, depth + 1, limit)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return body.length === 0 ? open + close : `${open}\n${body.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

writeFileSync(path.join(root, 'src', 'versions', 'rest-spec.json'), print(out, 0, 3) + '\n');
