import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { TaskNote, TaskState } from './task-state.ts';

/** What an event says about the notes to the agents of a task. */
export function foldNotes(task: TaskState | undefined, event: StoredEvent): void {
  if (task) cases.get(event.type)?.(event, task);
}

const cases = casesByType<[task: TaskState]>({
  'note.sent'({ data: { noteId: id, ...note }, time }, task) {
    if (task.notes.some((known) => known.id === id)) return;
    task.notes = [...task.notes, { id, ...note, at: time }];
  },
  'note.taken'({ data: { noteId, to: by, way } }, task) {
    change(task, noteId, (note) => ({ ...note, taken: note.taken ?? { by, way } }));
  },
  'note.returned'({ data: { noteId, to } }, task) {
    change(task, noteId, (note) => (note.taken?.by === to ? waiting(note) : note));
  },
  'note.delivered'({ data: { noteId, to, way }, time }, task) {
    change(task, noteId, (note) => ({ ...waiting(note), delivered: { to, way, at: time } }));
  },
  // The server that was telling it may have been killed: its agent has started another one. Who says it into its turn has not.
  'agent.connected': ({ data: { runId } }, task) =>
    giveBack(task, ({ by, way }) => by === runId && way === 'call'),
  'agent.exited': ({ data: { runId } }, task) => giveBack(task, ({ by }) => by === runId),
  'agent.lost': ({ data: { runId } }, task) => giveBack(task, ({ by }) => by === runId),
  'task.started': (_, task) => giveBack(task, () => true),
});

/** Whether the agent heard what it was being told when it, or who told it, went, nobody knows: it is told again. */
function giveBack(task: TaskState, isTheirs: (taken: NonNullable<TaskNote['taken']>) => boolean): void {
  const isOpen = ({ taken }: TaskNote) => taken !== undefined && isTheirs(taken);
  if (task.notes.some(isOpen)) task.notes = task.notes.map((note) => (isOpen(note) ? waiting(note) : note));
}

function waiting(note: TaskNote): TaskNote {
  return { ...note, taken: undefined };
}

/** Of one that has been delivered nothing changes any more. */
function change(task: TaskState, id: string, to: (note: TaskNote) => TaskNote): void {
  task.notes = task.notes.map((note) => (note.id === id && !note.delivered ? to(note) : note));
}
