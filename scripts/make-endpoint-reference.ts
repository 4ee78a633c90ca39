// Writes docs/endpoints.md: every endpoint with its versions and an answer of the simulation.     tsx scripts/make-endpoint-reference.ts
import { writeFileSync } from 'node:fs';
import { endpointReference } from '../test/rest/every-endpoint/endpoint-reference.js';

writeFileSync(new URL('../docs/endpoints.md', import.meta.url), await endpointReference());
