import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { addTask } from '../../../workflow/task/add-task.ts';
import { chooseSprintFolder } from '../../../workflow/sprint/choose-sprint.ts';
import { CliffordError } from '../../../errors.ts';
import type { Cli } from '../../cli.ts';
import { readText } from '../../input/read-text.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { withProject } from '../../project/with-project.ts';

type Options = { sprint?: string; file?: string; dependsOn?: string[] };

/** `clifford task add`: a task more in a manifest, and its file. */
export function addTaskAdd(task: Command, cli: Cli): void {
  task
    .command('add')
    .summary('add a task to a sprint')
    .description(
      'Adds a task to the manifest of a sprint, and writes its file. A run that is under way takes it up.',
    )
    .argument('<id>', 'what the task is called in the sprint')
    .argument('[text]', 'what the agent has to do; - reads stdin (default: the file is there already)')
    .option('--sprint <sprint>', 'id or folder name (default: the only unfinished one)')
    .option('--file <file>', "the task's file, from the sprint's folder (default: <id>.md)")
    .option('--depends-on <task...>', 'tasks that have to be done before it')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford task add form "Build the form"\n  clifford task add crypto - --depends-on form < crypto.md',
    )
    .action((id: string, text: string | undefined, options: Options) => add(cli, id, text, options));
}

async function add(cli: Cli, id: string, text: string | undefined, options: Options): Promise<void> {
  const { sprint, file = `${id.replaceAll(/[/\\]/g, '-')}.md`, dependsOn = [] } = options;
  const words = text === undefined ? undefined : await readText(cli, text);
  if (words?.trim() === '') throw nothingToDo(id);
  await withProject(cli, async (project) => {
    const folder = await chooseSprintFolder(project, sprint, { toDo: 'add to' });
    await addTask(project, folder, { id, file, text: words, dependsOn });
    const shown = visibleLine(relative(cli.cwd, join(folder.dir, file)));
    cli.print(`added task ${visibleLine(id)} to sprint ${folder.manifest.id}: ${shown}`);
  });
}

function nothingToDo(id: string): CliffordError {
  return new CliffordError(`Cannot add task ${id}: what is to be done is empty`, {
    code: 'TASK_INVALID',
    fix: 'Say it in words, or leave it out where the file is there already',
  });
}
