import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';

export type NoteOptions = { readonly sprint?: string; readonly task?: string };

/** `clifford task note`: a remark in the history of a task. */
export function addNote(task: Command, cli: Cli): void {
  task
    .command('note')
    .summary('leave a remark in the history of a task')
    .description('Leaves a remark in the history of a task. Nothing waits for it.')
    .argument('<text>', 'the remark')
    .option('--task <task>', "id of the task (default: the agent's own)")
    .option('--sprint <sprint>', 'id or folder name (default: the only unfinished one)')
    .addHelpText('after', '\nExample:\n  clifford task note "The tests need a database: started one"')
    .action(async (text: string, options: NoteOptions) => {
      const { taskNote } = await import('../../task/task-note.ts');
      await taskNote(cli, text, options);
    });
}
