import { duration, waitedText } from '../../lib/time/duration.ts';
import type { TaskView } from './describe-sprint.ts';

/**
 * How long agents have worked on a task, all attempts together, in ms: the time that they waited for a human is no part of it.
 * The same on every face.
 *
 * @param now - Milliseconds since 1970.
 */
export function workedMsOf(
  { workedMs, workingSince }: Pick<TaskView, 'workedMs' | 'workingSince'>,
  now: number,
): number {
  return workedMs + msSince(workingSince, now);
}

/** How long it has waited for humans, all waits together, in ms. */
export function waitedMsOf(
  { waitedMs, blockedSince }: Pick<TaskView, 'waitedMs' | 'blockedSince'>,
  now: number,
): number {
  return waitedMs + msSince(blockedSince, now);
}

/** Such a time in few cells, for lists: what is over is rounded, and so no less than its details say. */
export function taskTimeShort(ms: number, goesOn: boolean): string {
  return waitedText(goesOn ? ms : Math.round(ms / 1_000) * 1_000);
}

/** Such a time in words: what goes on is said in less detail, so that it changes less often. */
export function taskTime(ms: number, goesOn: boolean): string {
  return goesOn ? waitedText(ms) : duration(ms);
}

function msSince(time: string | undefined, now: number): number {
  return time === undefined ? 0 : Math.max(0, now - Date.parse(time));
}
