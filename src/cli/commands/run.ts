import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { requireProjectRoot } from '../../workflow/project-root.ts';
import type { Cli } from '../cli.ts';
import { isInteractive } from '../is-interactive.ts';
import { endRun } from '../end-run.ts';

type Options = { agentCmd?: string; maxAttempts: number; wait: boolean; plain?: true };

/** `clifford run`: works through a sprint, with a screen where there is a terminal. */
export function addRun(program: Command, cli: Cli): void {
  program
    .command('run')
    .summary('work through a sprint')
    .description('Works through the tasks of a sprint with an agent, and takes up one that was interrupted.')
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .addOption(
      new Option(
        '--agent-cmd <command>',
        'what starts an agent; {prompt} is replaced, else the prompt goes to stdin',
      ).env('CLIFFORD_AGENT_CMD'),
    )
    .option('--max-attempts <n>', 'failed attempts that end a task', positiveInteger, 1)
    .option('--no-wait', 'end with 3 when only a human can go on, instead of waiting')
    .option('--plain', 'one line per event instead of the screen')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford run sprint-1 --agent-cmd "my-agent --print {prompt}"\n  clifford run --plain --no-wait --max-attempts 3 --agent-cmd ./agent.sh',
    )
    .action((sprint: string | undefined, options: Options) => run(cli, sprint, options));
}

async function run(
  cli: Cli,
  sprint: string | undefined,
  { agentCmd, maxAttempts, wait, plain }: Options,
): Promise<void> {
  const root = requireProjectRoot(cli);
  if (agentCmd === undefined) throw noAgent();
  const order = { root, sprint, agentCmd, maxAttempts, wait };
  if (plain || !isInteractive(cli)) {
    const { runPlain } = await import('../run-plain.ts');
    endRun(cli, await runPlain(cli, order));
  } else {
    const { runOnScreen } = await import('../run-on-screen.ts');
    endRun(cli, await runOnScreen(cli, order));
  }
}

function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number above 0.');
}

function noAgent(): CliffordError {
  return new CliffordError('Cannot run a sprint: no agent command was given', {
    code: 'AGENT_MISSING',
    fix: 'Give one with --agent-cmd, or set CLIFFORD_AGENT_CMD; to see a run without an agent: clifford demo',
    recovery: 'fix-input',
  });
}
