import { v7 as uuidv7 } from 'uuid';
import { subjectOf } from '../../events/envelope.ts';
import { checkLegality, type Candidate } from '../../machines/legality.ts';
import type { ProjectState, TaskState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { type Agent, nameOfAgent } from '../project/agent.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from './require-task.ts';
import { startTask } from './start-task.ts';

/** What an agent may say of a task. */
export type AgentStatus = 'active' | 'completed' | 'blocked';

/**
 * Records what an agent says of a task. The state it is in already is a success without an event;
 * `active` starts a pending sprint; `blocked` opens a request, since only a human can end it.
 *
 * @throws {CliffordError} `TASK_UNKNOWN`.
 * @throws {IllegalDecision} when the machines refuse, e.g. because the agent's attempt has ended.
 */
export async function setTaskStatus(
  project: Project,
  change: { stream: string; taskId: string; status: AgentStatus; summary?: string; agent: Agent },
): Promise<TaskState> {
  const { stream, status } = change;
  await project.dispatch(stream, (state) => {
    const { sprint, task } = requireTask(state, change);
    if (isAlready(task, status)) return [];
    const by = nameOfAgent(change.agent);
    if (status === 'active') return startTask(sprint, task, { by });
    return [ended(change, by)];
  });
  return requireTask(project.state, change).task;
}

/** Whether this agent's word would complete the task now: it is not completed, and the machines allow it. */
export function completionIsDue(
  state: ProjectState,
  { agent, ...about }: { stream: string; taskId: string; agent: Agent },
): boolean {
  requireTask(state, about);
  return checkLegality(state, ended({ ...about, agent, status: 'completed' }, nameOfAgent(agent))).legal;
}

function isAlready({ machine }: TaskState, status: AgentStatus): boolean {
  const name = nameOf(machine.value);
  return status === 'completed' ? name === 'done.completed' : name.startsWith(`${status}.`);
}

function ended(
  { stream, taskId, status, summary, agent }: Parameters<typeof setTaskStatus>[1],
  by: string,
): Candidate {
  const subject = subjectOf(stream, taskId);
  const run = agent.runId === undefined ? {} : { runId: agent.runId };
  if (status === 'blocked') {
    const reason = summary ?? `The agent says that ${taskId} is blocked, and gave no reason`;
    return { type: 'task.blocked', subject, data: { requestId: `q-${uuidv7()}`, by, reason, ...run } };
  }
  return {
    type: 'task.completed',
    subject,
    data: { by, ...(summary === undefined ? {} : { summary }), ...run },
  };
}
