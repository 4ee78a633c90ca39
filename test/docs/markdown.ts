import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'tmp']);

function* markdownBelow(folder: string): Iterable<string> {
  for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && file !== 'docs/site') yield* markdownBelow(file);
    } else if (entry.name.endsWith('.md')) yield file;
  }
}

/** Every page that people read: README and its like, docs/, examples/, deploy/. */
export function pages(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  return [...top, ...['docs', 'examples', 'deploy'].flatMap((folder) => [...markdownBelow(folder)])].sort();
}

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Without code: what looks like a link there is none. */
export function prose(text: string): string {
  return text.replaceAll(/^(```+)[^\n]*\n[^]*?^\1\s*$/gm, '').replaceAll(/^(?: {4}|\t).*$/gm, '').replaceAll(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** Ids of a page's headings, as GitHub and VitePress make them of plain words. */
export function anchors(text: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = text.replaceAll(/^(```+)[^\n]*\n[^]*?^\1\s*$/gm, '').matchAll(/^#{1,6} +(.+?)\s*$/gm);
  const ids = [...headings].map(([, title]) => {
    const id = title!.toLowerCase().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(/\s/g, '-');
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  });
  return new Set(ids);
}

/** Targets of links and pictures. */
export function links(text: string): string[] {
  return [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(([, target]) => target!);
}
