// Writes scenarios/schema.json and scenarios/fleet.schema.json from the built loaders: npm run schema
import { writeFileSync } from 'node:fs';
import { fleetJsonSchema } from '../dist/fleet/fleet-schema.js';
import { scenarioJsonSchema } from '../dist/scenario/json-schema.js';

writeFileSync(new URL('../scenarios/schema.json', import.meta.url), scenarioJsonSchema());
writeFileSync(new URL('../scenarios/fleet.schema.json', import.meta.url), fleetJsonSchema());
