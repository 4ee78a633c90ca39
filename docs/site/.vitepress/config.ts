import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { leadElsewhere } from './links';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Entry {
  text: string;
  items: { text: string; link: string }[];
}

/** The side bar is the index: its headings, and the first link of each line. */
function sidebar(): Entry[] {
  const entries: Entry[] = [];
  for (const line of readFileSync(path.join(root, 'docs/index.md'), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading) entries.push({ text: heading[1]!, items: [] });
    for (const [, text, link] of line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) entries.at(-1)?.items.push({ text: text!.replace(/^of the/, 'Faults of the').replace(/^the /, 'The '), link: `/docs/${link}` });
  }
  entries.push({ text: 'Examples', items: [{ text: 'All of them', link: '/examples/README.md' }] });
  return entries;
}

export default defineConfig({
  title: 'mock-flink',
  description: "A simulated Apache Flink cluster behind Flink's own REST API",
  srcDir: 'pages',
  outDir: 'dist',
  // A site below any path, and from a folder: nothing is asked of another host.
  base: process.env['DOCS_BASE'] ?? '/',
  // `/jobs/{job}` at the end of a heading is no list of attributes.
  markdown: { attrs: { disable: true }, config: (markdown) => leadElsewhere(markdown, root) },
  // Addresses of servers that the reader starts.
  ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1)/],
  themeConfig: {
    nav: [
      { text: 'Quick start', link: '/docs/quickstart' },
      { text: 'Reference', link: '/docs/reference/cli' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
