import { subjectOf } from '../../events/envelope.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isDoneUnverified } from '../reconcile/exit-verdict.ts';

/**
 * Says in the log that attempts are lost whose agents have ended as if their tasks were done, and which nobody has verified yet, where
 * what they made is not here: other files would be verified as theirs. They are begun again.
 */
export async function loseUnverified(
  project: Project,
  stream: string,
  isMissing: (task: TaskState) => boolean,
): Promise<void> {
  const sprint = project.state.streams.get(stream);
  for (const task of sprint?.tasks.values() ?? []) {
    const runId = task.agent?.runId;
    if (!sprint || runId === undefined || !isDoneUnverified(sprint, task) || !isMissing(task)) continue;
    const data = { runId, reason: 'what it made is with another worker, which has not verified it' };
    await project.record(stream, [{ type: 'agent.lost', subject: subjectOf(stream, task.id), data }]);
  }
}
