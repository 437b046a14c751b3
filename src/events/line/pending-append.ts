import type { Conflict, ExpectedVersion, StreamHead } from '../log/event-log.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** One append to one stream, checked and waiting. */
export type PendingAppend = {
  readonly stream: string;
  readonly expectedVersion: ExpectedVersion;
  /** Set where its events are copies of lines: the hash of the line that they stand behind. They become the same lines or none. */
  readonly prevhash?: string | undefined;
  readonly events: readonly PreparedEvent[];
};

/** Why an append may not come behind the head of its stream; `undefined`: it may. */
export function conflictOf(
  { stream, expectedVersion, prevhash }: PendingAppend,
  head: StreamHead,
): Conflict | undefined {
  const isExpected = expectedVersion === 'any' || expectedVersion === head.version;
  if (isExpected && (prevhash === undefined || prevhash === head.hash)) return undefined;
  const expected = expectedVersion === 'any' ? head.version : expectedVersion;
  return { stream, expected, actual: head.version };
}
