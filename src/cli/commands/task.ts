import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addTaskAdd } from './task/add.ts';
import { addChanges } from './task/changes.ts';
import { addDone } from './task/done.ts';
import { addFail } from './task/fail.ts';
import { addNote } from './task/note.ts';

/** `clifford task`: adds tasks, and says what became of them. Its work is loaded when it is done. */
export function addTask(program: Command, cli: Cli): void {
  const task = program
    .command('task')
    .summary('add a task, or say what became of one')
    .description(
      'Adds a task to a sprint, shows what one changed, or says what became of it: by hand, or as an agent that has no MCP. ' +
        'An agent can say that of its own task only, and need not name it.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  clifford task add form "Build the form"\n  clifford task changes form --patch\n  clifford task done --summary "The form is there"',
    );
  addTaskAdd(task, cli);
  addChanges(task, cli);
  addDone(task, cli);
  addFail(task, cli);
  addNote(task, cli);
}
