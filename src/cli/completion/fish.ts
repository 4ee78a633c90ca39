import { DEFAULT_COMMAND, type CommandWords, type OptionWords, type ValueWords } from './command-words.js';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function valueArguments({ words, files }: ValueWords): string {
  const listed = words.length === 0 ? '' : ` -a ${quoted(words.join(' '))}`;
  return `${files ? '-r -F' : '-x'}${listed}`;
}

function optionLine(condition: string, { flags, help, value }: OptionWords): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return ['complete -c mock-flink', `-n ${quoted(condition)}`, ...names, ...(value ? [valueArguments(value)] : []), `-d ${quoted(help)}`].join(' ');
}

/** A script for fish ≥ 3. */
export function fishCompletion(commands: readonly CommandWords[], globals: readonly OptionWords[]): string {
  const names = commands.map(({ name }) => name);
  const during = (name: string): string =>
    name === DEFAULT_COMMAND ? `not __fish_seen_subcommand_from ${names.filter((other) => other !== name).join(' ')}` : `__fish_seen_subcommand_from ${name}`;
  const none = `not __fish_seen_subcommand_from ${names.join(' ')}`;
  return [
    '# Completion of mock-flink for fish:     mock-flink completion fish | source',
    'complete -c mock-flink -f',
    ...commands.map(({ name, help }) => `complete -c mock-flink -n ${quoted(none)} -a ${name} -d ${quoted(help)}`),
    ...globals.map((option) => optionLine(none, option)),
    ...commands.flatMap(({ name, options, argument }) => [
      ...options.filter(({ flags }) => name !== DEFAULT_COMMAND || !flags.includes('--help')).map((option) => optionLine(during(name), option)),
      ...(argument ? [`complete -c mock-flink -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${argument.files ? '-F ' : ''}${argument.words.length > 0 ? `-a ${quoted(argument.words.join(' '))}` : ''}`.trimEnd()] : []),
    ]),
    '',
  ].join('\n');
}
