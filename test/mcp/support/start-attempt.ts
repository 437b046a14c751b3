import { subjectOf } from '../../../src/events/envelope.ts';
import type { ProcessIdentity } from '../../../src/lib/processes/process-identity.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';

/** Starts an attempt at a task of the sprint `demo`, as a runner does. */
export async function startAttempt(
  project: Project,
  taskId: string,
  runId: string,
  checksDigest?: string,
  process: ProcessIdentity = { pid: 1, processStart: '1', bootId: 'b' },
): Promise<void> {
  await project.dispatch('demo', (state) => {
    const sprint = state.streams.get('demo');
    const task = sprint?.tasks.get(taskId);
    if (!sprint || !task) throw new Error(`no task ${taskId}`);
    return startTask(sprint, task, { by: 'runner', runId, checksDigest, maxAttempts: 3 });
  });
  await project.record('demo', [
    {
      type: 'agent.started',
      subject: subjectOf('demo', taskId),
      data: {
        runId,
        attempt: 1,
        adapter: 'command',
        argv: ['agent'],
        ...process,
      },
    },
  ]);
}
