import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { tryHold, type HeldLock } from '../../lib/files/kernel-lock.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { NotPlainFileError, writeOwnFile } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import type { Launch } from '../agents/agent-adapter.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';

/** Where the private folders of runs are, below the project's `.clifford/`. */
export function runsDir(stateDir: string): string {
  return join(stateDir, 'runs');
}

/** The private folder of a run. */
export function runDir(stateDir: string, runId: string): string {
  return join(runsDir(stateDir), runId);
}

/** Beside a run's folder: who made that holds a kernel lock on this file. In it stands which agent needs the folder. */
export function ownerFileOf(dir: string): string {
  return `${dir}.lock`;
}

/**
 * The files that a run needs while it lives: mode 0600, in a folder of mode 0700. When their owner is killed, the
 * kernel lets go of the lock, and whoever looks next removes them.
 */
export class RunFiles {
  readonly #dir: string;
  /** What has the folder of all runs: no folder above is ours to make. */
  readonly #base: string;
  #lock: HeldLock | undefined;

  constructor(dir: string) {
    this.#dir = dir;
    this.#base = dirname(dirname(dir));
  }

  /**
   * @throws {CliffordError} `RUN_FILES_INACCESSIBLE`, `LOCK_INACCESSIBLE` when they cannot be written, e.g. because
   *   the disk is full. Nothing of them is left then.
   */
  write(launch: Pick<Launch, 'files' | 'links'>): void {
    this.#orTell(() => {
      try {
        this.#make(launch);
      } catch (error) {
        if (this.#lock) this.remove();
        throw error;
      }
    });
  }

  /** They stay while this agent lives, even if its runner is killed. */
  keepFor({ pid, processStart, bootId }: ProcessIdentity): void {
    this.#orTell(() => {
      if (this.#lock) writeOwnFile(ownerFileOf(this.#dir), JSON.stringify({ pid, processStart, bootId }));
    });
  }

  /** Takes them away. Safe to call twice, and when none were written. What a link leads to is not removed. */
  remove(): void {
    // First: whatever is left of the folder after a crash has no owner.
    removeOwn(ownerFileOf(this.#dir), this.#base);
    removeOwn(this.#dir, this.#base);
    this.#lock?.release();
    this.#lock = undefined;
  }

  #make({ files = [], links = [] }: Pick<Launch, 'files' | 'links'>): void {
    // Before there is a folder: nobody may take it for one that was left.
    if (files.length + links.length > 0) this.#lock ??= tryHold(ownerFileOf(this.#dir));
    for (const { path, text } of files) {
      this.#makeFolder(dirname(path));
      writeOwnFile(path, text);
    }
    for (const { path, target, isFolder } of links) {
      if (isFolder) mkdirSync(target, { recursive: true, mode: 0o700 });
      this.#makeFolder(dirname(path));
      symlinkSync(target, path);
    }
  }

  /** An agent may have put a link where `runs` was, which leads anywhere. */
  #makeFolder(folder: string): void {
    makeOwnFolders(folder, this.#base);
  }

  #orTell(work: () => void): void {
    try {
      work();
    } catch (cause) {
      if (cause instanceof CliffordError) throw cause;
      const reason =
        cause instanceof NotPlainFileError ? cause.message : `the system says ${systemCodeOf(cause)}`;
      throw new CliffordError(`Cannot write ${this.#dir}: ${reason}`, {
        code: 'RUN_FILES_INACCESSIBLE',
        fix: 'Free disk space, or make the folder writable for this user, then run the sprint again',
        cause,
      });
    }
  }
}
