import { subjectOf } from '../../events/envelope.ts';
import { nameOfAgent } from '../../workflow/project/agent.ts';
import type { Cli } from '../cli.ts';
import type { NoteOptions } from '../commands/task/note.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { withProject } from '../project/with-project.ts';
import { taskMeant } from './task-meant.ts';

/** Leaves a remark in the history of a task. */
export async function taskNote(cli: Cli, text: string, { sprint, task }: NoteOptions): Promise<void> {
  await withProject(cli, async (project) => {
    const { stream, taskId, agent } = await taskMeant(cli, project, { task, sprint });
    const run = agent.runId === undefined ? {} : { runId: agent.runId };
    const data = { by: nameOfAgent(agent), text, ...run };
    await project.record(stream, [{ type: 'task.noted', subject: subjectOf(stream, taskId), data }]);
    cli.print(`noted at ${oneLine(taskId)} of ${stream}`);
  });
}
