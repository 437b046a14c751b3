import type { TaskState } from '../../machines/task-state.ts';
import type { TaskView } from './describe-sprint.ts';

/**
 * Which attempt of a task it is, of how many: `2/3`. Those that Clifford ended itself do not count against those there are:
 * behind the last it is `#4`. The same on every face.
 */
export function attemptText({ attempt, maxAttempts }: Pick<TaskView, 'attempt' | 'maxAttempts'>): string {
  return attempt <= maxAttempts ? `${attempt}/${maxAttempts}` : `#${attempt}`;
}

/** Why a task that failed is not tried again, although it has attempts left. The names of others in it are not escaped yet. */
export function gaveUpText({ by, runId }: NonNullable<TaskState['gaveUp']>): string {
  if (by === undefined) return 'not tried again, as another attempt would fail the same way';
  return `not tried again: ${runId === undefined ? by : 'its agent'} gave it up`;
}
