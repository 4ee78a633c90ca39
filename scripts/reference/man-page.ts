import type { Command } from 'commander';

const escaped = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('’', '\\(cq').replaceAll('…', '...').replace(/^\./gm, '\\&.');

function entries(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.flatMap(([term, text]) => ['.TP', `.B ${escaped(term)}`, escaped(text)]);
}

function options(command: Command): string[] {
  const help = command.createHelp();
  return entries([...help.visibleArguments(command).map((each) => [help.argumentTerm(each), help.argumentDescription(each)] as const), ...help.visibleOptions(command).map((each) => [help.optionTerm(each), help.optionDescription(each)] as const)]);
}

/** man/mock-flink.1, in roff's man macros, from the same program that `--help` shows. */
export function manPage(program: Command): string {
  const commands = program.commands.flatMap((command) => [`.SS "mock\\-flink ${escaped(command.createHelp().commandUsage(command).replace(/^mock-flink /, ''))}"`, escaped(command.description()), ...options(command)]);
  return `${[
    `.TH MOCK\\-FLINK 1 "" "mock\\-flink ${escaped(program.version()!)}" "User Commands"`,
    '.SH NAME',
    `mock\\-flink \\- ${escaped(program.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B mock\\-flink',
    '.RI [ command ]\n.RI [ options ]',
    '.SH DESCRIPTION',
    escaped('Stands in for an Apache Flink cluster: simulates one in virtual time and answers its REST API, for every minor from 1.9 to 2.3. Without a command it serves.'),
    '.SH COMMANDS',
    ...commands,
    '.SH ENVIRONMENT',
    escaped('Options of serve can be given by the variable that stands in brackets after them; an option wins over its variable, that over the config file, that over the default.'),
    '.SH EXIT STATUS',
    ...entries([['0', 'all is well'], ['1', 'the surroundings failed: a port in use, a file that cannot be written; verify found differences'], ['2', 'what was asked for is wrong: an option, a scenario']]),
    '.SH EXAMPLES',
    ...entries([
      ['mock-flink', 'plays the default scenario on port 8081'],
      ['mock-flink serve --scenario hot-key --flink-version 2.3 --port 8082', 'plays another one, as Flink 2.3'],
      ['mock-flink simulate incident-2020-04-09 --for 5h20m --format csv --out incident.csv', 'writes a time series without a server'],
      ['source <(mock-flink completion bash)', 'completes commands, options, scenarios and versions from now on'],
    ]),
  ].join('\n')}\n`;
}
