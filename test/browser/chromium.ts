import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const CANDIDATES = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of an installed Chromium; installs Debian's where there is none and apt-get works; null when neither can be had. */
export function chromiumPath(): string | null {
  const find = () => CANDIDATES.find((candidate): candidate is string => candidate !== undefined && existsSync(candidate)) ?? null;
  const found = find();
  if (found || process.platform !== 'linux' || process.getuid?.() !== 0) return found;
  spawnSync('sh', ['-c', 'apt-get update -q && apt-get install -y -q chromium fonts-dejavu-core'], { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  return find();
}

/** Jar with the real dashboard of a Flink version, fetched once into .cache; null when it cannot be had. */
export function dashboardJar(version: string): string | null {
  const script = fileURLToPath(new URL('../../scripts/fetch-dashboard.mjs', import.meta.url));
  const result = spawnSync(process.execPath, [script, version], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** Skipping is for machines that cannot have a browser; in CI a missing one is a failure. */
export function skipReason(missing: readonly (string | null)[], what: string): string | null {
  if (missing.every((item) => item !== null)) return null;
  if (process.env['CI']) throw new Error(`${what} could not be installed, and in CI these tests must run`);
  return `${what} could not be had on this machine`;
}

/** A page that keeps what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, uncaught exceptions, failed requests and answers of 400 and above. */
  readonly troubles: string[];
}

export async function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

export async function openWatched(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1500, height: 1000 } });
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // a page that is left drops what it was still asking for
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') troubles.push(`${request.failure()?.errorText} ${request.url()}`);
  });
  return { page, troubles };
}
