import type { Command } from 'commander';
import { shippedScenarioNames } from '../scenario/shipped-scenarios.js';
import { bashCompletion } from './completion/bash.js';
import { commandWords, globalOptions } from './completion/command-words.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `mock-flink completion <shell>`: a script that completes commands, options, scenarios and versions, made from the program itself. */
export function completionScript(program: Command, shell: Shell): string {
  const [commands, globals] = [commandWords(program), globalOptions(program)];
  switch (shell) {
    case 'bash':
      return bashCompletion(commands, globals);
    case 'zsh':
      return zshCompletion(commands, globals, shippedScenarioNames());
    case 'fish':
      return fishCompletion(commands, globals);
  }
}
