import { relative } from 'node:path';
import type { Command } from 'commander';
import { createSprint } from '../../workflow/sprint/create-sprint.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';

/** `clifford sprint`: what is done to sprints as a whole. */
export function addSprint(program: Command, cli: Cli): void {
  const sprint = program
    .command('sprint')
    .summary('make sprints')
    .description('Makes sprints. A sprint is a folder with a manifest and a file per task.')
    .addHelpText('after', '\nExample:\n  clifford sprint new login --name "Log in"');
  sprint
    .command('new')
    .summary('make a sprint without tasks')
    .description('Makes sprints/<id> with a manifest that has no tasks yet.')
    .argument('<id>', 'letters, digits, _ or -')
    .option('--name <name>', 'what it is called (default: its id)')
    .addHelpText(
      'after',
      '\nExample:\n  clifford sprint new login --name "Log in"\n  clifford task add form "Build the form" --sprint login',
    )
    .action(async (id: string, { name = id }: { name?: string }) => {
      const root = requireProjectRoot(cli);
      const path = await createSprint(root, { id, name });
      cli.print(`made ${relative(cli.cwd, path)}`);
      cli.hint(`next: clifford task add <id> "what is to be done" --sprint ${id}`);
    });
}
