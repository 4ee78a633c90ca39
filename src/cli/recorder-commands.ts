import { Option, type Command } from 'commander';
import type { RecordFlags } from './record.js';
import type { VerifyFlags } from './verify.js';

/** Readers of option values that all commands share. */
export interface OptionReaders {
  readonly duration: (text: string) => number;
  readonly choice: (flags: string, description: string, allowed: readonly string[], fallback: string) => Option;
}

const repeated = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

function withConnection(command: Command): Command {
  return command
    .argument('<url>', "address of a real cluster's REST API, such as http://flink:8081")
    .option('--token <token>', 'sent as `Authorization: Bearer …`; better given by the variable, which other users do not see [MOCK_FLINK_TOKEN]')
    .option('--header <header>', "sent with each request, such as 'X-Api-Key: abc'; may be repeated", repeated);
}

/** `record` and `verify`: the commands that ask a real cluster. */
export function addRecorderCommands(program: Command, { duration, choice }: OptionReaders): void {
  withConnection(program.command('record'))
    .description('watch a real cluster, through its REST API alone, and write a scenario that behaves as it does')
    .option('-o, --output <file>', 'where to write the scenario; stdout when left out')
    .addOption(new Option('--for <duration>', 'how long to watch; Ctrl-C ends it earlier').argParser(duration).default(120_000, '2 min'))
    .addOption(new Option('--every <duration>', 'time between looks').argParser(duration).default(5_000, '5 s'))
    .option('--job <name|id>', 'record this job only; every running one when left out')
    .option('--force', 'write over a file that is there')
    .option('--keep-traffic <file>', 'also keep every answer with its time, gzipped')
    .action(async (url: string, flags: RecordFlags) => {
      const { recordCommand } = await import('./record.js');
      await recordCommand(url, flags);
    });
  withConnection(program.command('verify'))
    .description("ask a real cluster every GET of its version and say where mock-flink's answers differ in shape; exit code 0 alike, 1 different, 2 not found out")
    .option('--scenario <file>', 'scenario of that cluster; recorded first when left out')
    .option('--flink-version <version>', "compare with this version instead of the cluster's own, or the nearest that is known")
    .addOption(new Option('--for <duration>', 'how long to watch the cluster when no scenario is given').argParser(duration).default(30_000, '30 s'))
    .addOption(choice('--format <format>', 'form of the report', ['text', 'json'], 'text'))
    .action(async (url: string, flags: VerifyFlags) => {
      const { verifyCommand } = await import('./verify.js');
      await verifyCommand(url, flags);
    });
}
