import { subjectOf } from '../events/envelope.ts';
import type { Candidate } from '../machines/legality.ts';
import type { SprintState } from '../machines/project-state.ts';
import { wordOf } from '../machines/words.ts';
import { isUndelivered } from '../workflow/current-task.ts';
import type { AgentExit } from './agent-process.ts';

/** An attempt that has ended. */
export type EndedAttempt = {
  readonly runId: string;
  readonly taskId: string;
  /** Ended by this runner, which counts for nothing. */
  readonly wasStopped: boolean;
  /** Why it counts as failed, if it does. */
  readonly reason: string;
};

/**
 * What the end of an agent means for its task: nothing if the task is done or waits for an answer,
 * if a question of the attempt was answered and the agent left without it, if the attempt is not the
 * task's any more, or if we stopped it; else the attempt has failed.
 *
 * @param retryDelayMs - The delay before the second attempt; it doubles with every failure.
 */
export function exitVerdict(
  sprint: SprintState,
  { runId, taskId, wasStopped, reason }: EndedAttempt,
  retryDelayMs: number,
): Candidate[] {
  const task = sprint.tasks.get(taskId);
  if (!task || wasStopped || wordOf(task.machine.value) !== 'active') return [];
  const { context } = task.machine;
  if (context.runId !== runId || wordOf(sprint.machine.value) === 'done') return [];
  if (leftWithoutAnswer(sprint, { taskId, runId })) return [];
  const subject = subjectOf(sprint.id, taskId);
  if (context.failures + 1 >= context.maxAttempts) {
    return [{ type: 'task.failed', subject, data: { reason } }];
  }
  const delayMs = retryDelay(retryDelayMs, context.failures);
  return [{ type: 'task.retried', subject, data: { attempt: context.attempt + 1, delayMs, reason } }];
}

/**
 * The agent asked, or waited for what an earlier one asked, and was gone before the answer could reach it:
 * a moment earlier it would have left a task that waits. The next attempt gets the answer, and counts.
 */
function leftWithoutAnswer(
  { requests }: SprintState,
  { taskId, runId }: Pick<EndedAttempt, 'taskId' | 'runId'>,
): boolean {
  return [...requests.values()].some(
    (request) =>
      isUndelivered(request) &&
      (request.taskId === undefined || request.taskId === taskId) &&
      (request.asked.origin.runId === runId ||
        request.waiting.has(runId) ||
        request.detached.includes(runId)),
  );
}

/** Longest delay between two attempts, in ms. */
const MAX_DELAY_MS = 60_000;

function retryDelay(firstMs: number, failures: number): number {
  return Math.min(Math.round(firstMs * 2 ** failures), MAX_DELAY_MS);
}

/** Why an attempt counts as failed: how its agent ended and what it said last. */
export function failureReason({ code, signal }: AgentExit, lastWords: string): string {
  const how =
    signal !== null
      ? `the agent was ended by ${signal}`
      : code === 0
        ? 'the agent ended without completing the task'
        : `the agent exited with code ${code}`;
  return lastWords === '' ? how : `${how}: ${lastWords}`;
}
