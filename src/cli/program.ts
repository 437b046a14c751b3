import { Command } from 'commander';
import { documentation } from '../package-file.ts';
import { version } from '../version.ts';
import type { Cli } from './cli.ts';

/** Adds one command, with its options, help and action. `wholeProgram` makes the program with all of them. */
type AddCommand = (program: Command, cli: Cli, wholeProgram: () => Promise<Command>) => void;

/** By the headings of the help text, in its order. Each is loaded when it is named, all of them for the help only. */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  'Start:': {
    init: async () => (await import('./commands/init.ts')).addInit,
    doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
    demo: async () => (await import('./commands/demo.ts')).addDemo,
  },
  'Sprints and their tasks:': {
    sprint: async () => (await import('./commands/sprint.ts')).addSprint,
    task: async () => (await import('./commands/task.ts')).addTask,
    run: async () => (await import('./commands/run.ts')).addRun,
    queue: async () => (await import('./commands/queue.ts')).addQueue,
    worker: async () => (await import('./commands/worker.ts')).addWorker,
    serve: async () => (await import('./commands/serve.ts')).addServe,
    attach: async () => (await import('./commands/attach.ts')).addAttach,
    status: async () => (await import('./commands/status.ts')).addStatus,
    stop: async () => (await import('./commands/stop.ts')).addStop,
    pause: async () => (await import('./commands/pause.ts')).addPause,
    resume: async () => (await import('./commands/resume.ts')).addResume,
    retry: async () => (await import('./commands/retry.ts')).addRetry,
    skip: async () => (await import('./commands/skip.ts')).addSkip,
    note: async () => (await import('./commands/note.ts')).addNoteToAgent,
    cancel: async () => (await import('./commands/cancel.ts')).addCancel,
    clean: async () => (await import('./commands/clean.ts')).addClean,
  },
  'Questions, and tool calls that wait:': {
    questions: async () => (await import('./commands/questions.ts')).addQuestions,
    answer: async () => (await import('./commands/answer.ts')).addAnswer,
    approve: async () => (await import('./commands/approve.ts')).addApprove,
    deny: async () => (await import('./commands/deny.ts')).addDeny,
    explain: async () => (await import('./commands/explain.ts')).addExplain,
    dismiss: async () => (await import('./commands/dismiss.ts')).addDismiss,
    ask: async () => (await import('./commands/ask.ts')).addAsk,
  },
  'What happened:': {
    replay: async () => (await import('./commands/replay.ts')).addReplay,
    report: async () => (await import('./commands/report.ts')).addReport,
    export: async () => (await import('./commands/export.ts')).addExport,
    log: async () => (await import('./commands/log.ts')).addLog,
    diagram: async () => (await import('./commands/diagram.ts')).addDiagram,
  },
  'Set up:': {
    projects: async () => (await import('./commands/projects.ts')).addProjects,
    config: async () => (await import('./commands/config.ts')).addConfig,
    mcp: async () => (await import('./commands/mcp.ts')).addMcp,
    acp: async () => (await import('./commands/acp.ts')).addAcp,
    policy: async () => (await import('./commands/policy.ts')).addPolicy,
    notify: async () => (await import('./commands/notify.ts')).addNotify,
    completion: async () => (await import('./commands/completion.ts')).addCompletion,
  },
};

/** What there is without a command. */
const alone = `Without a command, on a terminal: all sprints, and what waits for you.
  --everywhere       of all your projects (clifford projects)
  --plain            print where they stand instead
  --theme <theme>    colours: auto, dark, light, none
  --mouse            clicks pick, the wheel scrolls`;

/** What someone types who sees Clifford for the first time. */
const firstSteps = `Examples, the first steps:
  clifford demo
  clifford init
  clifford run`;

/** A command in a list of them, with its arguments. That it has options goes without saying. */
function subcommandTerm(command: Command): string {
  const usage = command.usage().replace('[options]', '');
  const taken = (command.commands.length > 0 ? usage.replace('[command]', '') : usage).trim();
  return `${command.name()} ${taken}`.trimEnd();
}

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
    .configureHelp({ subcommandTerm })
    .addHelpText('after', `\n${alone}\n\n${firstSteps}\n\nFull documentation: ${documentation('cli')}`);
  const named = argv.find((arg) => !arg.startsWith('-')) ?? '';
  // Taken out of what was typed before: here it is for the help. `policy` has one of its own.
  if (!['policy', 'doctor'].includes(named))
    program.option('--log <url>', 'where the log is, if on a server (any command)');
  program.option('--project <name>', 'another project of your list (any command)');
  const isKnown = Object.values(groups).some((group) => Object.hasOwn(group, named));
  for (const [heading, group] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(group))
      if (!isKnown || name === named) (await load())(program, cli, () => createProgram(cli, []));
  }
  return program.helpCommand(true);
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
