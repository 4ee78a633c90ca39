import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the leak check; gives its exit code and what it printed. */
function leakCheck(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--expose-gc', '--import', 'tsx', 'scripts/leak.ts', ...args], { cwd: ROOT }, (_error, stdout, stderr) => resolve({ code: child.exitCode!, output: stdout + stderr }));
  });
}

// The week itself is `npm run leak`; here the incident's job for some hours, behind the day and a half in which logs and histories fill.
describe('the heap of a cluster in trouble at ×100,000', { timeout: 240_000 }, () => {
  it('stays flat', async () => {
    const { code, output } = await leakCheck('--scenario', 'slow-sink', '--days', '2', '--every', '6', '--from', '36');
    expect(code, output).toBe(0);
    expect(output).toMatch(/^hour 48: heap [\d.]+ MiB/m);
  });

  it('is said to leak where something is kept', async () => {
    const { code, output } = await leakCheck('--scenario', 'slow-sink', '--days', '0.125', '--every', '1', '--leak');
    expect(code, output).toBe(1);
    expect(output).toMatch(/^growth [\d.]+ % \([1-9]\d* kept\)/m);
  });
});
