import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Whether a link of a page leads to a file that is no page of the site: a source, a test, a folder. */
function isNoPage(root: string, page: string, href: string): boolean {
  if (/^([a-z]+:|#|\/)/.test(href)) return false;
  const target = path.join(path.dirname(path.join(root, page)), decodeURI(href.split('#')[0]!));
  return existsSync(target) && (statSync(target).isDirectory() || !/\.(md|png|svg)$/.test(target));
}

/** Links to sources become plain text: the site has the documents only. */
export function leadElsewhere(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.push('lead-elsewhere', (state) => {
    const page = (state.env as { relativePath?: string }).relativePath ?? '';
    for (const token of state.tokens) {
      let dropping = false;
      token.children = token.children?.filter((child) => {
        if (child.type === 'link_open') dropping = isNoPage(root, page, child.attrGet('href') ?? '');
        const isDropped = dropping && (child.type === 'link_open' || child.type === 'link_close');
        if (child.type === 'link_close') dropping = false;
        return !isDropped;
      }) ?? null;
    }
  });
}
