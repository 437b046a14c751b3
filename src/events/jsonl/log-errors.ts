import { CliffordError } from '../../errors.ts';
import { NotPlainFileError } from '../../lib/files/plain-file.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { Checkpoint } from '../log/event-log.ts';
import { OutcomeUnknownError } from '../log/outcome-unknown.ts';
import { NEWLINE } from './line-bytes.ts';
import { placeOf, type FilePlace } from './place.ts';
import { windowsOf } from './windows.ts';

/** Where a line of a log stands. */
export type LinePlace = {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** Offset of the line's first byte in the file. */
  readonly byte: number;
};

/** A complete line of the log is damaged. Reading stops there; nothing is cut or repaired. */
export class LogCorruptError extends CliffordError {
  override readonly name = 'LogCorruptError';
  readonly file: string;
  readonly line: number;
  readonly byte: number;

  constructor(place: LinePlace, reason: string) {
    super(`Cannot read ${place.file}: line ${place.line} (byte ${place.byte}) is damaged: ${reason}`, {
      code: 'LOG_CORRUPT',
      fix: 'Restore the file from a copy; nothing was cut, so what can be saved of it is still there',
    });
    this.file = place.file;
    this.line = place.line;
    this.byte = place.byte;
  }
}

/** Why a complete line cannot be read. */
export type LineFault = {
  /** Offset of the line's first byte in the file. */
  readonly offset: number;
  readonly reason: string;
  /** The line is sound, but only a newer Clifford understands it. */
  readonly isNewer?: boolean;
};

/** The error for a line that cannot be read. Reads the file up to it to count lines. */
export function lineError(file: string, fd: number, fault: LineFault): CliffordError {
  const place = { file, line: countNewlines(fd, fault.offset) + 1, byte: fault.offset };
  if (!fault.isNewer) return new LogCorruptError(place, fault.reason);
  return new CliffordError(`${fault.reason} (${file}, line ${place.line}, byte ${place.byte})`, {
    code: 'LOG_NEWER',
    fix: 'Upgrade clifford, then try again',
  });
}

function countNewlines(fd: number, end: number): number {
  let count = 0;
  for (const window of windowsOf(fd, 0, end))
    for (let at = window.indexOf(NEWLINE); at !== -1; at = window.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** The log, or the folder it lies in, cannot be opened. */
export function logInaccessible(path: string, cause: unknown): CliffordError {
  return new CliffordError(`Cannot open ${path}: ${messageOf(cause)}`, {
    code: 'LOG_INACCESSIBLE',
    fix:
      cause instanceof NotPlainFileError
        ? 'Move away what is there, and bring the log back if there was one'
        : 'Make the file and its folder readable and writable for this user, then try again',
    cause,
  });
}

/** Another process holds the lock and does not let go: most likely it is stopped. Nothing was written. */
export function logBusy(file: string, waitedMs: number): CliffordError {
  return new CliffordError(
    `Cannot append to ${file}: another process has held its lock for ${Math.round(waitedMs)} ms`,
    {
      code: 'LOG_BUSY',
      fix: 'Look for a suspended clifford process (state T in ps) and resume or end it, then try again',
      recovery: 'retry',
    },
  );
}

/** A write or sync failed, now or earlier: nobody knows what is on disk. */
export function logPoisoned(file: string, cause: unknown): CliffordError {
  return new OutcomeUnknownError(`Cannot append to ${file}: a write or sync failed: ${messageOf(cause)}`, {
    code: 'LOG_POISONED',
    fix: 'Free disk space or repair the disk, then try again',
    recovery: 'reopen',
    cause,
  });
}

/** The log was closed before. */
export function logClosed(file: string): CliffordError {
  return new CliffordError(`Cannot use ${file}: the log was closed`, {
    code: 'LOG_CLOSED',
    fix: 'Open the log again',
    recovery: 'reopen',
  });
}

/** Why a checkpoint is stale where there is no log any more. */
export const MISSING = 'the file is missing';

/**
 * The place that a checkpoint of this file names.
 *
 * @throws {CliffordError} `CHECKPOINT_STALE` when another log has made it.
 */
export function knownPlace(file: string, checkpoint: Pick<Checkpoint, 'token'>): FilePlace {
  const place = placeOf(checkpoint);
  if (!place) throw stale(file, checkpoint.token, 'another log made this checkpoint');
  return place;
}

/** A checkpoint that is not of this file, or of a part of it that is no longer there. */
export function checkpointStale(file: string, position: number, reason: string): CliffordError {
  return stale(file, `byte ${position}`, reason);
}

function stale(file: string, where: string, reason: string): CliffordError {
  return new CliffordError(`Cannot continue reading ${file} after ${where}: ${reason}`, {
    code: 'CHECKPOINT_STALE',
    fix: 'Read the log from the beginning',
    recovery: 'retry',
  });
}
