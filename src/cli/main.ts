import { setImmediate as nextTurn } from 'node:timers/promises';
import { CliffordError } from '../errors.ts';
import { createCli, type CliPlace } from './cli.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createProgram, nameOfCommand } from './program.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';
import { CommanderError } from 'commander';
import { oneLine } from '../lib/text/visible.ts';

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

/** What to say of a command that failed, and how to end. No lines: everything has been said. */
type Failure = { readonly lines: readonly string[]; readonly exitCode: ExitCode };

/** An error for the person who typed `command`: what failed, and what to do. The stack on request only. */
function describeFailure(
  error: unknown,
  { debug, command = 'clifford' }: { debug: boolean; command?: string | undefined },
): Failure {
  const stack = debug && error instanceof Error ? (error.stack ?? '').split('\n') : [];
  if (error instanceof CommanderError) return usageFailure(error, command);
  if (error instanceof CliffordError) {
    const exitCode = error.recovery === 'fix-input' ? exitCodes.input : exitCodes.failed;
    return { lines: [`clifford: ${oneLine(error.message)}`, `  ${oneLine(error.fix)}`, ...stack], exitCode };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    lines: [
      `clifford: ${oneLine(message)}`,
      debug
        ? '  This is a bug in Clifford: report it with the stack below'
        : '  This is a bug in Clifford: run the same command with --debug to see the stack, and report it with that',
      ...stack,
    ],
    exitCode: exitCodes.bug,
  };
}

/** Commander throws for help and version, too; those it has printed itself. */
function usageFailure({ code, exitCode, message }: CommanderError, command: string): Failure {
  if (exitCode === 0) return { lines: [], exitCode: exitCodes.done };
  if (code === 'commander.help') return { lines: [], exitCode: exitCodes.input };
  return {
    lines: [
      `clifford: ${oneLine(message.replace(/^error: /, ''))}`,
      `  See the options with: ${command} --help`,
    ],
    exitCode: exitCodes.input,
  };
}
