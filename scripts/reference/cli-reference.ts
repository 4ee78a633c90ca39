import type { Command } from 'commander';

/** What `--help` prints, wide enough that no line is broken, with the texts around it. */
export function helpText(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100, getOutHasColors: () => false });
  command.outputHelp();
  return text.trimEnd();
}

/** docs/reference/cli.md: `--help` of everything. */
export function cliReference(program: Command): string {
  const sections = program.commands.map((command) => `## mock-flink ${command.name()}\n\n\`\`\`text\n${helpText(command)}\n\`\`\``);
  return `# Every command and option

What \`mock-flink --help\` and \`mock-flink <command> --help\` print; with examples and explanations: [the command line](../cli.md). The same is in the manual, \`man mock-flink\`.

\`\`\`text
${helpText(program)}
\`\`\`

${sections.join('\n\n')}
`;
}
