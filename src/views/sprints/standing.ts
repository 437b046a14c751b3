import type { SprintState } from '../../machines/project-state.ts';
import { plainWordOf, wordOf, type StatusWord } from '../../machines/status-words.ts';

/** What is asked about: a task, or a sprint with its tasks. */
type Standing = { readonly state: StatusWord; readonly detail: string | undefined };
type StandingTask = Standing & { readonly byHandSince: string | undefined };

/** The word for what is under way and that nobody is at work on. */
export const IDLE = 'idle';

/** Why nobody is, the fullest text first. @param isQueued - The sprint waits in the queue for a worker. */
export function idleTexts(isQueued: boolean): readonly [string, string] {
  return isQueued ? ['waits in the queue', 'in the queue'] : ['no runner at work', 'no runner'];
}

/** Whether a runner is at work as far as the log says, which knows no more of the past: one that was killed has said nothing. */
export function isRunByLog({ left }: { readonly left: unknown }): boolean {
  return left === undefined;
}

/** Whether a runner was at work on a sprint in a state of the past: one took it up, and had not left, and it was not over. */
export function hadRunner({ runner, machine }: SprintState): boolean {
  return runner !== undefined && isRunByLog({ left: runner.left }) && wordOf(machine.value) !== 'done';
}

/** The one word that people read of a task, given whether a runner is at work on its sprint. */
export function taskWord({ state, detail, byHandSince }: StandingTask, hasRunner: boolean): string {
  const isIdle = state === 'active' && !hasRunner && byHandSince === undefined;
  return isIdle ? IDLE : plainWordOf(state, detail);
}

/** The same of a sprint: it runs only where somebody runs it, or works on one of its tasks without a run. */
export function sprintWord(
  { state, detail, tasks }: Standing & { readonly tasks: readonly StandingTask[] },
  hasRunner: boolean,
): string {
  const isByHand = tasks.some((task) => task.state === 'active' && task.byHandSince !== undefined);
  const isIdle = state === 'active' && detail !== 'paused' && !hasRunner && !isByHand;
  return isIdle ? IDLE : plainWordOf(state, detail);
}
