import { subjectOf } from '../../events/envelope.ts';
import type { NoteWay } from '../../events/descriptors/note-events.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { TaskNote, TaskState } from '../../machines/task-state.ts';
import type { Project } from '../project/project.ts';

/** The task that notes are about, and the agent that is told, by its run or session id. */
export type NotesPlace = { readonly stream: string; readonly taskId: string; readonly to: string };

/** The notes that no agent has, and that none is being told, oldest first. */
export function waitingNotes(task: Pick<TaskState, 'notes'> | undefined): readonly TaskNote[] {
  return task?.notes.filter(({ delivered, taken }) => !delivered && !taken) ?? [];
}

/**
 * Takes the notes that wait, to tell them to an agent: whoever takes one tells it, nobody else. What becomes of it has to
 * be said with {@link deliveredNotes} or {@link returnedNotes}; unsaid, it waits again when the agent is gone.
 */
export async function takeNotes(
  project: Project,
  { stream, taskId, to }: NotesPlace,
  way: NoteWay,
): Promise<readonly TaskNote[]> {
  const waiting = () => waitingNotes(project.state.streams.get(stream)?.tasks.get(taskId));
  if (waiting().length === 0) return [];
  const subject = subjectOf(stream, taskId);
  let taken: readonly TaskNote[] = [];
  await project.dispatch(stream, (state) => {
    taken = waitingNotes(state.streams.get(stream)?.tasks.get(taskId));
    return taken.map(({ id: noteId }) => ({ type: 'note.taken', subject, data: { noteId, to, way } }));
  });
  return taken;
}

/** The facts that notes have reached the agent. */
export function deliveredNotes(
  notes: readonly TaskNote[],
  { stream, taskId, to }: NotesPlace,
  way: NoteWay,
): Candidate[] {
  const subject = subjectOf(stream, taskId);
  return notes.map(({ id: noteId }) => ({ type: 'note.delivered', subject, data: { noteId, to, way } }));
}

/** The facts that notes have not reached it, and wait again. */
export function returnedNotes(
  notes: readonly TaskNote[],
  { stream, taskId, to }: NotesPlace,
  why: string,
): Candidate[] {
  const subject = subjectOf(stream, taskId);
  return notes.map(({ id: noteId }) => ({ type: 'note.returned', subject, data: { noteId, to, why } }));
}
