import { readFileSync } from 'node:fs';
import { writeWhole } from '../../../src/control/snapshot-store.js';

// Writes one file again and again, until it is killed.
const [source, target] = process.argv.slice(2) as [string, string];
const bytes = readFileSync(source);
process.stdout.write('writing\n');
for (;;) await writeWhole(target, bytes);
