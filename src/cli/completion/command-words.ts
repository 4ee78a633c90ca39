import type { Argument, Command, Option } from 'commander';
import { shippedScenarioNames } from '../../scenario/shipped-scenarios.js';
import { FLINK_MINORS } from '../../versions/flink-versions.js';

/** What may stand for a value: words, files, or anything (neither). */
export interface ValueWords {
  readonly words: readonly string[];
  readonly files: boolean;
}

export interface OptionWords {
  /** `-o`, `--output`; the long one last. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly isRepeatable: boolean;
  /** null = it takes none. */
  readonly value: ValueWords | null;
}

export interface CommandWords {
  readonly name: string;
  readonly help: string;
  readonly options: readonly OptionWords[];
  /** What its arguments may be; null = it has none. */
  readonly argument: ValueWords | null;
}

/** What placeholders stand for; one that is not here can be anything. */
function placeholderWords(placeholder: string): ValueWords {
  switch (placeholder) {
    case 'name|file':
    case 'scenario':
      return { words: shippedScenarioNames(), files: true };
    case 'version':
      return { words: FLINK_MINORS, files: false };
    case 'scenario|now|ISO':
      return { words: ['scenario', 'now'], files: false };
    case 'file':
    case 'dir':
    case 'dir|jar|tgz':
      return { words: [], files: true };
    default:
      return { words: [], files: false };
  }
}

function wordsOf(choices: readonly string[] | undefined, placeholder: string): ValueWords {
  return choices ? { words: choices, files: false } : placeholderWords(placeholder);
}

function optionWords(option: Option): OptionWords {
  const placeholder = /<([^>]+?)(?:\.\.\.)?>/.exec(option.flags)?.[1];
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    help: option.description,
    isRepeatable: /may be repeated/.test(option.description),
    value: placeholder === undefined ? null : wordsOf(option.argChoices, placeholder),
  };
}

function argumentWords(argument: Argument | undefined): ValueWords | null {
  return argument ? wordsOf(argument.argChoices, argument.name()) : null;
}

/** Every command with all that may follow it, `help` too; read off the program, so that nothing is told twice. */
export function commandWords(program: Command): CommandWords[] {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    help: command.description(),
    options: command.createHelp().visibleOptions(command).map(optionWords),
    argument: argumentWords(command.registeredArguments[0]),
  }));
  return [...commands, { name: 'help', help: 'explain a command', options: [], argument: { words: commands.map(({ name }) => name), files: false } }];
}

/** Options that stand before any command. */
export function globalOptions(program: Command): OptionWords[] {
  return program.createHelp().visibleOptions(program).map(optionWords);
}

/** The command that is meant when none is given. */
export const DEFAULT_COMMAND = 'serve';
