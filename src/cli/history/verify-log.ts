import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CliffordError } from '../../errors.ts';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import type { Checkpoint, EventBatch, EventLog } from '../../events/log/event-log.ts';
import { NEWLINE } from '../../events/jsonl/line-bytes.ts';
import { LogCorruptError } from '../../events/jsonl/log-errors.ts';
import { readLog } from '../../events/jsonl/read-log.ts';
import { findTornTail, type TornTail } from '../../events/jsonl/tail.ts';
import { streamPlainFile } from '../../lib/files/plain-file.ts';
import { applyEvent } from '../../machines/fold.ts';
import { checkLegality } from '../../machines/legality.ts';
import { createProjectState, createSprintState } from '../../machines/project-state.ts';
import { isSameState } from '../../workflow/project/same-state.ts';
import { loadSnapshot, type Folded } from '../../workflow/project/snapshot-cache.ts';

/** A log without damage, and a snapshot that says nothing else. */
export type Verified = {
  readonly events: number;
  readonly streams: number;
  /** Hash of the last line: base64url SHA-256, `''` for an empty log. */
  readonly head: string;
};

/** The same of a file, and what a crash left after its last complete line. No damage: nobody was told it was written. */
type VerifiedFile = Verified & { readonly tornTail: TornTail | undefined };

/** A log to verify, and the snapshot that Clifford would go on from. */
type Verifiable = {
  readonly read: (options: { after?: Checkpoint }) => AsyncIterable<EventBatch>;
  readonly snapshotPath: string;
  /** The error for the event of that number, from 1. */
  readonly damaged: (event: StoredEvent, number: number, reason: string) => Promise<CliffordError>;
};

/**
 * Verifies the log in a file.
 *
 * @throws {LogCorruptError} for the first line that does not hold.
 * @throws {CliffordError} `CACHE_WRONG` for the snapshot; `LOG_NEWER`, `LOG_INACCESSIBLE`.
 */
export async function verifyLog(file: string): Promise<VerifiedFile> {
  const verified = await verifyEvents({
    read: (options) => readLog(file, options),
    snapshotPath: join(dirname(file), 'cache', 'state.json'),
    damaged: async (_event, line, reason) =>
      new LogCorruptError({ file, line, byte: await offsetOfLine(file, line) }, reason),
  });
  return { ...verified, tornTail: existsSync(file) ? findTornTail(file) : undefined };
}

/**
 * Verifies a log on a server. `name`: for messages.
 *
 * @throws {CliffordError} `LOG_CORRUPT` for the first event that does not hold; `CACHE_WRONG`, `LOG_NEWER`, and why the server
 *   cannot be asked.
 */
export function verifyServedLog(
  log: Pick<EventLog, 'read'>,
  { name, snapshotPath }: { readonly name: string; readonly snapshotPath: string },
): Promise<Verified> {
  return verifyEvents({
    read: (options) => log.read(options),
    snapshotPath,
    damaged: async ({ subject, streamversion }, _number, reason) =>
      new CliffordError(
        `Cannot read ${name}: version ${streamversion} of ${streamOf(subject)} is damaged: ${reason}`,
        { code: 'LOG_CORRUPT', fix: 'Restore the stream from a backup' },
      ),
  });
}

/**
 * Reads a whole log, trusting nothing: each line's schema, its place in the chain of its stream, and
 * whether the machines allowed it at that moment. Then whether the snapshot beside it, if it is one that
 * Clifford would go on from, says the same.
 */
async function verifyEvents({ read, snapshotPath, damaged }: Verifiable): Promise<Verified> {
  // Before the log: what is written meanwhile must not be missing in the fold of the log.
  const snapshot = loadSnapshot(snapshotPath, createSprintState);
  const state = createProjectState();
  let events = 0;
  let end: Checkpoint | undefined;
  let last: StoredEvent | undefined;
  for await (const batch of read({})) {
    for (const event of batch.events) {
      events += 1;
      const known = state.streams.get(streamOf(event.subject));
      const verdict = checkLegality(state, event);
      if (!verdict.legal) {
        throw await damaged(
          event,
          events,
          `${event.type} is not legal there: ${verdict.who} is ${verdict.state}` +
            (known === undefined ? '' : ` after version ${known.version}`),
        );
      }
      applyEvent(state, event);
      last = event;
    }
    end = batch.checkpoint();
  }
  if (snapshot && end && !(await saysTheSame(read, snapshot, { state, checkpoint: end })))
    throw cacheWrong(snapshotPath);
  return { events, streams: state.streams.size, head: hashOf(last, end) };
}

/** The hash of the line of the last event. */
function hashOf(last: StoredEvent | undefined, end: Checkpoint | undefined): string {
  return (last && end?.heads[streamOf(last.subject)]?.hash) ?? '';
}

/** Whether a snapshot, brought up to where `logged` was folded, has come to the same. One of another log says nothing. */
async function saysTheSame(
  read: Verifiable['read'],
  { state, checkpoint }: Folded,
  logged: Folded,
): Promise<boolean> {
  let at = checkpoint;
  try {
    for await (const batch of read({ after: checkpoint })) {
      for (const event of batch.events) {
        const stream = streamOf(event.subject);
        const [from = 0, to = 0] = [state, logged.state].map(({ streams }) => streams.get(stream)?.version);
        if (event.streamversion > from && event.streamversion <= to) applyEvent(state, event);
      }
      at = batch.checkpoint();
    }
    // Where more was written since, what was just read has checked the heads.
    const isSame = at.token !== logged.checkpoint.token || isDeepStrictEqual(at, logged.checkpoint);
    return isSame && isSameState(state, logged.state);
  } catch (error) {
    // Whatever else goes wrong with it: the log was read to its end a moment ago.
    return error instanceof CliffordError && error.code === 'CHECKPOINT_STALE';
  }
}

function cacheWrong(path: string): CliffordError {
  return new CliffordError(`Cannot trust ${path}: it says something else than the log, which holds`, {
    code: 'CACHE_WRONG',
    fix: `Find out who wrote it, then remove it: it is made anew from the log`,
    recovery: 'give-up',
  });
}

/** The offset of a line's first byte. Reads the file up to it: for messages only. */
async function offsetOfLine(file: string, line: number): Promise<number> {
  let newlinesLeft = line - 1;
  let offset = 0;
  if (newlinesLeft === 0) return 0;
  for await (const chunk of streamPlainFile(file)) {
    const bytes: Buffer = chunk;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      newlinesLeft -= 1;
      if (newlinesLeft === 0) return offset + at + 1;
    }
    offset += bytes.length;
  }
  return offset;
}
