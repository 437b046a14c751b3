import type { RequestState } from '../machines/project-state.ts';
import type { SprintEnd, Stall, Standing, TaskFailure } from './standing.ts';

/** Something that a human is called for. */
export type Reason =
  | { readonly is: 'request'; readonly request: RequestState }
  | { readonly is: 'stall'; readonly stall: Stall }
  | { readonly is: 'failures'; readonly failures: readonly TaskFailure[] }
  | { readonly is: 'left'; readonly why: string }
  | { readonly is: 'end'; readonly end: SprintEnd };

/** A reason that goes on being one: it has to be remembered that it was told. */
export type Lasting = Extract<Reason, { is: 'request' | 'stall' }>;

/**
 * What there is to call a human for by now. Requests that were open before are among it: they wait, too.
 *
 * @param before - How the sprint stood when it was looked at last; `undefined`: this is the first look, and how it
 *   ended, was left or what failed before is no news.
 * @param isKnown - Whether it was told, or is about to be.
 */
export function reasonsFor(
  before: Standing | undefined,
  now: Standing,
  isKnown: (reason: Lasting) => boolean,
): Reason[] {
  const lasting: Lasting[] = [
    ...(now.stall ? [{ is: 'stall', stall: now.stall } as const] : []),
    ...now.open.map((request) => ({ is: 'request', request }) as const),
  ];
  const failures = before ? failedSince(before, now) : [];
  const hasLeft = now.left !== undefined && before !== undefined && before.left?.at !== now.left.at;
  return [
    ...(now.end && before && !before.end ? [{ is: 'end', end: now.end } as const] : []),
    ...(hasLeft ? [{ is: 'left', why: now.left.reason } as const] : []),
    ...(failures.length > 0 ? [{ is: 'failures', failures } as const] : []),
    ...lasting.filter((reason) => !isKnown(reason)),
  ];
}

/** A task that fails again fails anew. */
function failedSince(before: Standing, { failures }: Standing): TaskFailure[] {
  return failures.filter(
    ({ task, at }) => !before.failures.some((each) => each.task === task && each.at === at),
  );
}

/** Whether there is still a reason to call. What a human has seen to meanwhile needs no one else. */
export function stillHolds(reason: Reason, { open, stall, failures, left, end }: Standing): boolean {
  switch (reason.is) {
    case 'request':
      return open.some(({ id }) => id === reason.request.id);
    case 'stall':
      return stall !== undefined;
    case 'failures':
      return reason.failures.some((told) => failures.some(({ task }) => task === told.task));
    case 'left':
      return left !== undefined;
    case 'end':
      return end?.how === reason.end.how;
  }
}

/** What it is about, the same whenever it is told. */
export function keyOfReason(reason: Reason): string {
  if (reason.is === 'failures')
    return reason.failures.map(({ task, attempt }) => `${task}#${attempt}`).join(' ');
  return reason.is === 'request' ? reason.request.id : reason.is;
}

/** Whether it waits for a human: whoever sees a screen sees all else there, and need not be told afterwards. */
export function isWaiting({ is }: Reason): boolean {
  return is === 'request' || is === 'stall';
}

/** Whether it says that nothing goes on: that is told at once, and not at all to who has just brought it about. */
export function isFinal({ is }: Reason): boolean {
  return is === 'end' || is === 'left';
}
