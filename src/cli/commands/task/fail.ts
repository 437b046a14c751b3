import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';

export type FailOptions = { readonly sprint?: string; readonly reason: string };

/** `clifford task fail`: the task cannot be done. */
export function addFail(task: Command, cli: Cli): void {
  task
    .command('fail')
    .summary('a task cannot be done')
    .description('Fails a task at once, whatever attempts are left. clifford retry does it again.')
    .argument('[task]', "id of the task (default: the agent's own)")
    .option('--sprint <sprint>', 'id or folder name (default: the only unfinished one)')
    .requiredOption('--reason <text>', 'why, for the human')
    .addHelpText('after', '\nExample:\n  clifford task fail --reason "The API that it needs is not there"')
    .action(async (name: string | undefined, options: FailOptions) => {
      const { taskFail } = await import('../../task/task-fail.ts');
      await taskFail(cli, name, options);
    });
}
