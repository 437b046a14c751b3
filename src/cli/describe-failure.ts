import { CommanderError } from 'commander';
import { CliffordError } from '../errors.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { oneLine } from '../lib/text/visible.ts';

/** What to say of a command that failed, and how to end. No lines: everything has been said. */
export type Failure = { readonly lines: readonly string[]; readonly exitCode: ExitCode };

/** An error for the person who typed `command`: what failed, and what to do. The stack on request only. */
export function describeFailure(
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
