import type { TaskState } from '../../machines/task-state.ts';

/** Why a task that failed is not tried again, although it has attempts left. The names of others in it are not escaped yet. */
export function gaveUpText({ by, runId }: NonNullable<TaskState['gaveUp']>): string {
  if (by === undefined) return 'not tried again, as another attempt would fail the same way';
  return `not tried again: ${runId === undefined ? by : 'its agent'} gave it up`;
}
