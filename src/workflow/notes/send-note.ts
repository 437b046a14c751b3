import { v7 as uuidv7 } from 'uuid';
import { subjectOf } from '../../events/envelope.ts';
import { CliffordError } from '../../errors.ts';
import type { TaskNote } from '../../machines/task-state.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from '../task/require-task.ts';
import { printedWord } from '../../lib/text/shell-word.ts';

/** What a human tells the agent of a task, and through which face. */
type NewNote = {
  readonly stream: string;
  readonly taskId: string;
  readonly text: string;
  readonly by: string;
  readonly via: string;
};

/**
 * Records a note to the agent that works on a task, or will. It is told as soon as it can be: see deliver-notes.ts.
 *
 * @throws {CliffordError} `NOTE_EMPTY`, `TASK_UNKNOWN`.
 * @throws {IllegalDecision} when the task is done: nobody would be told.
 */
export async function sendNote(
  project: Project,
  { stream, taskId, text, by, via }: NewNote,
): Promise<TaskNote> {
  if (text.trim() === '') throw emptyNote(taskId);
  const noteId = newNoteId();
  await project.dispatch(stream, (state) => {
    const { task } = requireTask(state, { stream, taskId });
    return [{ type: 'note.sent', subject: subjectOf(stream, task.id), data: { noteId, text, by, via } }];
  });
  const { task } = requireTask(project.state, { stream, taskId });
  const sent = task.notes.find(({ id }) => id === noteId);
  if (!sent) throw new Error(`note ${noteId} is not in the log that has just taken it`);
  return sent;
}

function emptyNote(task: string): CliffordError {
  return new CliffordError(`Cannot send a note about task ${task}: it has no text`, {
    code: 'NOTE_EMPTY',
    fix: `For example: clifford note ${printedWord(task)} "Use the helpers of src/lib"`,
  });
}

/** By what a note is told from all others. */
export function newNoteId(): string {
  return `n-${uuidv7()}`;
}
