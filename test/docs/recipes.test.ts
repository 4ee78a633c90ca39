import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMockFlink, type MockFlink } from 'mock-flink';
import { createProgram } from '../../src/cli/program.js';
import { shippedScenarioNames } from '../../src/scenario/shipped-scenarios.js';
import { runCurlLine } from '../support/curl-line.js';
import { read } from './markdown.js';

const lines = ['docs/recipes.md', 'docs/faq.md'].flatMap((page) => [...read(page).matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line!.replace(/ +#.*$/, '')));
const curls = lines.filter((line) => line.startsWith('curl '));
const commands = lines.flatMap((line) => /(?:^|<\()(?:npx )?mock-flink ([^)|]*)/.exec(line)?.[1]?.trim() ?? []);

let flink: MockFlink;
beforeAll(async () => {
  flink = await startMockFlink({ scenario: 'slow-sink', control: true });
});
afterAll(async () => {
  await flink.close();
});

describe('the recipes', () => {
  it.each(curls)('%s', async (line) => {
    const { status, text } = await runCurlLine(line, flink.controlUrl!);
    expect(status, text).toBeLessThan(300);
    if (line.includes('"until"')) expect(JSON.parse(text)).toMatchObject({ met: true });
  });

  it.each(commands)('mock-flink %s: is understood', async (line) => {
    const program = createProgram();
    const [name, ...rest] = line.split(/\s+/);
    const command = program.commands.find((each) => each.name() === name)!;
    let isUnderstood = false;
    command.exitOverride().configureOutput({ writeErr: () => undefined }).action(() => void (isUnderstood = true));
    await command.parseAsync(rest, { from: 'user' });
    expect(isUnderstood).toBe(true);
    const scenario = name === 'simulate' ? rest[0] : rest[rest.indexOf('--scenario') + 1];
    if ((name === 'simulate' || rest.includes('--scenario')) && !scenario!.endsWith('.yaml')) expect(shippedScenarioNames()).toContain(scenario);
  });

  it('are looked at', () => {
    expect(curls.length).toBeGreaterThan(8);
    expect(commands.length).toBeGreaterThan(8);
  });
});
