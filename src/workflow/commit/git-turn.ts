import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import { readProcFile } from '../../lib/processes/proc-file.ts';
import { everyPid, hasProcessTable } from '../../lib/processes/process-table.ts';
import { isMissing } from '../../lib/system-error.ts';
import { lockFile } from '../project/lock-file.ts';
import { Git, type GitPlace } from './git.ts';
import { uncommitted } from './uncommitted.ts';

/** Longest wait for another one's turn, in ms: hooks may run tests, and a checkout of a large repository takes its time. */
const TURN_LIMIT_MS = 21 * 60_000;

/** A lock that is as old as this, in ms, is hardly that of a program that cannot be seen here. */
const SETTLED_MS = 2_000;

/**
 * Changes the branch that is checked out in the project, and its index: one at a time, so that each change is made on top of
 * the one before. Git's own locks that such a turn has left, whose programs were killed, are removed first: git would
 * fail at them for ever.
 *
 * @param place - Where git is run: in the project's root.
 * @param stateDir - The project's `.clifford`.
 * @throws the signal's reason when it aborts.
 * @throws {CliffordError} `UNCOMMITTED` when the turn of another takes too long; what `work` throws.
 */
export async function inGitTurn<T>(place: GitPlace, stateDir: string, work: () => Promise<T>): Promise<T> {
  const { signal } = place;
  const note = lockFile(stateDir, 'commit.began');
  const turn = async () => {
    const isClear = await removeLeftLocks(place, note);
    if (isClear) await writeOwn(stateDir, note, '');
    try {
      return await work();
    } finally {
      // Git that is ended by force leaves its locks.
      if (isClear && !signal.aborted) removeOwn(note, stateDir);
    }
  };
  try {
    return await withLock(lockFile(stateDir, 'commit.lock'), turn, { waitMs: TURN_LIMIT_MS, signal });
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'LOCK_BUSY') throw error;
    throw uncommitted('the commit of another sprint took too long');
  }
}

/**
 * Removes those that were made since a turn began that has not come to its end, unless somebody's git is at work: they may be
 * of that.
 *
 * @returns whether none is left.
 */
async function removeLeftLocks(place: GitPlace, note: string): Promise<boolean> {
  const began = changedAt(note);
  if (began === undefined || !hasProcessTable) return true;
  const git = new Git(place);
  const branch = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('utf8').trim();
  const names = ['index', 'HEAD', ...(branch === '' ? [] : [branch])].flatMap((name) => [
    '--git-path',
    `${name}.lock`,
  ]);
  const { code, stdout } = await git.run([
    'rev-parse',
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
    ...names,
  ]);
  const [top, own, common, ...paths] = stdout.toString('utf8').trim().split('\n');
  if (code !== 0 || top === undefined || own === undefined || common === undefined) return true;
  const left = () =>
    [...paths, ...[own, common].flatMap((folder) => tableLocks(resolve(place.cwd, folder)))]
      .map((path) => resolve(place.cwd, path))
      .map((path) => ({ path, at: changedAt(path) ?? -Infinity }))
      .filter(({ at }) => at > began);
  const found = left();
  if (found.length === 0) return true;
  const { signal } = place;
  const settleMs = Math.max(0, ...found.map(({ at }) => at + SETTLED_MS - Date.now()));
  await pause(settleMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  if (isGitAtWork(top)) return false;
  const ours = left().filter(({ path, at }) => found.some((each) => each.path === path && each.at === at));
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
function isGitAtWork(top: string): boolean {
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
