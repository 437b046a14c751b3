import { createCli } from './cli.ts';
import { describeFailure } from './describe-failure.ts';
import type { ExitCode } from './exit-codes.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command. The only place that prints errors and decides the exit code.
 *
 * @param argv - Without the interpreter and the script.
 * @returns the exit code.
 */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const { cli, exitCode } = createCli(process);
  try {
    const program = await createProgram(cli, argv);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode();
  } catch (error) {
    const failure = describeFailure(error, { debug: argv.includes('--debug') });
    for (const line of failure.lines) cli.warn(line);
    return failure.exitCode;
  }
}
