import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { cancelSprint, cancelTask } from '../../workflow/sprint/control.ts';
import type { Project } from '../../workflow/project/project.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { endAndNote } from '../project/end-left-agents.ts';
import { tellRunWhenFinished } from '../project/tell-run.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import { checkText } from '../input/read-text.ts';

type Options = { sprint?: string; reason?: string; json?: true };

/** `clifford cancel`: the end of a task, or of a whole sprint. */
export function addCancel(program: Command, cli: Cli): void {
  program
    .command('cancel')
    .summary('end a task, or a whole sprint')
    .description(
      'Ends a task for good; without a task the whole sprint, with its agents and open questions. A sprint that is not named is asked about first.',
    )
    .argument('[task]', 'id of the task (default: the whole sprint)')
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .option('--reason <text>', 'why, for the log', checkText)
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExamples:\n  clifford cancel task-2\n  clifford cancel --sprint sprint-1')
    .action((taskId: string | undefined, { sprint, reason, json }: Options) =>
      withProject(cli, async (project) => {
        requireHuman(cli, taskId === undefined ? 'cancel a sprint' : `cancel ${taskId}`, project);
        const stream = await enterChosenSprint(project, sprint, { task: taskId });
        if (taskId === undefined && sprint === undefined) await confirm(cli, project, stream);
        const decision = { stream, by: cli.by, reason };
        const left = await (taskId === undefined
          ? cancelSprint(project, decision)
          : cancelTask(project, { ...decision, taskId }));
        const tasks = taskId === undefined ? [] : [taskId];
        tellDecided(cli, json, { done: 'cancelled', sprint: stream, tasks }, () =>
          cli.print(taskId === undefined ? `cancelled sprint ${stream}` : `cancelled ${taskId} of ${stream}`),
        );
        if (left !== undefined) cli.note(left);
        await endAndNote(cli, project, { stream, taskId, by: 'clifford cancel' });
        tellRunWhenFinished(cli, project, stream);
      }),
    );
}

/** The id of a task is easily forgotten, and a sprint that is cancelled is over. @throws {CliffordError} `NOT_CANCELLED`. */
async function confirm(cli: Cli, { state }: Project, stream: string): Promise<void> {
  const name = `sprint ${visibleLine(stream)}`;
  const { size = 0 } = state.streams.get(stream)?.tasks ?? {};
  const asked = `Cancel all of ${name}, ${count(size, 'task')}, for good?`;
  if (canAsk(cli) && (await yesOrNo(cli, asked)) === 'yes') return;
  throw new CliffordError(`Nothing is cancelled: all of ${name} would have been`, {
    code: 'NOT_CANCELLED',
    fix: `Name the task, or the sprint: clifford cancel --sprint ${visibleLine(stream)}`,
  });
}
