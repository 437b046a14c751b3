import type { TaskView } from './describe-sprint.ts';

type Ended = Pick<TaskView, 'state' | 'detail'>;

/** How many tasks are done, and how many ended otherwise, for people: `1 of 4 tasks done, 1 failed, 1 skipped, 1 cancelled`. */
export function progressText(tasks: readonly Ended[]): string {
  const others = ['failed', 'skipped', 'cancelled']
    .map((end) => ({ end, ended: countEnded(tasks, end) }))
    .filter(({ ended }) => ended > 0)
    .map(({ end, ended }) => `, ${ended} ${end}`);
  return `${countEnded(tasks, 'completed')} of ${tasks.length} tasks done${others.join('')}`;
}

/** How many tasks are over, and ended so: `completed`, `skipped`, …. */
export function countEnded(tasks: readonly Ended[], end: string): number {
  return tasks.filter(({ state, detail }) => state === 'done' && detail === end).length;
}

/** How a bar of so many cells is divided that says how much of a sprint is over, and how it ended. */
export type Bar = {
  readonly done: number;
  readonly failed: number;
  /** Skipped, cancelled. */
  readonly otherwise: number;
  readonly left: number;
};

/** What is begun is not rounded up: a full bar says that all is done. */
export function progressBar(tasks: readonly Ended[], cells: number): Bar {
  const ended = tasks.filter(({ state }) => state === 'done').length;
  const all = Math.max(1, tasks.length);
  const completed = countEnded(tasks, 'completed');
  const upTo = (count: number) => Math.floor((count * cells) / all);
  const done = upTo(completed);
  const failed = upTo(completed + countEnded(tasks, 'failed')) - done;
  const otherwise = upTo(ended) - done - failed;
  return { done, failed, otherwise, left: cells - upTo(ended) };
}
