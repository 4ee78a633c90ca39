// Puts the command line and all that it needs into one file, which loads several times faster than its some 700 modules, and keeps V8's
// compiled code of it beside: `dist/mock-flink.cjs` (start), `dist/program.cjs` (the file), `dist/program.cache` (the code).
// The library (`dist/index.js`) stays as the compiler wrote it.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');

/** Modules find files beside themselves; in the bundle each is told where it was. */
const ownUrls = {
  name: 'own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!file.startsWith(dist + path.sep)) return null;
      return { loader: 'js', contents: readFileSync(file, 'utf8').replaceAll('import.meta.url', `__urlInDist(${JSON.stringify(path.relative(dist, file).replaceAll(path.sep, '/'))})`) };
    });
  },
};

/** Licences of the packages that went into the bundle: they ask to be named in copies. */
function licencesOf(inputs) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) folders.add(match[1]);
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(path.join(root, folder, file), 'utf8').trim() : ''}\n`;
  });
}

export async function bundleCli() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(dist, 'cli', 'program.js')],
    outfile: path.join(dist, 'program.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [ownUrls],
  });
  writeFileSync(path.join(dist, 'program.licences.txt'), licencesOf(metafile.inputs).join(`\n${'-'.repeat(80)}\n\n`));
  const start = path.join(dist, 'mock-flink.cjs');
  writeFileSync(start, readFileSync(path.join(root, 'scripts', 'start-bundle.cjs')));
  chmodSync(start, 0o755);
  const warmed = spawnSync(process.execPath, [path.join(root, 'scripts', 'make-code-cache.cjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (warmed.status !== 0 || !existsSync(path.join(dist, 'program.cache'))) throw new Error('the code cache was not written');
}
