import { closeSync, fstatSync } from 'node:fs';
import { CliffordError } from '../../errors.ts';
import { lookAt } from '../../lib/files/folder-watch.ts';
import type { Checkpoint, EventBatch } from '../log/event-log.ts';
import { FileChanges } from './file-changes.ts';
import { LogCursor } from './log-cursor.ts';
import { checkpointStale, knownPlace, MISSING } from './log-errors.ts';
import { assertPlace, openForReading, readFrom, type Reading } from './read-log.ts';

/**
 * Every event of the log at `path` after `after`, once and in order: what is there, then what comes.
 * Ends when `signal` aborts. The file, and its folder, need not exist yet; a file that is replaced by one
 * with the same beginning is followed on.
 *
 * An event can be seen here an instant before it is durable: a writer syncs after it has released the
 * lock, so that writers do not wait for each other's disk. A power cut that takes such an event takes
 * this process as well. Who acts outside this machine on an event has to sync the log first.
 *
 * @throws as `readLog`; `CHECKPOINT_STALE`, too, when what was already read is no longer there.
 */
export async function* followLog(
  path: string,
  { after, signal }: { after?: Checkpoint | undefined; signal: AbortSignal },
  { upcasters, seen }: Reading = {},
): AsyncGenerator<EventBatch> {
  if (signal.aborted) return;
  const cursor = new LogCursor(after && { checkpoint: after, place: knownPlace(path, after) }, upcasters);
  const changes = new FileChanges(path);
  const stop = () => changes.close();
  signal.addEventListener('abort', stop, { once: true });
  let fd: number | undefined;
  try {
    do {
      const current = reopenIfReplaced(path, fd);
      const isOther = current !== fd;
      fd = current;
      if (fd === undefined) {
        if (cursor.position > 0) throw checkpointStale(path, cursor.position, MISSING);
        continue;
      }
      if (isOther || isShorter(fd, cursor)) assertPlace(fd, path, cursor);
      try {
        for await (const events of readFrom(fd, path, cursor)) {
          seen?.note(cursor.position, cursor.proof);
          yield cursor.batch(events);
          if (signal.aborted) return;
        }
      } catch (error) {
        // A file cut and written anew under the reader looks damaged, but is only another history.
        if (error instanceof CliffordError) assertPlace(fd, path, cursor);
        throw error;
      }
    } while (await changes.next());
  } finally {
    signal.removeEventListener('abort', stop);
    changes.close();
    if (fd !== undefined) closeSync(fd);
  }
}

/** The descriptor of the file that `path` names now, if it names one; `fd` itself while that is the same file. */
function reopenIfReplaced(path: string, fd: number | undefined): number | undefined {
  if (fd === undefined) return openForReading(path);
  const named = lookAt(path);
  const open = fstatSync(fd, { bigint: true });
  if (named && named.ino === open.ino && named.dev === open.dev) return fd;
  // Opened first: a descriptor that was closed gives its number to the next one, which looks like it then.
  const other = openForReading(path);
  closeSync(fd);
  return other;
}

function isShorter(fd: number, cursor: LogCursor): boolean {
  return fstatSync(fd).size < cursor.position;
}
