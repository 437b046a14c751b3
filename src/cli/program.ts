import { Command } from 'commander';
import { version } from '../version.ts';
import type { Cli } from './cli.ts';

/** Adds one command, with its options, help and action. `wholeProgram` makes the program with all of them. */
type AddCommand = (program: Command, cli: Cli, wholeProgram: () => Promise<Command>) => void;

/** In the order of the help text. Each is loaded when it is named, all of them for the help only. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import('./commands/init.ts')).addInit,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  run: async () => (await import('./commands/run.ts')).addRun,
  attach: async () => (await import('./commands/attach.ts')).addAttach,
  status: async () => (await import('./commands/status.ts')).addStatus,
  questions: async () => (await import('./commands/questions.ts')).addQuestions,
  answer: async () => (await import('./commands/answer.ts')).addAnswer,
  approve: async () => (await import('./commands/approve.ts')).addApprove,
  deny: async () => (await import('./commands/deny.ts')).addDeny,
  dismiss: async () => (await import('./commands/dismiss.ts')).addDismiss,
  task: async () => (await import('./commands/task.ts')).addTask,
  pause: async () => (await import('./commands/pause.ts')).addPause,
  resume: async () => (await import('./commands/resume.ts')).addResume,
  retry: async () => (await import('./commands/retry.ts')).addRetry,
  skip: async () => (await import('./commands/skip.ts')).addSkip,
  cancel: async () => (await import('./commands/cancel.ts')).addCancel,
  replay: async () => (await import('./commands/replay.ts')).addReplay,
  export: async () => (await import('./commands/export.ts')).addExport,
  config: async () => (await import('./commands/config.ts')).addConfig,
  diagram: async () => (await import('./commands/diagram.ts')).addDiagram,
  ask: async () => (await import('./commands/ask.ts')).addAsk,
  sprint: async () => (await import('./commands/sprint.ts')).addSprint,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  completion: async () => (await import('./commands/completion.ts')).addCompletion,
};

/** The program with the command that `argv` names; with all of them when it names none. */
export async function createProgram(cli: Cli, argv: readonly string[]): Promise<Command> {
  const program = new Command('clifford')
    .description('Runs sprints of AI coding agents with a human in the loop, and records everything.')
    .version(version)
    .option('-v, --verbose', 'with --version: also of what it runs on')
    .option('--debug', 'show the stack of an error')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.print(text.replace(/\n$/, '')),
      writeErr: (text) => cli.warn(text.replace(/\n$/, '')),
      outputError: () => {},
    })
    .showHelpAfterError(false)
    .addHelpText('after', '\nExample:\n  clifford demo');
  const named = argv.find((arg) => !arg.startsWith('-'));
  const only = named === undefined || !Object.hasOwn(commands, named) ? undefined : commands[named];
  for (const load of only ? [only] : Object.values(commands))
    (await load())(program, cli, () => createProgram(cli, []));
  return program;
}

/** The command that `argv` names, with its name as it is typed. */
export function findCommand(program: Command, argv: readonly string[]): { command: Command; name: string } {
  const names = [program.name()];
  let command = program;
  for (const word of argv.filter((arg) => !arg.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    names.push(word);
    command = next;
  }
  return { command, name: names.join(' ') };
}
