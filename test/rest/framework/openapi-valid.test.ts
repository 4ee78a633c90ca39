import { readFileSync, readdirSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../openapi/', import.meta.url);
const documents = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the OpenAPI documents', () => {
  it('are there for each of the 16 minors', () => {
    expect(documents.filter((name) => name.startsWith('flink-'))).toHaveLength(16);
  });

  it.each(documents)('%s is valid by the OpenAPI specification', async (name) => {
    const document = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, unknown>;
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });
});
