import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { isHeld, withLock } from '../../lib/files/kernel-lock.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import { readProcFile } from '../../lib/processes/proc-file.ts';
import { everyPid, hasProcessTable } from '../../lib/processes/process-table.ts';
import { isMissing } from '../../lib/system-error.ts';
import { workAndThen } from '../../lib/second-error.ts';
import { lockFile } from '../project/lock-file.ts';
import { readLandingMark } from '../worktree/landing-mark.ts';
import { undoLeftLanding } from '../worktree/undo-landing.ts';
import { Git, type GitPlace } from './git.ts';
import { uncommitted } from './uncommitted.ts';

/** Longest wait for another one's turn, in ms: hooks may run tests, and a checkout of a large repository takes its time. */
const TURN_LIMIT_MS = 21 * 60_000;

/** A lock that is as old as this, in ms, is hardly that of a program that cannot be seen here. */
const SETTLED_MS = 2_000;

/** How often it is looked whether a git has ended, within the same time. */
const WAITS = 10;

/**
 * Changes the branch that is checked out in the project, and its index: one at a time, so that each change is made on top of
 * the one before. What such a turn has left that was killed goes first: git's own locks, at which git would fail for ever,
 * and a landing that is half done, which would be taken for somebody's changes.
 *
 * @param place - Where git is run: in the project's root, or in the worktree of a task.
 * @param stateDir - The project's `.clifford`.
 * @param tell - Told what fails behind the work.
 * @throws the signal's reason when it aborts.
 * @throws {CliffordError} `UNCOMMITTED` when the turn of another takes too long, or what was left cannot be undone; what
 *   `work` throws.
 */
export async function inGitTurn<T>(
  place: GitPlace,
  stateDir: string,
  work: () => Promise<T>,
  tell: (problem: string) => void,
): Promise<T> {
  const { signal } = place;
  const note = lockFile(stateDir, 'commit.began');
  // In a worktree of its own a task has the only git, and whoever takes it over removes what that has left.
  const isProject = resolve(place.cwd) === dirname(stateDir);
  const turn = async () => {
    if (!isProject) return work();
    const locks = await locksOf(place);
    const isClear = await removeLeftLocks(locks, { note, signal });
    if (isClear) {
      // An agent may have put anything there.
      removeOwn(note, stateDir);
      await writeOwn(stateDir, note, '');
    }
    const undoAndWork = async () => {
      await undoLeftLanding(place, stateDir);
      return work();
    };
    const last = () => {
      // Git that is ended by force leaves its locks.
      if (isClear && leftSince(locks, changedAt(note)).length === 0) removeOwn(note, stateDir);
    };
    return workAndThen(undoAndWork, { what: `removing ${note}`, last, signal, tell });
  };
  try {
    return await withLock(lockFile(stateDir, 'commit.lock'), turn, { waitMs: TURN_LIMIT_MS, signal });
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'LOCK_BUSY') throw error;
    throw uncommitted('another commit or merge in this project took too long');
  }
}

/** Whether nobody has such a turn at this instant. */
export function isTurnFree(stateDir: string): boolean {
  return isHeld(lockFile(stateDir, 'commit.lock')) !== true;
}

/**
 * Undoes what a turn in the project has left that was ended in the middle, before somebody works in its files. It is waited
 * for one that is at work.
 *
 * @throws as {@link inGitTurn}.
 */
export async function undoLeftTurn(place: GitPlace, stateDir: string): Promise<void> {
  if (readLandingMark(stateDir) === undefined) return;
  // What fails behind it the next turn comes upon, too.
  await inGitTurn(
    place,
    stateDir,
    () => Promise.resolve(),
    () => undefined,
  );
}

/** Where git has its locks of what a turn changes. */
type Locks = {
  /** The top folder of the work tree; `undefined`: there is none. */
  readonly top: string | undefined;
  readonly paths: readonly string[];
  /** Git's own folders: where references are kept in tables, their locks are there, of any name. */
  readonly gitDirs: readonly string[];
};

async function locksOf(place: GitPlace): Promise<Locks> {
  const git = new Git(place);
  const branch = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('utf8').trim();
  const names = ['index', 'HEAD', 'packed-refs', ...(branch === '' ? [] : [branch])].flatMap((name) => [
    '--git-path',
    `${name}.lock`,
  ]);
  const asked = ['--show-toplevel', '--git-dir', '--git-common-dir', ...names];
  const { code, stdout } = await git.run(['rev-parse', ...asked]);
  if (code !== 0) return { top: undefined, paths: [], gitDirs: [] };
  const [top, ...paths] = stdout.toString('utf8').trim().split('\n');
  const resolved = paths.map((path) => resolve(place.cwd, path));
  return { top, gitDirs: [...new Set(resolved.slice(0, 2))], paths: resolved.slice(2) };
}

/** Those that were made since, in ms; none where nothing began. */
function leftSince({ paths, gitDirs }: Locks, began = Infinity): { path: string; at: number }[] {
  const all = [...paths, ...gitDirs.flatMap(tableLocks)];
  return all.map((path) => ({ path, at: changedAt(path) ?? -Infinity })).filter(({ at }) => at > began);
}

/**
 * Removes those that were made since a turn began that has not come to its end, unless somebody's git is at work: they may be
 * of that. It is waited for a little: git outlives a runner that is killed.
 *
 * @returns whether none is left.
 */
async function removeLeftLocks(
  locks: Locks,
  { note, signal }: { note: string; signal: AbortSignal },
): Promise<boolean> {
  const { top } = locks;
  const began = changedAt(note);
  const found = leftSince(locks, began);
  if (found.length === 0 || top === undefined || !hasProcessTable) return true;
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  const settled = Math.max(...found.map(({ at }) => at + SETTLED_MS - Date.now()));
  await wait(Math.min(SETTLED_MS, Math.max(0, settled)));
  for (let left = WAITS; isGitAtWork(top); left -= 1) {
    if (left === 0) return false;
    await wait(SETTLED_MS / WAITS);
  }
  const ours = leftSince(locks, began).filter(({ path, at }) =>
    found.some((each) => each.path === path && each.at === at),
  );
  for (const { path } of ours) rmSync(path, { force: true });
  return true;
}

/** What locks references in one of git's own folders, where it keeps them in tables: `git init --ref-format=reftable`. */
export function tableLocks(gitDir: string): string[] {
  const folder = join(gitDir, 'reftable');
  return ifThere(() => readdirSync(folder), [])
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(folder, name));
}

/** When a file was written last, in ms; `undefined`: there is none. */
function changedAt(path: string): number | undefined {
  return ifThere(() => statSync(path).mtimeMs, undefined);
}

/** Whether git runs in this folder or below it: what it is about is not known of one that is another user's. Linux only. */
export function isGitAtWork(top: string): boolean {
  return everyPid()
    .filter((pid) => /^git(?:$|-)/.test(readProcFile(pid, 'comm')?.trim() ?? ''))
    .some((pid) => {
      try {
        return isInside(top, readlinkSync(`/proc/${pid}/cwd`));
      } catch (error) {
        return !isMissing(error);
      }
    });
}
