import { CliffordError } from '../../errors.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Agent, AgentContext } from '../project/agent.ts';

/** A task and the sprint it is in. */
export type OwnTask = { readonly sprint: SprintState; readonly task: TaskState };

/**
 * The task this agent's attempt works on, or worked on last. `undefined` for an agent nobody started,
 * and for a run the log does not know.
 */
export function ownTask(state: ProjectState, { runId }: Agent, context: AgentContext): OwnTask | undefined {
  if (runId === undefined) return undefined;
  const found =
    findTask(state, ({ machine }) => machine.context.runId === runId) ??
    findTask(state, ({ agent }) => agent?.runId === runId);
  if (found) {
    context.ownTask = { stream: found.sprint.id, taskId: found.task.id };
    return found;
  }
  if (!context.ownTask) return undefined;
  const sprint = state.streams.get(context.ownTask.stream);
  const task = sprint?.tasks.get(context.ownTask.taskId);
  return sprint && task && { sprint, task };
}

/**
 * Refuses an agent whose attempt has ended: another one may be at work in its place. An agent that
 * has completed its task may still speak, e.g. to complete the sprint.
 *
 * @throws {CliffordError} `ATTEMPT_ENDED`.
 */
export function assertMayAct(state: ProjectState, agent: Agent, context: AgentContext): void {
  const { runId } = agent;
  if (runId === undefined) return;
  const own = ownTask(state, agent, context);
  if (own?.task.machine.context.runId === runId) return;
  const word = own && nameOf(own.task.machine.value);
  if (word === 'done.completed') return;
  throw new CliffordError(
    own
      ? `Cannot act for run ${runId}: its attempt at task ${own.task.id} has ended, the task is ${word}`
      : `Cannot act for run ${runId}: no task has such an attempt, or a later one has begun`,
    {
      code: 'ATTEMPT_ENDED',
      fix: 'Stop working and exit: Clifford starts another agent when there is something to do',
      recovery: 'give-up',
    },
  );
}

function findTask(state: ProjectState, isIt: (task: TaskState) => boolean): OwnTask | undefined {
  for (const sprint of state.streams.loaded()) {
    for (const task of sprint.tasks.values()) if (isIt(task)) return { sprint, task };
  }
  return undefined;
}
