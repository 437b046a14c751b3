import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';

/**
 * In a sprint that is over nobody gets an answer any more. One that failed may be run again.
 *
 * @throws {CliffordError} `SPRINT_FINISHED`.
 */
export function refuseFinished({ streams }: ProjectState, stream: string): void {
  const name = nameOf(streams.get(stream)?.machine.value ?? 'pending');
  if (name !== 'done.completed' && name !== 'done.cancelled') return;
  throw new CliffordError(
    `Cannot ask in sprint ${stream}: it ${name === 'done.cancelled' ? 'was cancelled' : 'is done'}`,
    {
      code: 'SPRINT_FINISHED',
      fix: 'Name another sprint, or leave --sprint out: a question need not belong to one',
    },
  );
}
