import { CliffordError } from '../../errors.ts';
import type { TaskState } from '../../machines/project-state.ts';
import { waitingNotes } from './deliver-notes.ts';

/**
 * Refuses to complete a task of which its agent has not heard all: what a human tells it counts before it is done.
 *
 * @throws {CliffordError} `NOTE_UNHEARD`.
 */
export function refuseUnheard(task: TaskState): void {
  if (waitingNotes(task).length > 0) throw unheardNote(task.id);
}

/** Why a task is not completed whose agent is being told a note with that. */
export function unheardNote(taskId: string): CliffordError {
  return new CliffordError(`Cannot complete task ${taskId} yet: the human has left a note about it`, {
    code: 'NOTE_UNHEARD',
    fix: 'Read it, do what it asks for, then say again that the task is done',
  });
}
