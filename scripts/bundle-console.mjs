// Bundles the console's page for browsers: one script and one style sheet, libraries included, for whoever has no build tools.
// By itself (`node scripts/bundle-console.mjs`) it renews dist/console only.
import { build } from 'esbuild';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Libraries that become part of the page: their licences go with it. */
const BUNDLED = ['uplot', '@dagrejs/dagre', '@dagrejs/graphlib'];

export async function bundleConsole() {
  const sources = path.join(root, 'src', 'console');
  const outdir = path.join(root, 'dist', 'console');
  await build({
    entryPoints: ['console.ts', 'console.css'].map((name) => path.join(sources, name)),
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'warning',
    tsconfig: path.join(root, 'tsconfig.console.json'),
  });
  copyFileSync(path.join(sources, 'index.html'), path.join(outdir, 'index.html'));
  const licences = BUNDLED.map((name) => `${name}\n\n${readFileSync(path.join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()}\n`);
  writeFileSync(path.join(outdir, 'LICENSES.txt'), licences.join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleConsole();
