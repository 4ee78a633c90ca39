import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/rest/openapi.js';
import { FLINK_MINORS, parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restSpec } from '../../../src/versions/rest-spec.js';

describe.each(FLINK_MINORS)('openapi/flink-%s.json', (minor) => {
  const committed = readFileSync(new URL(`../../../openapi/flink-${minor}.json`, import.meta.url), 'utf8');

  it('is what `npm run openapi` makes now', async () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(await openApiDocument(parseFlinkVersion(minor)!))));
  });

  it('has every endpoint of the version and no reference that leads nowhere', () => {
    const document = JSON.parse(committed) as { paths: Record<string, Record<string, { operationId: string }>>; components: { schemas: object } };
    const operations = Object.entries(document.paths).flatMap(([url, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${url}`));
    expect(operations.sort()).toEqual(restSpec(parseFlinkVersion(minor)!).endpoints.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`).sort());
    for (const [, name] of committed.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) expect(Object.keys(document.components.schemas)).toContain(name);
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
