import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { wordOf } from '../../machines/status-words.ts';

/**
 * The decisions that start a task's next attempt. A pending sprint is started first, with
 * `maxAttempts` attempts per task.
 */
export function startTask(
  sprint: SprintState,
  task: TaskState,
  {
    by,
    runId,
    checksDigest,
    isDoneByExit = false,
    maxAttempts = 1,
  }: {
    by: string;
    runId?: string | undefined;
    checksDigest?: string | undefined;
    /** Exit code 0 of its agent says that the task is done. */
    isDoneByExit?: boolean;
    maxAttempts?: number;
  },
): Candidate[] {
  const started: Candidate = {
    type: 'task.started',
    subject: subjectOf(sprint.id, task.id),
    data: {
      attempt: task.machine.context.attempt + 1,
      by,
      runId,
      checksDigest,
      ...(isDoneByExit ? { done: 'exit-0' as const } : {}),
    },
  };
  if (wordOf(sprint.machine.value) !== 'pending') return [started];
  return [{ type: 'sprint.started', subject: sprint.id, data: { runner: by, maxAttempts } }, started];
}
