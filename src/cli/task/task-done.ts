import { completionIsDue, setTaskStatus } from '../../workflow/task/set-task-status.ts';
import { checksFor } from '../../workflow/verify/checks-for.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import type { Cli } from '../cli.ts';
import type { DoneOptions } from '../commands/task/done.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { withProject } from '../project/with-project.ts';
import { taskMeant } from './task-meant.ts';

/**
 * Completes a task as `update_task_status` does, its commands run in this process.
 *
 * @throws {CliffordError} `VERIFY_FAILED`; what {@link taskMeant} throws.
 */
export async function taskDone(
  cli: Cli,
  task: string | undefined,
  { sprint, summary }: DoneOptions,
): Promise<void> {
  await withProject(cli, async (project) => {
    const { stream, taskId, folder, agent } = await taskMeant(cli, project, { task, sprint });
    const report = (problem: string) => cli.warn(`note: ${oneLine(problem)}`);
    const stop = new AbortController();
    const release = onInterrupt((signal) => stop.abort(signal));
    try {
      if (completionIsDue(project.state, { stream, taskId, agent })) {
        const { env } = cli;
        const checks = await checksFor(project, { stream, taskId, folder, agent, env, report });
        const order = { stream, taskId, runId: agent.runId, ...checks, signal: stop.signal };
        for (const { command, how } of await verifyTask(project, order))
          report(`${command} ${how}; it failed before this task began, too: not counted against it`);
      }
      const why = summary === undefined ? {} : { summary };
      await setTaskStatus(project, { stream, taskId, status: 'completed', agent, ...why });
      cli.print(`completed ${oneLine(taskId)} of ${stream}`);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      cli.endWith(exitCodes.interrupted);
    } finally {
      release();
    }
  });
}
