import type { Command } from 'commander';
import { skipTask } from '../../workflow/sprint/control.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { endAndNote } from '../project/end-left-agents.ts';
import { tellRunWhenFinished } from '../project/tell-run.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';
import { checkText } from '../input/read-text.ts';

type Options = { sprint?: string; reason?: string; json?: true };

/** `clifford skip`: a task counts as done without being done. */
export function addSkip(program: Command, cli: Cli): void {
  program
    .command('skip')
    .summary('leave a task out')
    .description('Leaves a task out: it counts as done, and what depends on it may start.')
    .argument('<task>', 'id of the task')
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .option('--reason <text>', 'why, for the log', checkText)
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford skip task-2 --reason "Not needed any more"')
    .action((taskId: string, { sprint, reason, json }: Options) =>
      withProject(cli, async (project) => {
        requireHuman(cli, `skip ${taskId}`, project);
        const stream = await enterChosenSprint(project, sprint, { task: taskId });
        const left = await skipTask(project, { stream, taskId, by: cli.by, reason });
        tellDecided(cli, json, { done: 'skipped', sprint: stream, tasks: [taskId] }, () =>
          cli.print(`skipped ${taskId} of ${stream}`),
        );
        if (left !== undefined) cli.note(left);
        await endAndNote(cli, project, { stream, taskId, by: 'clifford skip' });
        tellRunWhenFinished(cli, project, stream);
      }),
    );
}
