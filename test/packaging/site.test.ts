import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error A script without types.
import { lockfileProblems, readJson } from '../../scripts/check-lockfile.mjs';
import { runWell } from '../clients/install/tools.js';
import { pages, ROOT } from '../docs/markdown.js';

const DIST = path.join(ROOT, 'docs/site/dist');
const htmlOf = (page: string): string => path.join(DIST, page.replace(/\.md$/, '.html'));

/** The file that a web server gives for an address of the site. */
function served(address: string): string | undefined {
  const file = path.join(DIST, decodeURI(address.split(/[?#]/)[0]!));
  return [file, `${file}.html`, path.join(file, 'index.html')].find((each) => existsSync(each) && !each.endsWith('/'));
}

describe('the documents as a site', () => {
  beforeAll(() => runWell('npm', ['run', '--silent', 'docs:site'], { cwd: ROOT }), 300_000);

  it('has every page, and a beginning', () => {
    expect(pages().filter((page) => !existsSync(htmlOf(page)))).toEqual([]);
    expect(readFileSync(path.join(DIST, 'index.html'), 'utf8')).toContain('docs/');
  });

  it('has no link or picture that leads nowhere', () => {
    const dead = pages().flatMap((page) => {
      const from = `/${page.replace(/[^/]*$/, '')}`;
      const targets = [...readFileSync(htmlOf(page), 'utf8').matchAll(/\s(?:href|src)="([^"#][^"]*)"/g)].map(([, target]) => target!);
      return targets.filter((target) => !/^[a-z]+:/.test(target) && served(target.startsWith('/') ? target : from + target) === undefined).map((target) => `${page}: ${target}`);
    });
    expect([...new Set(dead)]).toEqual([]);
  });

  it('loads nothing from another host', () => {
    for (const page of pages()) {
      const loaded = [...readFileSync(htmlOf(page), 'utf8').matchAll(/<(?:link|script|img)\b[^>]*\s(?:href|src)="(https?:[^"]*)"/g)].map(([, url]) => url);
      expect(loaded, page).toEqual([]);
    }
  });

  it('can be searched', () => {
    expect(readdirSync(path.join(DIST, 'assets/chunks')).some((name) => name.includes('localSearchIndex'))).toBe(true);
  });

  it('is made with packages of checked sums', () => {
    const problems = (lockfileProblems as (lock: unknown, manifest: unknown) => string[])(readJson('docs/site/package-lock.json'), readJson('docs/site/package.json'));
    expect(problems).toEqual([]);
  });
});
