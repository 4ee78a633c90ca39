// Writes the manual page and the parts of docs/ that are made from the program, its schemas and its tests:     npm run docs:reference
import { mkdirSync, writeFileSync } from 'node:fs';
import { referenceFiles } from './reference/files.js';

for (const [file, text] of Object.entries(await referenceFiles())) {
  const url = new URL(`../${file}`, import.meta.url);
  mkdirSync(new URL('.', url), { recursive: true });
  writeFileSync(url, text);
}
