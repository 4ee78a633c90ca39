import { readFileSync } from 'node:fs';
import { createProgram } from '../../src/cli/program.js';
import { startMockFlink } from '../../src/library/start-mock-flink.js';
import { cliReference } from './cli-reference.js';
import { compatibilityPage } from './compatibility.js';
import { controlReference, type OpenApi } from './control-reference.js';
import { manPage } from './man-page.js';
import { scenarioReference } from './scenario-reference.js';
import type { Schema } from './schema-table.js';

async function controlDocument(): Promise<OpenApi> {
  await using flink = await startMockFlink({ scenario: 'empty', openAt: 0, control: true });
  return (await (await fetch(`${flink.controlUrl}/openapi.json`)).json()) as OpenApi;
}

/** Documents that are made from the program, by their paths. */
export async function referenceFiles(): Promise<Record<string, string>> {
  return {
    'man/mock-flink.1': manPage(createProgram()),
    'docs/reference/cli.md': cliReference(createProgram()),
    'docs/reference/scenario.md': scenarioReference(JSON.parse(readFileSync(new URL('../../scenarios/schema.json', import.meta.url), 'utf8')) as Schema),
    'docs/reference/control-api.md': controlReference(await controlDocument()),
    'docs/compatibility.md': compatibilityPage(),
  };
}
