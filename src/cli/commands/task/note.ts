import type { Command } from 'commander';
import { subjectOf } from '../../../events/envelope.ts';
import { nameOfAgent } from '../../../workflow/project/agent.ts';
import type { Cli } from '../../cli.ts';
import { checkText } from '../../input/read-text.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { withProject } from '../../project/with-project.ts';
import { taskMeant } from '../../task/task-meant.ts';
import { tellNotes } from '../../task/tell-notes.ts';

type NoteOptions = { readonly sprint?: string; readonly task?: string };

/** `clifford task note`: a remark in the history of a task. */
export function addNote(task: Command, cli: Cli): void {
  task
    .command('note')
    .summary('leave a remark in the history of a task')
    .description('Leaves a remark in the history of a task. Nothing waits for it.')
    .argument('<text>', 'the remark', checkText)
    .option('--task <task>', "id of the task (default: the agent's own)")
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .addHelpText('after', '\nExample:\n  clifford task note "The tests need a database: started one"')
    .action((text: string, { sprint, task: name }: NoteOptions) =>
      withProject(cli, async (project) => {
        const { stream, taskId, agent } = await taskMeant(cli, project, { task: name, sprint });
        const data = { by: nameOfAgent(agent), text, runId: agent.runId };
        await project.record(stream, [{ type: 'task.noted', subject: subjectOf(stream, taskId), data }]);
        await tellNotes(cli, project, { stream, taskId, runId: agent.runId });
        cli.print(`noted on ${visibleLine(taskId)} of ${stream}`);
      }),
    );
}
