import { isAbsolute } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CliffordError } from '../errors.ts';
import { createCli, type Cli, type CliPlace } from './cli.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { isTerminal } from './input/is-interactive.ts';
import { screenFor, screenOptionsIn } from './input/screen-options.ts';
import { nameSprint, nameSprintOf } from './input/name-sprint.ts';
import { commandsCalled } from '../workflow/projects/commands-called.ts';
import { MistakesError } from '../workflow/config/mistakes-error.ts';
import { SprintUnclear } from '../workflow/sprint/sprint-unclear.ts';
import { TaskElsewhere } from '../workflow/task/task-elsewhere.ts';
import { createProgram, findCommand } from './program.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';
import { type Command, CommanderError } from 'commander';
import { usageErrorText } from './text/usage-error.ts';
import { visibleLine } from '../lib/text/visible.ts';
import { messageOf } from '../lib/message-of.ts';
import { codeOf, machineTrouble } from '../lib/system-error.ts';

/**
 * Runs one command. The only place that prints errors and decides the exit code.
 *
 * @param words - Without the interpreter and the script.
 * @param place - The process it runs in, or what stands for one.
 * @returns the exit code.
 */
export async function main(words: readonly string[], place: CliPlace = process): Promise<ExitCode> {
  // A signal is the process's, and once is enough.
  if (place === process) stopBetweenTurns();
  const { cli: inherited, exitCode, outputError, namesItself } = createCli(place);
  let [cli, argv] = [inherited, words];
  let typed: ReturnType<typeof findCommand> | undefined;
  try {
    if (argv.some((word) => word.startsWith('--project'))) {
      const { takeProjectOption } = await import('./input/project-option.ts');
      ({ argv, cli } = await takeProjectOption(argv, cli));
    }
    if (argv.some((word) => word.startsWith('--log'))) {
      const { takeLogOption } = await import('./input/log-option.ts');
      const choice = takeLogOption(argv, cli.env);
      argv = choice.argv;
      cli = { ...cli, env: choice.env };
    }
    if (argv.length === 2 && argv[0] === '--version' && ['-v', '--verbose'].includes(argv[1] ?? '')) {
      const { versionLines } = await import('./project/versions.ts');
      cli.printLines(versionLines(cli));
      return exitCodes.done;
    }
    const screen = screenOptionsIn(argv);
    const look = screen && (await screenFor(cli, screen));
    if (look) {
      const { openOverview, openOverviewOfAll } = await import('./overview/open-overview.ts');
      await (screen?.everywhere ? openOverviewOfAll(cli, look) : openOverview(cli, look));
    } else if (screen && (screen.plain || screen.everywhere || isTerminal(cli))) {
      const words = ['status', ...(screen.everywhere ? ['--everywhere'] : [])];
      const program = await createProgram(cli, words);
      typed = findCommand(program, words);
      await program.parseAsync(words, { from: 'user' });
    } else {
      const program = await createProgram(cli, argv);
      typed = findCommand(program, argv);
      refuseUnknownHelp(program, argv);
      await program.parseAsync(isOnlyJson(argv) ? [] : argv, { from: 'user' });
    }
    // A write that failed is told of in a later turn.
    await nextTurn();
    const cause = outputError();
    if (!cause) return exitCode();
    const { lines, exitCode: failed } = describeFailure(unwritable(cause), {
      debug: false,
      called: cli.called,
    });
    for (const line of lines) cli.warn(line);
    // What the command itself says of how it went says more.
    return exitCode() === exitCodes.done ? failed : exitCode();
  } catch (error) {
    const failure = describeFailure(asTyped(error, typed && { ...typed, argv }), {
      debug: argv.includes('--debug'),
      typed,
      called: cli.called,
    });
    for (const line of failure.lines) cli.warn(line);
    return failure.exitCode;
  } finally {
    if (namesItself()) await tellName(inherited);
  }
}

/** Says how Clifford is called here, to a person who was shown commands of it and cannot type them so: it is not on the `PATH`. */
async function tellName(cli: Cli): Promise<void> {
  if (!isTerminal(cli)) return;
  const { otherNameText } = await import('./project/typed-line.ts');
  const text = otherNameText(cli);
  if (text !== undefined) cli.hint(text);
}

/** No command whose result could be JSON. */
function isOnlyJson([only, ...others]: readonly string[]): boolean {
  return others.length === 0 && only === '--json';
}

/** The parser answers `help` of a command that is not there with the help of all of them. */
function refuseUnknownHelp({ commands }: Command, [first, second]: readonly string[]): void {
  if (first !== 'help' || second === undefined || second.startsWith('-')) return;
  if (commands.some((each) => each.name() === second)) return;
  throw new CommanderError(exitCodes.input, 'commander.unknownCommand', `unknown command '${second}'`);
}

/** The error with what to do as it is typed: other faces name a sprint in their own way. */
function asTyped(error: unknown, typed: Parameters<typeof nameSprint>[1] | undefined): unknown {
  if (error instanceof SprintUnclear && typed) return withFix(error, nameSprint(error, typed));
  if (error instanceof TaskElsewhere) return withFix(error, nameSprintOf(error.task, error.sprints));
  return error;
}

function withFix(error: CliffordError, fix: string = error.fix): CliffordError {
  const { message, code, recovery } = error;
  return new CliffordError(message, { code, fix, recovery, cause: error });
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

/** An error for the person who typed a command: what failed, and what to do. The stack on request only. */
function describeFailure(
  error: unknown,
  {
    debug,
    typed,
    called,
  }: { debug: boolean; typed?: ReturnType<typeof findCommand> | undefined; called: string },
): Failure {
  const stack = debug && error instanceof Error ? (error.stack ?? '').split('\n') : [];
  if (error instanceof CommanderError) return usageFailure(error, typed);
  if (error instanceof CliffordError) {
    const exitCode = error.recovery === 'fix-input' ? exitCodes.input : exitCodes.failed;
    const said = error instanceof MistakesError ? error.mistakes : [error.message];
    const lines = said.map((message) => `clifford: ${visibleLine(message)}`);
    return { lines: [...lines, `  ${visibleLine(commandsCalled(called, error.fix))}`, ...stack], exitCode };
  }
  const message = messageOf(error);
  const fix = systemFix(error);
  if (fix !== undefined)
    return {
      lines: [`clifford: Cannot go on: ${visibleLine(message)}`, `  ${visibleLine(fix)}`, ...stack],
      exitCode: exitCodes.failed,
    };
  return {
    lines: [
      `clifford: ${visibleLine(message)}`,
      debug
        ? '  This is a bug in Clifford: report it with the stack below'
        : '  This is a bug in Clifford: run the same command with --debug to see the stack, and report it with that',
      ...stack,
    ],
    exitCode: exitCodes.bug,
  };
}

/** What to do about what the system does not do or does not let this user do, whatever was about to do it. `undefined`: it is nothing of that. */
function systemFix(error: unknown): string | undefined {
  const trouble = machineTrouble(error);
  if (trouble !== undefined) return `Look at what this machine lacks (${trouble}), and run it again`;
  if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return undefined;
  if (!(error instanceof Error) || !('path' in error) || !isAbsolute(String(error.path))) return undefined;
  return `Let this user read and write ${String(error.path)}, and run it again`;
}

/** Commander throws for help and version, too; those it has printed itself. */
function usageFailure(error: CommanderError, typed: ReturnType<typeof findCommand> | undefined): Failure {
  const { code, exitCode } = error;
  if (exitCode === 0) return { lines: [], exitCode: exitCodes.done };
  if (code === 'commander.help') return { lines: [], exitCode: exitCodes.input };
  const what = code === 'commander.unknownCommand' ? 'commands' : 'options';
  return {
    lines: [
      `clifford: ${visibleLine(usageErrorText(error, typed))}`,
      `  See the ${what} with: ${typed?.name ?? 'clifford'} --help`,
    ],
    exitCode: exitCodes.input,
  };
}
