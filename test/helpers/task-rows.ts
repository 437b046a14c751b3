import { taskCells, taskColumns } from '../../src/tui/text/task-columns.ts';
import type { TaskItem } from '../../src/views/sprints/task-items.ts';

/** A task as a list has it, of which nothing is said but its id. */
export const anItem = (over: Partial<TaskItem> = {}): TaskItem => ({
  id: 'parser',
  title: '',
  word: 'active',
  attempt: '',
  agent: '',
  model: '',
  time: '',
  isWaiting: false,
  cost: '',
  notes: [],
  ...over,
});

/** The rows of a list of these tasks, without what stands before the ids. */
export function taskRows(width: number, items: readonly TaskItem[]): string[] {
  const columns = taskColumns(items, width);
  return items.map((item) => {
    const { id, about, facts, time } = taskCells(item, columns);
    return id + about + facts + time;
  });
}
