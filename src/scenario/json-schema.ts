import { z } from 'zod';
import { scenarioSchema } from './schema/scenario-schema.js';

/** The file format as JSON Schema, for editors; made from what the loader checks. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any', reused: 'inline', target: 'draft-7' });
  return `${JSON.stringify(schema, null, 1)}\n`;
}
