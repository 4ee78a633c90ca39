// Writes openapi/flink-<minor>.json for every minor.     tsx scripts/make-openapi.ts
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/rest/openapi.js';
import { FLINK_MINORS, parseFlinkVersion } from '../src/versions/flink-versions.js';

for (const minor of FLINK_MINORS) {
  const document = await openApiDocument(parseFlinkVersion(minor)!);
  writeFileSync(new URL(`../openapi/flink-${minor}.json`, import.meta.url), JSON.stringify(document, null, 1) + '\n');
}
