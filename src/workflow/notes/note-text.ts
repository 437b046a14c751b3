import type { TaskNote } from '../../machines/task-state.ts';

/** Notes as an agent is told them: the human's words, and what they are not. */
export function noteText(notes: readonly Pick<TaskNote, 'text'>[]): string {
  const head =
    notes.length === 1 ? 'A note from the human about your task' : 'Notes from the human about your task';
  const words = notes.map(({ text }) => text).join('\n\n');
  return `${head}. Take it into account from here on; it answers no question and allows no call:\n\n${words}`;
}
