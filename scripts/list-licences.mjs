// Writes docs/licences.md: what is installed beside mock-flink, its version and licence (out of package-lock.json).
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readJson } from './check-lockfile.mjs';

/** The list as text. */
export function licenceList(lock) {
  const shipped = Object.entries(lock.packages)
    .filter(([place, entry]) => place !== '' && !entry.dev && !entry.devOptional)
    .map(([place, { version, license }]) => [place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), version, license])
    .toSorted(([a, x], [b, y]) => a.localeCompare(b) || x.localeCompare(y));
  return `# Licences

What \`npm install mock-flink\` brings along, made by \`npm run licences\` out of package-lock.json. A bill of materials in CycloneDX's form: \`npm run --silent sbom\`.

| package | version | licence |
| --- | --- | --- |
${shipped.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('../docs/licences.md', import.meta.url), licenceList(readJson('package-lock.json')));
