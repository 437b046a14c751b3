import type { TaskState } from '../../machines/task-state.ts';
import { limitedUntil } from '../../machines/usage-limit.ts';
import type { RunnerView } from '../reconcile/runner-view.ts';

/** Who makes the next attempt at a task, or when somebody may, and who was refused more (ms since the epoch). */
export type NextAgent =
  | { readonly start: 'main' | 'fallback' }
  | { readonly waitUntil: number; readonly limited: string | undefined };

/** The agent of the task; while its usage limit lasts the other one; while both last, nobody. */
export function nextAgent(
  task: TaskState,
  { now, policy, limits }: Pick<RunnerView, 'now' | 'policy' | 'limits'>,
): NextAgent {
  const { main, fallback } = policy.agents.get(task.id) ?? { main: undefined, fallback: undefined };
  const mainFrom = limitedUntil(limits, main);
  if (mainFrom <= now) return { start: 'main' };
  if (fallback === undefined || fallback === main) return { waitUntil: mainFrom, limited: main };
  const fallbackFrom = limitedUntil(limits, fallback);
  if (fallbackFrom <= now) return { start: 'fallback' };
  return mainFrom <= fallbackFrom
    ? { waitUntil: mainFrom, limited: main }
    : { waitUntil: fallbackFrom, limited: fallback };
}

/** When the next attempt at a task may start, ms since the epoch; 0: at once. */
export function startsAfter(
  task: TaskState,
  view: Pick<RunnerView, 'now' | 'policy' | 'limits' | 'retryAt'>,
): number {
  const next = nextAgent(task, view);
  return Math.max(view.retryAt.get(task.id) ?? 0, 'waitUntil' in next ? next.waitUntil : 0);
}
