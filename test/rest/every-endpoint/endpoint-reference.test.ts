import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { endpointReference } from './endpoint-reference.js';

/** Without the numbers and identifiers that follow the simulation's every change. */
function neutral(text: string): string {
  return text.replace(/[0-9a-f]{12,}/g, 'N').replace(/-?\d[\d.E-]*/g, 'N').replace(/"(NaN|N)"/g, 'N');
}

it('docs/endpoints.md is what `npm run docs:endpoints` makes now', async () => {
  const committed = readFileSync(new URL('../../../docs/endpoints.md', import.meta.url), 'utf8');
  const headings = (text: string) => text.split('\n').filter((line) => line.startsWith('## '));
  const made = await endpointReference();
  expect(headings(committed)).toEqual(headings(made));
  const keys = (text: string) => neutral(text).match(/"[^"\n]+":/g);
  expect(keys(committed)).toEqual(keys(made));
});
