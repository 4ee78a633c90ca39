import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, links, pages, read, ROOT } from './markdown.js';

/** Why a link leads nowhere; null = it leads somewhere. */
function problem(page: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [file, anchor] = target.split('#') as [string, string | undefined];
  const place = file === '' ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), decodeURI(file)));
  if (place.startsWith('..') || !existsSync(path.join(ROOT, place))) return `${target}: there is no ${place}`;
  if (anchor === undefined) return null;
  if (statSync(path.join(ROOT, place)).isDirectory() || !place.endsWith('.md')) return `${target}: ${place} has no headings`;
  return anchors(read(place)).has(anchor) ? null : `${target}: ${place} has no such heading`;
}

describe('links in the documents', () => {
  it.each(pages())('%s leads somewhere', (page) => {
    expect(links(read(page)).map((target) => problem(page, target)).filter((each) => each !== null)).toEqual([]);
  });

  it('are found out when they lead nowhere', () => {
    expect(['none.md', 'quickstart.md#no-such-heading', '../../outside.md', '#nothing'].map((target) => problem('docs/cli.md', target))).not.toContain(null);
    expect(problem('docs/cli.md', '#tls')).toBeNull();
    expect(links('`[a](b.md)` [c](d.md#e)\n\n```\n[f](g.md)\n```\n')).toEqual(['d.md#e']);
  });

  it('lead from the index to every page of docs/', () => {
    const indexed = new Set(links(read('docs/index.md')).map((target) => path.posix.join('docs', target.split('#')[0]!)));
    expect(pages().filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/') && page !== 'docs/index.md' && !indexed.has(page))).toEqual([]);
  });
});
