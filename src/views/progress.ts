import type { TaskView } from './describe-sprint.ts';

type Ended = Pick<TaskView, 'state' | 'detail'>;

/** How many tasks are done, and how many never will be, for people: `1 of 3 tasks done, 1 skipped, 1 cancelled`. */
export function progressText(tasks: readonly Ended[]): string {
  const others = ['skipped', 'cancelled']
    .map((end) => ({ end, ended: countEnded(tasks, end) }))
    .filter(({ ended }) => ended > 0)
    .map(({ end, ended }) => `, ${ended} ${end}`);
  return `${countEnded(tasks, 'completed')} of ${tasks.length} tasks done${others.join('')}`;
}

/** How many tasks are over, and ended so: `completed`, `skipped`, …. */
export function countEnded(tasks: readonly Ended[], end: string): number {
  return tasks.filter(({ state, detail }) => state === 'done' && detail === end).length;
}
