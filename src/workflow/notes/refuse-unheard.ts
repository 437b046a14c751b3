import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { TaskNote, TaskState } from '../../machines/task-state.ts';
import type { Project } from '../project/project.ts';
import { returnedNotes, type NotesPlace } from './deliver-notes.ts';

/** So long it is waited for whether what an agent is being told has arrived, in ms. Who tells it records that at once. */
const OUTCOME_MS = 5_000;

/**
 * The notes about a task that its agent knows as it says that it is done, by their ids. What it is being told just then is
 * waited for, and waits again where nobody says what became of it. What is only being said into its turn it cannot know.
 */
export async function heardNotes(
  project: Project,
  place: NotesPlace,
  outcomeMs = OUTCOME_MS,
): Promise<ReadonlySet<string>> {
  const notesIn = ({ streams }: ProjectState) =>
    streams.get(place.stream)?.tasks.get(place.taskId)?.notes ?? [];
  const isBeingTold = ({ delivered, taken }: TaskNote) => !delivered && taken?.by === place.to;
  const known = notesIn(project.state);
  const told = idsOf(known.filter(isBeingTold));
  if (told.size > 0) {
    const open = (state: ProjectState) =>
      notesIn(state).filter((note) => told.has(note.id) && isBeingTold(note));
    const limit = AbortSignal.timeout(outcomeMs);
    const settled = project.until((state) => open(state).length === 0 || undefined, { signal: limit });
    // Why the log cannot be read, if that is why, the decision says.
    await settled.catch(() => undefined);
    const why = 'nobody has said whether it arrived, and its agent says that the task is done';
    await project.dispatch(place.stream, (state) => returnedNotes(open(state), place, why));
  }
  return idsOf(known.filter(({ taken }) => taken?.way !== 'steering'));
}

/**
 * Refuses to complete a task of which its agent has not heard all: what a human tells it counts before it is done.
 *
 * @param heard - What {@link heardNotes} returned when the agent said that it is.
 * @throws {CliffordError} `NOTE_UNHEARD`.
 */
export function refuseUnheard({ id, notes }: TaskState, heard: ReadonlySet<string>): void {
  if (notes.every((note) => note.delivered && heard.has(note.id))) return;
  throw new CliffordError(`Cannot complete task ${id} yet: the human has left a note about it`, {
    code: 'NOTE_UNHEARD',
    fix: 'Read it, do what it asks for, then say again that the task is done',
  });
}

function idsOf(notes: readonly TaskNote[]): ReadonlySet<string> {
  return new Set(notes.map(({ id }) => id));
}
