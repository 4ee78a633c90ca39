import { rowsOf, tableOf, typeOf, type Schema } from './schema-table.js';

function section(name: string, schema: Schema): string {
  const head = [`## ${name}`, '', [schema.description, `Type: ${typeOf(schema)}.`].filter(Boolean).join('. ').replaceAll('..', '.')];
  const rows = rowsOf(schema, schema.items ? `${name}[]` : name).map((row) => ({ ...row, path: row.path.replace(/^(\w+\[\])\[\]/, '$1') }));
  return [...head, ...(rows.length > 0 ? ['', tableOf(rows)] : [])].join('\n');
}

/** docs/reference/scenario.md: every field of a scenario file, from its JSON Schema. */
export function scenarioReference(schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {});
  const simple = fields.filter(([, field]) => rowsOf(field).length === 0 && field.items === undefined);
  const nested = fields.filter((entry) => !simple.includes(entry));
  return `# Every field of a scenario file

Made from \`scenarios/schema.json\`, which editors use too. What the fields mean together: [the scenario format](../scenario-format.md); events with a \`curl\` line each:
[faults](../faults.md). A star marks what has to be given where its parent is; a list's entries are \`name[]\`, a map's values \`name.*\`.

## The file

${tableOf(rowsOf({ properties: Object.fromEntries(simple) }))}

${nested.map(([name, field]) => section(name, field)).join('\n\n')}
`;
}
