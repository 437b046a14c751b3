import { ftruncateSync } from 'node:fs';
import type { EventData } from '../catalog.ts';
import { newEvent, type StoredEvent } from '../envelope.ts';
import type { Conflict, StreamHead } from '../log/event-log.ts';
import { CliffordError } from '../../errors.ts';
import { cutTornTail } from './cut-torn-tail.ts';
import type { EarlierAppend } from './earlier-append.ts';
import { conflictOf, type PendingAppend as AnyPendingAppend } from '../line/pending-append.ts';
import { placeEvents } from '../line/place-events.ts';
import type { LastSeen } from './last-seen.ts';
import type { LogIo } from './log-io.ts';
import { prepareEvents, type PreparedEvent } from '../line/prepare-event.ts';
import type { StreamHeads } from './stream-heads.ts';
import { endOfAppends, sizeOf } from './tail.ts';

/** One call of `append`, checked and waiting. */
export type PendingAppend = AnyPendingAppend & {
  /** It is tried again: where its events may be already. */
  readonly earlier?: EarlierAppend | undefined;
};

/** What became of one append of a group: its events as they stand in the file, or why it was left out. */
export type AppendOutcome =
  | { readonly stored: readonly StoredEvent[] }
  /** Not an error yet: making one takes longer than anything else under the lock. */
  | { readonly conflict: Conflict }
  | { readonly refused: CliffordError };

/** What a group is committed to. */
export type CommitTarget = {
  readonly fd: number;
  readonly path: string;
  /** The file's size now, in bytes. */
  readonly size: number;
  /** Where its last whole append ends. */
  readonly end: number;
  readonly heads: StreamHeads;
  readonly io: LogIo;
  readonly seen: LastSeen;
};

/**
 * Writes a group of appends with one write, or, where that is short, two. Call it under the lock; sync afterwards.
 *
 * Each append is decided by itself, against the state that those before it leave: a conflict leaves
 * out that append only. A short write is cut back to where the append began that it tore, as after a
 * crash: nobody has read anything of that. What a reader may have seen, whole appends before it, stays.
 *
 * What a crash left is moved aside first, and the log says so behind the group: what was expected of a stream still holds.
 * Where copies are appended it does not: what they are copied from never said so.
 *
 * @throws whatever a failing write, read or cut throws: the file's state is then unknown.
 */
export function commitGroup(target: CommitTarget, group: readonly PendingAppend[]): AppendOutcome[] {
  const { fd, path, size, end, heads, seen } = target;
  const repaired = end < size ? cutTornTail(fd, path, { offset: end, bytes: size - end }) : undefined;

  const moved = new Map<string, StreamHead>();
  const lines: string[] = [];
  let last: StreamHead | undefined;
  const outcomes: AppendOutcome[] = [];
  const commit = (append: PendingAppend): AppendOutcome => {
    const { stream, events, earlier } = append;
    try {
      const known = earlier && (inGroup(outcomes, events) ?? earlier.at(fd, end));
      if (known && known.length > 0) return { stored: known };
      const head = moved.get(stream) ?? heads.at(fd, stream, end);
      const conflict = conflictOf(append, head);
      if (conflict) return { conflict };
      const { stored, after } = placeEvents(events, head, lines);
      moved.set(stream, after);
      last = after;
      return { stored };
    } catch (error) {
      if (error instanceof CliffordError) return { refused: error };
      throw error;
    }
  };
  for (const append of group) outcomes.push(commit(append));
  const [first] = group;
  if (repaired && first && first.prevhash === undefined) commit(repairRecord(repaired, first));
  if (!last) return outcomes;

  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  writeWhole(target, bytes);
  heads.wrote(moved, end + bytes.length);
  seen.note(end + bytes.length, last.hash);
  return outcomes;
}

/** The events of an append as the same group has them already. */
function inGroup(
  outcomes: readonly AppendOutcome[],
  [first]: readonly PreparedEvent[],
): readonly StoredEvent[] | undefined {
  for (const outcome of outcomes)
    if ('stored' in outcome && outcome.stored[0]?.id === first?.event.id) return outcome.stored;
  return undefined;
}

/** An append of `log.repaired`, which says what was moved aside, to the stream of `append` and of the same source. */
function repairRecord(data: EventData<'log.repaired'>, { stream, events }: PendingAppend): PendingAppend {
  const record = events
    .slice(0, 1)
    .map(({ event: { source } }) => newEvent(source, { type: 'log.repaired', subject: stream, data }));
  return { stream, expectedVersion: 'any', events: prepareEvents(stream, record) };
}

function writeWhole({ fd, io }: CommitTarget, bytes: Buffer): void {
  try {
    let written = io.write(fd, bytes);
    // The rest is written, or that says why it is not: the disk is full.
    if (written < bytes.length) written += io.write(fd, bytes.subarray(written));
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  } catch (failure) {
    cutBack(fd, failure);
    throw failure;
  }
}

function cutBack(fd: number, failure: unknown): void {
  try {
    const size = sizeOf(fd);
    const end = endOfAppends(fd, size);
    if (end < size) ftruncateSync(fd, end);
  } catch (error) {
    // What was torn stays: the next append, of whoever, moves it to quarantine.
    throw new AggregateError([failure, error], `${String(failure)}; and cutting it back failed`, {
      cause: failure,
    });
  }
}
