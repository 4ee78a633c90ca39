import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { nearestName } from '../scenario/nearest-name.js';
import { ScenarioError } from '../scenario/scenario-error.js';
import { parseDurationMs } from '../scenario/units.js';
import { CliError } from './cli-error.js';
import { completionScript, SHELLS, type Shell } from './completion.js';
import { FLEET_OPTIONS, type FleetFlags } from './fleet-options.js';
import type { HealthFlags } from './health.js';
import { listScenarios } from './list-scenarios.js';
import { resolveServeOptions, type FlagValues } from './option-sources.js';
import { addRecorderCommands } from './recorder-commands.js';
import { environmentName, SERVE_OPTIONS, type OptionDefinition } from './serve-options.js';
import type { SimulateFlags } from './simulate.js';
import { validate } from './validate.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

function duration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === null || ms <= 0) throw new InvalidArgumentError('Allowed: a duration such as 5h20m, 10 min or 30s.');
  return ms;
}

function oneOf(...allowed: readonly string[]) {
  return (text: string): string => {
    if (allowed.includes(text)) return text;
    const near = nearestName(text, allowed);
    throw new InvalidArgumentError(`Allowed: ${allowed.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`);
  };
}

/** An option that takes one of some words; a wrong one is told the nearest. */
function choice(flags: string, description: string, allowed: readonly string[], fallback: string): Option {
  const option = new Option(flags, description).argParser(oneOf(...allowed)).default(fallback);
  option.argChoices = [...allowed];
  return option;
}

/** An option that is given by its variable, too. */
function optionOf({ key, flag, argument, help, fallback, choices }: OptionDefinition): Option {
  const shown = fallback === null || typeof fallback === 'object' || fallback === '' ? '' : ` (default: ${String(fallback)})`;
  const option = new Option(`${flag} ${argument}`, `${help}${shown} [${environmentName(key)}]`);
  if (key === 'config') option.argParser((value: string, all: string[] | undefined) => [...(all ?? []), value]);
  if (choices) option.argChoices = [...choices];
  return option;
}

/** All commands with their options; the help, the manual and the completions are made from it. */
export function createProgram(): Command {
  const program = new Command('mock-flink')
    .description("A simulated Apache Flink cluster behind Flink's own REST API.")
    .version(version)
    .exitOverride()
    .showHelpAfterError('(mock-flink --help, or mock-flink <command> --help, lists what there is)')
    .addHelpText('after', '\nWithout a command it serves; `mock-flink serve --help` lists the options of that.\n\nExamples:\n  mock-flink\n  mock-flink serve --scenario hot-key --flink-version 2.3 --port 8082\n  mock-flink simulate incident-2020-04-09 --for 5h20m --format csv --out incident.csv\n');

  const serveCommand = program.command('serve', { isDefault: true }).description('start a cluster and its REST API (the default)');
  for (const definition of SERVE_OPTIONS) serveCommand.addOption(optionOf(definition));
  serveCommand
    .option('--no-control', 'the same as --control off')
    .option('--config-file <file>', 'YAML file with any of these options, such as mock-flink.yaml [MOCK_FLINK_CONFIG_FILE]')
    .addHelpText('after', '\nAn option wins over its environment variable, that over the config file, that over the default.')
    .action(async ({ control, ...flags }: Omit<FlagValues, 'control'> & { configFile?: string; control?: string | boolean }) => {
      const { serve } = await import('./serve.js');
      // Commander has true for an option with a `--no-` form that was not given.
      const given = control === true || control === undefined ? {} : { control: control === false ? 'off' : control };
      await serve(resolveServeOptions({ ...(flags as FlagValues), ...given }, process.env, flags.configFile));
    });

  program
    .command('scenarios')
    .description('list the scenarios that ship, one line each')
    .action(() => void process.stdout.write(listScenarios()));

  program
    .command('validate')
    .description('check scenario files; exit code 2 when one is wrong')
    .argument('<scenario...>', 'names of scenarios that ship, or YAML files')
    .action((files: string[]) => {
      process.exitCode = validate(files, (line) => process.stdout.write(`${line}\n`), (line) => process.stderr.write(`${line}\n`));
    });

  program
    .command('simulate')
    .description('run a scenario in virtual time, as fast as it goes, and write a time series')
    .argument('<scenario>', 'name of a scenario that ships, or a YAML file')
    .requiredOption('--for <duration>', 'how long, from the start of the scenario: 5h20m (has to be given)', duration)
    .addOption(new Option('--every <duration>', 'time between samples').argParser(duration).default(10_000, '10 s'))
    .addOption(choice('--format <format>', 'form of the output: json, csv; all metrics as openmetrics (for promtool tsdb create-blocks-from), influx (for influx -import) or promtool (input series of promtool test rules)', ['json', 'csv', 'openmetrics', 'influx', 'promtool'], 'json'))
    .option('--metrics <regexp>', 'which metrics, by their names in Prometheus; for openmetrics, influx and promtool')
    .option('--until-now', 'move the time so that it ends now; for openmetrics, influx and promtool')
    .option('--out <file>', 'where to write it; stdout when left out')
    .option('--flink-version <version>', 'Flink version to be')
    .option('--seed <n>', 'seed of everything random')
    .action(async (scenario: string, flags: SimulateFlags) => {
      const { simulate } = await import('./simulate.js');
      await simulate(scenario, flags);
    });

  const fleetCommand = program.command('fleet').description('start many clusters behind one port, as a YAML file lists them').argument('<file>', 'fleet file, see docs/fleet.md');
  for (const definition of FLEET_OPTIONS) fleetCommand.addOption(optionOf(definition));
  fleetCommand
    .option('--since <ISO>', 'instant of the wall at which the clusters opened; processes that are told the same one show the same time (default: now)')
    .option('--check', 'check the file and the scenarios that it names, and do nothing else; exit code 2 when something is wrong')
    .action(async (file: string, flags: FleetFlags) => {
      const { fleet } = await import('./fleet.js');
      await fleet(file, flags);
    });

  program
    .command('health')
    .description('ask a running server whether it is up; exit code 0 when it is, 1 when not. Reads the same variables and config file as serve')
    .option('--host <host>', 'where it listens [MOCK_FLINK_HOST]')
    .option('--port <port>', 'its port [MOCK_FLINK_PORT]')
    .option('--control-port <port>', "its control API's own port [MOCK_FLINK_CONTROL_PORT]")
    .option('--config-file <file>', 'its config file [MOCK_FLINK_CONFIG_FILE]')
    .addOption(new Option('--timeout <duration>', 'how long to wait').argParser(duration).default(3_000, '3 s'))
    .action(async (flags: HealthFlags) => {
      const { health } = await import('./health.js');
      await health(flags);
    });

  addRecorderCommands(program, { duration, choice });

  program
    .command('completion')
    .description('print a script that completes commands, options, scenarios and versions in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', '\nFor this shell:\n  source <(mock-flink completion bash)\n  source <(mock-flink completion zsh)\n  mock-flink completion fish | source')
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
  return program;
}

/** A word that is no command would be taken for an argument of the default one: say what was meant instead. */
function checkCommand(program: Command, args: readonly string[]): void {
  const word = args[0];
  if (word === undefined || word.startsWith('-')) return;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (names.includes(word)) return;
  const near = nearestName(word, names);
  throw new CliError(`unknown command ${JSON.stringify(word)}; ${near ? `did you mean \`${near}\`? ` : ''}allowed: ${names.join(', ')}`);
}

/** Runs the command line: `args` without node and script. Sets the exit code; messages go to stderr. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', endQuietly);
  const program = createProgram();
  for (const command of program.commands) command.exitOverride();
  try {
    checkCommand(program, args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message; asking for help or the version is no failure.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof CliError || error instanceof ScenarioError) {
      process.stderr.write(`mock-flink: ${error.message}\n`);
      process.exitCode = error instanceof CliError ? error.exitCode : 2;
    } else {
      throw error;
    }
  }
}

/** The reader of a pipe went away (`mock-flink simulate … | head`). */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
