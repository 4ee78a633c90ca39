/** A failure that the user caused or can mend: its message goes to stderr, without a stack trace. */
export class CliError extends Error {
  constructor(
    message: string,
    /** 1 = the surroundings (a port in use, a file that cannot be written), 2 = what was asked for is wrong. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}
