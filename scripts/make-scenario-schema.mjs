// Writes scenarios/schema.json from the built loader: npm run schema
import { writeFileSync } from 'node:fs';
import { scenarioJsonSchema } from '../dist/scenario/json-schema.js';

writeFileSync(new URL('../scenarios/schema.json', import.meta.url), scenarioJsonSchema());
