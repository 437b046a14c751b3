import { completeTask } from '../../workflow/task/set-task-status.ts';
import { checksFor } from '../../workflow/verify/checks-for.ts';
import { requireTask } from '../../workflow/task/require-task.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import type { Cli } from '../cli.ts';
import type { DoneOptions } from '../commands/task/done.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { tellRunWhenFinished } from '../project/tell-run.ts';
import { withProject } from '../project/with-project.ts';
import { taskMeant } from './task-meant.ts';
import { tellNotes } from './tell-notes.ts';

/** Completes a task as `update_task_status` does, its commands run in this process. */
export async function taskDone(
  cli: Cli,
  task: string | undefined,
  { sprint, summary }: DoneOptions,
): Promise<void> {
  await withProject(cli, async (project) => {
    const { stream, taskId, folder, agent } = await taskMeant(cli, project, { task, sprint });
    const { runId } = agent;
    const stop = new AbortController();
    const release = onInterrupt((signal) => stop.abort(signal));
    try {
      const completion = await completeTask(project, { stream, taskId, agent, summary }, async () => {
        const { env, note: report } = cli;
        const checks = await checksFor(project, { stream, taskId, folder, agent, env, report });
        const { task } = requireTask(project.state, { stream, taskId });
        return verifyTask(project.at(workFolder(project, task)), {
          stream,
          taskId,
          runId,
          ...checks,
          signal: stop.signal,
        });
      });
      for (const { command, how } of completion?.verified ?? [])
        cli.note(`${command} ${how}; it failed before this task began, too: not counted against it`);
      cli.print(`${visibleLine(taskId)} of ${stream} is done`);
      tellRunWhenFinished(cli, project, stream);
    } catch (error) {
      if (!stop.signal.aborted) {
        // What it has not heard is told with the refusal.
        await tellNotes(cli, project, { stream, taskId, runId });
        throw error;
      }
      cli.endWith(exitCodes.interrupted);
    } finally {
      release();
    }
  });
}
