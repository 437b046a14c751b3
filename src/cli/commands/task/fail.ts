import type { Command } from 'commander';
import { failTask } from '../../../workflow/task/fail-task.ts';
import type { Cli } from '../../cli.ts';
import { checkText } from '../../input/read-text.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { withProject } from '../../project/with-project.ts';
import { taskMeant } from '../../task/task-meant.ts';

type FailOptions = { readonly sprint?: string; readonly reason: string };

/** `clifford task fail`: the task cannot be done, in the name of the agent whose task it is, or of a person. */
export function addFail(task: Command, cli: Cli): void {
  task
    .command('fail')
    .summary('mark a task as failed')
    .description('Fails a task at once, whatever attempts are left. clifford retry does it again.')
    .argument('[task]', "id of the task (default: the agent's own)")
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .requiredOption('--reason <text>', 'why, for the human', checkText)
    .addHelpText('after', '\nExample:\n  clifford task fail --reason "The API that it needs is not there"')
    .action((name: string | undefined, { sprint, reason }: FailOptions) =>
      withProject(cli, async (project) => {
        const { stream, taskId, agent } = await taskMeant(cli, project, { task: name, sprint });
        await failTask(project, { stream, taskId, agent, reason });
        cli.print(`failed ${visibleLine(taskId)} of ${stream}`);
      }),
    );
}
