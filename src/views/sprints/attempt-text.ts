import type { TaskView } from './describe-sprint.ts';

/**
 * Which attempt of a task it is, of how many: `2/3`. Those that Clifford ended itself do not count against those there are:
 * behind the last it is `#4`. The same on every face.
 */
export function attemptText({ attempt, maxAttempts }: Pick<TaskView, 'attempt' | 'maxAttempts'>): string {
  return attempt <= maxAttempts ? `${attempt}/${maxAttempts}` : `#${attempt}`;
}
