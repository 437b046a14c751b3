import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { collect } from '../input/collect.ts';

type Options = { dryRun?: true; drop?: readonly string[]; sprint?: string; json?: true };

/** `clifford clean`: worktrees that nobody needs any more. */
export function addClean(program: Command, cli: Cli): void {
  program
    .command('clean')
    .summary('remove worktrees of tasks')
    .description(
      'Removes the git worktrees of tasks that are merged or given up, with their branches, and says why the others stay.',
    )
    .option('--dry-run', 'say it and remove nothing')
    .option('--drop <task>', 'give up what a task has changed and is not merged (repeatable)', collect)
    .option('--sprint <sprint>', 'id or folder name (default: all of them)')
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford clean --dry-run\n  clifford clean --drop task-2 --sprint sprint-1',
    )
    .action(async (options: Options) => (await import('../worktree/clean.ts')).clean(cli, options));
}
