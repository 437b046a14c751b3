import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { checkText } from '../../input/read-text.ts';

export type DoneOptions = { readonly sprint?: string; readonly summary?: string };

/** `clifford task done`: the task is completed, once its commands agree. */
export function addDone(task: Command, cli: Cli): void {
  task
    .command('done')
    .summary('mark a task as done')
    .description(
      'Marks a task as done, once the commands that verify it agree: they run here, and the first that fails ends it with 1.',
    )
    .argument('[task]', "id of the task (default: the agent's own)")
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .option('--summary <text>', 'what was done, for who reads the sprint later', checkText)
    .addHelpText(
      'after',
      '\nExamples:\n  clifford task done\n  clifford task done --summary "The form checks its fields"',
    )
    .action(async (name: string | undefined, options: DoneOptions) => {
      const { taskDone } = await import('../../task/task-done.ts');
      await taskDone(cli, name, options);
    });
}
