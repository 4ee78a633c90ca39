import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWell } from '../clients/install/tools.js';
import { ROOT } from '../docs/markdown.js';
import { freePort } from '../support/running-server.js';

interface Block {
  readonly shell: string;
  /** What the document shows of its output; null = nothing. */
  readonly shown: string | null;
}

const PORT = 8081;
const END_OF_BLOCK = '\u0001 end of block';

/** The document's shell blocks, each with the text block that follows it. */
function blocksOf(document: string): Block[] {
  const fences = [...document.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, text]) => ({ language, text: text! }));
  expect(fences.filter(({ language }) => language !== 'sh' && language !== 'text')).toEqual([]);
  return fences.flatMap(({ language, text }, index) => (language !== 'sh' ? [] : [{ shell: text, shown: fences[index + 1]?.language === 'text' ? fences[index + 1]!.text : null }]));
}

/** `…` stands for anything. */
function patternOf(shown: string): RegExp {
  const parts = shown.trim().split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
  await new Promise((resolve) => server.close(resolve));
  return listening;
}

/** Runs all blocks in one shell, which ends at the first failure; gives the output of each. */
async function runBlocks(blocks: readonly Block[], cwd: string, temporary: string): Promise<string[]> {
  const script = `set -e\nexec 2>&1\n${blocks.map(({ shell }) => `${shell}\necho '${END_OF_BLOCK}'\n`).join('')}`;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MOCK_FLINK_|VITEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|npm_)/.test(name));
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env: { ...Object.fromEntries(inherited), NO_COLOR: '1', TMPDIR: temporary }, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  child.stdin.end(script);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve) => child.once('exit', resolve));
  // A shell that ended early leaves its server behind.
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
  if (!child.stdout.readableEnded) await new Promise((resolve) => child.stdout.once('end', resolve));
  return output.split(`${END_OF_BLOCK}\n`);
}

describe('docs/quickstart.md, followed to the letter on a clean checkout', () => {
  let folder: string;
  let blocks: Block[];
  let outputs: string[];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'quickstart-'));
    const checkout = path.join(folder, 'mock-flink');
    await runWell('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${ROOT}`, checkout]);
    let document = readFileSync(path.join(checkout, 'docs/quickstart.md'), 'utf8');
    // On a machine where something else has the port, the document is followed with another one.
    if (!(await isFree(PORT))) document = document.replaceAll('serve --scenario', `serve --port ${PORT} --scenario`).replaceAll(String(PORT), String(await freePort()));
    blocks = blocksOf(document);
    mkdirSync(path.join(folder, 'tmp'));
    outputs = await runBlocks(blocks, checkout, path.join(folder, 'tmp'));
  }, 400_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('every command succeeds', () => {
    expect(outputs.length, outputs.at(-1)).toBe(blocks.length + 1);
    expect(blocks.length).toBeGreaterThan(10);
  });

  it('every output is as shown', () => {
    const shown = blocks.flatMap((block, index) => (block.shown === null ? [] : [{ ...block, output: outputs[index]?.trim() ?? '' }]));
    expect(shown.length).toBeGreaterThan(8);
    for (const { shell, shown: text, output } of shown) expect(output, shell).toMatch(patternOf(text!));
  });
});
