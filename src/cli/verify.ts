import { loadScenario } from '../scenario/load-scenario.js';
import { FLINK_MINORS, parseFlinkVersion } from '../versions/flink-versions.js';
import { isAlike, jsonReport, textReport } from '../verify/report.js';
import { verify } from '../verify/verify.js';
import { CliError } from './cli-error.js';
import { connect, untilStopped, type ConnectionFlags } from './record.js';

export interface VerifyFlags extends ConnectionFlags {
  readonly scenario?: string;
  readonly flinkVersion?: string;
  readonly for: number;
  readonly format: string;
}

/** What went wrong on the way is no verdict. */
const NO_VERDICT = 2;

/** `mock-flink verify`: exit code 0 alike, 1 different, 2 when that could not be found out. */
export async function verifyCommand(address: string, flags: VerifyFlags): Promise<void> {
  const client = connect(address, flags);
  const version = flags.flinkVersion === undefined ? null : parseFlinkVersion(flags.flinkVersion);
  if (flags.flinkVersion !== undefined && version === null) throw new CliError(`option --flink-version: found ${JSON.stringify(flags.flinkVersion)}; allowed: ${FLINK_MINORS.join(', ')}, or a full version such as 1.20.5`);
  if (flags.scenario !== undefined) loadScenario(flags.scenario);
  try {
    const verification = await untilStopped((signal) => verify(client, { scenario: flags.scenario ?? null, version, watchMs: flags.for, signal }));
    process.stdout.write(flags.format === 'json' ? jsonReport(verification) : textReport(verification));
    process.exitCode = isAlike(verification) ? 0 : 1;
  } catch (error) {
    throw error instanceof CliError ? new CliError(error.message, NO_VERDICT) : error;
  }
}
