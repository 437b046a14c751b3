import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../../workflow/project/lock-file.ts';
import { NotPlainFileError } from '../../lib/files/plain-file.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { CliffordError } from '../../errors.ts';
import { tryHold, withLock, type HeldLock } from '../../lib/files/kernel-lock.ts';
import type { TemporaryEdit } from '../agents/agent-adapter.ts';
import { EditJournal, namesIn } from '../../workflow/temporary-edits/edit-journal.ts';
import { editJournalFolder, hasTemporaryEdits } from '../../workflow/temporary-edits/journal-folder.ts';
import { undoEdit, applyEdit } from './apply-edit.ts';
import { removeEmptyFolders } from './users-file.ts';

/**
 * The user's files that agents of this runner need changed while they run.
 *
 * Every run that needs one holds a kernel lock on a file of its own in `.clifford/temporary-edits/users/`. The kernel
 * lets go of it when the runner dies: who still needs the files is known after any crash. When nobody does,
 * whoever looks next gives them back.
 */
export class TemporaryEdits {
  readonly #stateDir: string;
  readonly #report: (note: string) => void;
  readonly #users = new Map<string, HeldLock>();

  /**
   * @param stateDir - The project's `.clifford`.
   * @param report - Told what the owner of a file should know.
   */
  constructor(stateDir: string, report: (note: string) => void) {
    this.#stateDir = stateDir;
    this.#report = report;
  }

  /**
   * Changes the files for a run.
   *
   * @throws {CliffordError} `JSON_UNFIT` when a file has no place for what is to be added; `FILE_UNWRITABLE` when
   *   it cannot be read or replaced; `LOCK_BUSY`, `LOCK_INACCESSIBLE`. The files are as they were then.
   */
  async apply(runId: string, files: readonly TemporaryEdit[]): Promise<void> {
    const journal = new EditJournal(editJournalFolder(this.#stateDir));
    await alone(this.#stateDir, () => {
      makeOwnFolder(editJournalFolder(this.#stateDir));
      makeOwnFolder(usersOf(this.#stateDir));
      this.#tell(settle(this.#stateDir));
      const user = tryHold(join(usersOf(this.#stateDir), runId));
      if (user) this.#users.set(runId, user);
      try {
        for (const file of files) change(journal, file);
      } catch (error) {
        this.#leave(runId);
        throw error;
      }
    });
  }

  /** A run needs its files no longer. They are given back unless another one does. */
  async undo(runId: string): Promise<void> {
    if (this.#users.has(runId)) await alone(this.#stateDir, () => this.#leave(runId));
  }

  /** No run of this runner needs files any longer. */
  async undoAll(): Promise<void> {
    for (const runId of this.#users.keys()) await this.undo(runId);
  }

  #leave(runId: string): void {
    this.#users.get(runId)?.release();
    this.#users.delete(runId);
    this.#tell(settle(this.#stateDir));
  }

  #tell(notes: readonly string[]): void {
    for (const note of notes) this.#report(note);
  }
}

/**
 * Gives files back that a runner which was killed had changed. Costs a look for a folder where there are none.
 * Returns what their owner should know.
 *
 * @param stateDir - The project's `.clifford`.
 */
export async function giveBackLeftFiles(stateDir: string): Promise<string[]> {
  if (!hasTemporaryEdits(stateDir)) return [];
  try {
    return await alone(stateDir, () => settle(stateDir));
  } catch (error) {
    if (error instanceof CliffordError) return [error.message];
    throw error;
  }
}

function change(journal: EditJournal, file: TemporaryEdit): void {
  try {
    applyEdit(journal, file);
  } catch (cause) {
    // A folder in its place, no right to write, a full disk.
    const isRefused = cause instanceof NotPlainFileError || (cause instanceof Error && 'syscall' in cause);
    if (!isRefused) throw cause;
    throw new CliffordError(`Cannot change ${file.path} for a run: ${cause.message}`, {
      code: 'FILE_UNWRITABLE',
      fix: 'Make it a file that this user can read and replace',
      cause,
    });
  }
}

/** Gives back what nobody needs. The caller holds the lock. */
function settle(stateDir: string): string[] {
  const users = usersOf(stateDir);
  const marks = namesIn(users).map((name) => join(users, name));
  if (marks.filter(lives).length > 0) return [];
  const journal = new EditJournal(editJournalFolder(stateDir));
  const notes = journal.appliedEdits().flatMap((applied) => {
    try {
      return undoEdit(journal, applied) ?? [];
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      return [`Cannot restore ${applied.path}: ${error.message}`];
    }
  });
  journal.removeLeftovers();
  removeEmptyFolders([users, editJournalFolder(stateDir)]);
  return notes;
}

/** Whether the runner of a user lives. The marks of others are taken away. */
function lives(mark: string): boolean {
  // What is no file holds no lock, and was not made by Clifford.
  const isFile = lstatSync(mark, { throwIfNoEntry: false })?.isFile() ?? false;
  const lock = isFile ? tryHold(mark) : undefined;
  if (isFile && !lock) return true;
  rmSync(mark, { force: true, recursive: true });
  lock?.release();
  return false;
}

function alone<T>(stateDir: string, work: () => T): Promise<T> {
  return withLock(lockFile(stateDir, 'temporary-edits.lock'), async () => work());
}

function usersOf(stateDir: string): string {
  return join(editJournalFolder(stateDir), 'users');
}
