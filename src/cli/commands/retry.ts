import type { Command } from 'commander';
import { retryTasks } from '../../workflow/sprint/control.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { tellRun } from '../project/tell-run.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';
import { checkText } from '../input/read-text.ts';

type Options = { sprint?: string; reason?: string; json?: true };

/** `clifford retry`: done tasks become pending again. */
export function addRetry(program: Command, cli: Cli): void {
  program
    .command('retry')
    .summary('retry failed tasks')
    .description('Makes a failed, skipped or cancelled task pending again; without a task all that failed.')
    .argument('[task]', 'id of the task (default: every task that failed)')
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .option('--reason <text>', 'why, for the log', checkText)
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford retry task-2 --reason "The tests are fixed"')
    .action((taskId: string | undefined, { sprint, reason, json }: Options) =>
      withProject(cli, async (project) => {
        requireHuman(cli, taskId === undefined ? 'retry tasks' : `retry ${taskId}`, project);
        const stream = await enterChosenSprint(project, sprint, { task: taskId });
        const what = { taskId, reason };
        const ids = await retryTasks(project, { stream, by: cli.by, ...what });
        tellDecided(cli, json, { done: 'retried', sprint: stream, tasks: ids }, () =>
          cli.print(`pending again in ${stream}: ${ids.join(', ')}`),
        );
        tellRun(cli, project, stream);
      }),
    );
}
