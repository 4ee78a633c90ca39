import { rowsOf, tableOf, typeOf, type Schema } from './schema-table.js';

interface Content {
  readonly [type: string]: { readonly schema?: Schema };
}
interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema; readonly description?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
export interface OpenApi {
  readonly info: { readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A body deeper than this is another document's matter: a scenario's jobs, for example. */
const MAX_DEPTH = 4;

function body(title: string, content: Content | undefined): string[] {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const rows = media?.schema ? rowsOf(media.schema).filter(({ path }) => path.split('.').length <= MAX_DEPTH) : [];
  const form = media?.schema ? typeOf(media.schema) : '';
  return [`${title} (\`${type}\`)${rows.length === 0 && form ? `: ${form}` : ''}`, ...(rows.length > 0 ? [tableOf(rows)] : [])];
}

function operationText(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((each) => ({ path: each.name, type: `${typeOf(each.schema)} (${each.in})`, isRequired: each.required ?? false, fallback: each.schema.default, description: each.description ?? each.schema.description ?? '' }));
  const answers = Object.entries(operation.responses ?? {}).flatMap(([status, { content }]) => (content ? body(`Answer ${status}`, content) : [`Answer ${status}, without a body`]));
  return [`### ${method.toUpperCase()} ${path}`, operation.summary ?? '', tableOf(parameters), ...body('Body', operation.requestBody?.content), ...answers].filter((part) => part !== '').join('\n\n');
}

/** docs/reference/control-api.md: every route of the control API, from its own OpenAPI document. The console's routes are its own affair. */
export function controlReference(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation, tag: operation.tags?.[0] ?? 'other' })));
  const tags = [...new Set(operations.map(({ tag }) => tag))].filter((tag) => tag !== 'console');
  const sections = tags.map((tag) => [`## ${tag}`, ...operations.filter((each) => each.tag === tag).map(({ method, path, operation }) => operationText(method, path, operation))].join('\n\n'));
  return `# Every route of the control API

Made from its OpenAPI document, \`/_mock/openapi.json\`. ${document.info.description ?? ''} What the routes are for, with \`curl\` lines: [the control API](../control-api.md). A star marks what has to be given where its parent is.

${sections.join('\n\n')}
`;
}
