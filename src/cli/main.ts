import { setImmediate as nextTurn } from 'node:timers/promises';
import { CliffordError } from '../errors.ts';
import { createCli, type CliPlace } from './cli.ts';
import { describeFailure } from './describe-failure.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createProgram, nameOfCommand } from './program.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';

/**
 * Runs one command. The only place that prints errors and decides the exit code.
 *
 * @param argv - Without the interpreter and the script.
 * @param place - The process it runs in, or what stands for one.
 * @returns the exit code.
 */
export async function main(argv: readonly string[], place: CliPlace = process): Promise<ExitCode> {
  // A signal is the process's, and once is enough.
  if (place === process) stopBetweenTurns();
  const { cli, exitCode, outputError } = createCli(place);
  let command: string | undefined;
  try {
    if (argv.length === 2 && argv[0] === '--version' && ['-v', '--verbose'].includes(argv[1] ?? '')) {
      const { versionLines } = await import('./project/versions.ts');
      cli.print(versionLines(cli).join('\n'));
      return exitCodes.done;
    }
    const program = await createProgram(cli, argv);
    command = nameOfCommand(program, argv);
    await program.parseAsync(argv, { from: 'user' });
    // A write that failed is told of in a later turn.
    await nextTurn();
    const cause = outputError();
    if (!cause) return exitCode();
    const { lines, exitCode: failed } = describeFailure(unwritable(cause), { debug: false });
    for (const line of lines) cli.warn(line);
    // What the command itself says of how it went says more.
    return exitCode() === exitCodes.done ? failed : exitCode();
  } catch (error) {
    const failure = describeFailure(error, { debug: argv.includes('--debug'), command });
    for (const line of failure.lines) cli.warn(line);
    return failure.exitCode;
  }
}

function unwritable(cause: Error): CliffordError {
  return new CliffordError(`Cannot write the output to its end: ${cause.message}`, {
    code: 'OUTPUT_INACCESSIBLE',
    fix: 'Free disk space, or send the output somewhere else; what the command did is done',
    recovery: 'give-up',
    cause,
  });
}
