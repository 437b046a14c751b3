import { subjectOf } from '../../events/envelope.ts';
import { nameOfAgent, type Agent } from '../project/agent.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from './require-task.ts';

/**
 * Records that a task cannot be done, said by its agent or by a person. Attempts that are left do not matter.
 *
 * @throws {CliffordError} `TASK_UNKNOWN`.
 * @throws {IllegalDecision} when the task is not under way, or the agent's attempt has ended.
 */
export async function failTask(
  project: Project,
  { stream, taskId, agent, reason }: { stream: string; taskId: string; agent: Agent; reason: string },
): Promise<void> {
  const data = { reason, by: nameOfAgent(agent), runId: agent.runId };
  await project.dispatch(stream, (state) => {
    requireTask(state, { stream, taskId });
    return [{ type: 'task.failed', subject: subjectOf(stream, taskId), data }];
  });
}
