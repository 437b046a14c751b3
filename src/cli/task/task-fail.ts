import { failTask } from '../../workflow/task/fail-task.ts';
import type { Cli } from '../cli.ts';
import type { FailOptions } from '../commands/task/fail.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { withProject } from '../project/with-project.ts';
import { taskMeant } from './task-meant.ts';

/** Fails a task, in the name of the agent whose task it is, or of a person. */
export async function taskFail(
  cli: Cli,
  task: string | undefined,
  { sprint, reason }: FailOptions,
): Promise<void> {
  await withProject(cli, async (project) => {
    const { stream, taskId, agent } = await taskMeant(cli, project, { task, sprint });
    await failTask(project, { stream, taskId, agent, reason });
    cli.print(`failed ${oneLine(taskId)} of ${stream}`);
  });
}
