import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addDone } from './task/done.ts';
import { addFail } from './task/fail.ts';
import { addNote } from './task/note.ts';

/** `clifford task`: what a person, or an agent without MCP, says of a task. Its work is loaded when it is done. */
export function addTask(program: Command, cli: Cli): void {
  const task = program
    .command('task')
    .summary('say that a task is done, or cannot be')
    .description(
      'Says something of a task: by hand, or as an agent that has no MCP. An agent speaks of its own task only, and ' +
        'need not name it.',
    )
    .addHelpText(
      'after',
      '\nExample, at the end of an agent without MCP:\n  clifford task done --summary "The form is there"',
    );
  addDone(task, cli);
  addFail(task, cli);
  addNote(task, cli);
}
