import type { SprintState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import type { RunView } from './runner-view.ts';

/** The log says that this attempt has ended: its task is done, or another attempt's. */
export function isAttemptOver(sprint: SprintState, { taskId, runId }: RunView): boolean {
  return sprint.tasks.get(taskId)?.machine.context.runId !== runId;
}

/** The task of this run is completed, as opposed to skipped, cancelled or taken away. */
export function hasCompleted(sprint: SprintState, { taskId }: Pick<RunView, 'taskId'>): boolean {
  const task = sprint.tasks.get(taskId);
  return task !== undefined && nameOf(task.machine.value) === 'done.completed';
}

/** It should have connected to Clifford, and its MCP client has not said `initialize`. */
export function mustConnect(sprint: SprintState, { taskId, runId, connects }: RunView): boolean {
  const agent = sprint.tasks.get(taskId)?.agent;
  return connects && !(agent?.runId === runId && agent.connectedAt !== undefined);
}

/**
 * It does nothing but wait for a human: its task is blocked, by requests only whose end it waits for, and it has no other
 * call open. What is typed at a prompt is for that process: one that waits there has to live.
 */
export function onlyAwaitsHuman(sprint: SprintState, { taskId, runId, report, openCalls }: RunView): boolean {
  const task = sprint.tasks.get(taskId);
  if (!task || wordOf(task.machine.value) !== 'blocked' || task.machine.context.runId !== runId) return false;
  const open = [...sprint.requests.values()].filter(
    ({ phase, taskId: about }) => phase === 'open' && about === taskId,
  );
  // Not every agent tells of its calls.
  if (Math.max(new Set(report.openTools).size, openCalls) > open.length) return false;
  return open.every(({ asked, waiting }) => waiting.has(runId) && asked.kind !== 'prompt');
}

/**
 * A request that this run asked, or that blocks its task, is open. What is only taken for a prompt is none: an agent that hangs behind such
 * words is ended in its time as any other, and whoever answers before keeps it alive.
 */
export function awaitsHuman(sprint: SprintState, { taskId, runId, prompt }: RunView): boolean {
  const guessed = prompt?.isGuess ? prompt.requestId : undefined;
  return [...sprint.requests.values()].some(
    ({ id, phase, taskId: about, asked }) =>
      phase === 'open' && id !== guessed && (about === taskId || asked.origin.runId === runId),
  );
}
