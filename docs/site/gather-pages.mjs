// Copies the documents, and the pictures in them, to pages/: the generator finds its own packages only from files below this folder.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const site = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(site));
const pages = path.join(site, 'pages');

rmSync(pages, { recursive: true, force: true });
mkdirSync(path.join(pages, 'public'), { recursive: true });
for (const name of readdirSync(root).filter((each) => each.endsWith('.md'))) cpSync(path.join(root, name), path.join(pages, name));
for (const folder of ['docs', 'examples', 'deploy']) gather(folder);
// The site begins with the index of docs/.
writeFileSync(path.join(pages, 'public', 'index.html'), '<!doctype html><meta charset="utf-8"><title>mock-flink</title><meta http-equiv="refresh" content="0; url=docs/"><a href="docs/">mock-flink</a>\n');

function gather(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (inner === path.join('docs', 'site') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) gather(inner);
    else if (/\.(md|png|svg)$/.test(entry.name)) cpSync(path.join(root, inner), path.join(pages, inner));
  }
}
