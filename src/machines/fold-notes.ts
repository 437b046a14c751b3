import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { TaskNote, TaskState } from './project-state.ts';

/** What an event says about the notes to the agents of a task. */
export function foldNotes(task: TaskState | undefined, event: StoredEvent): void {
  if (task) cases.get(event.type)?.(event, task);
}

const cases = casesByType<[task: TaskState]>({
  'note.sent'({ data: { noteId: id, ...note }, time }, task) {
    if (task.notes.some((known) => known.id === id)) return;
    task.notes = [...task.notes, { id, ...note, at: time }];
  },
  'note.taken'({ data: { noteId, to } }, task) {
    change(task, noteId, (note) => ({ ...note, takenBy: note.takenBy ?? to }));
  },
  'note.returned'({ data: { noteId, to } }, task) {
    change(task, noteId, (note) => (note.takenBy === to ? waiting(note) : note));
  },
  'note.delivered'({ data: { noteId, to, way }, time }, task) {
    change(task, noteId, (note) => ({ ...waiting(note), delivered: { to, way, at: time } }));
  },
  // The server that was telling it may have been killed: its agent has started another one.
  'agent.connected': ({ data: { runId } }, task) => runId !== undefined && giveBack(task, runId),
  'agent.exited': ({ data: { runId } }, task) => giveBack(task, runId),
  'agent.lost': ({ data: { runId } }, task) => giveBack(task, runId),
  'task.started': (_, task) => giveBack(task),
});

/** Whether the agent heard what it was being told when it, or who told it, went, nobody knows: it is told again. */
function giveBack(task: TaskState, agent?: string): void {
  const isTheirs = ({ takenBy }: TaskNote) =>
    takenBy !== undefined && (agent === undefined || takenBy === agent);
  if (task.notes.some(isTheirs))
    task.notes = task.notes.map((note) => (isTheirs(note) ? waiting(note) : note));
}

function waiting(note: TaskNote): TaskNote {
  return { ...note, takenBy: undefined };
}

/** Of one that has been delivered nothing changes any more. */
function change(task: TaskState, id: string, to: (note: TaskNote) => TaskNote): void {
  task.notes = task.notes.map((note) => (note.id === id && !note.delivered ? to(note) : note));
}
