import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ifThere } from '../../lib/files/if-there.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { readProcFile } from '../../lib/processes/proc-file.ts';
import { everyPid, hasProcessTable } from '../../lib/processes/process-table.ts';
import { isMissing } from '../../lib/system-error.ts';
import { Git, type GitPlace } from './git.ts';

/** A lock that is as old as this, in ms, is hardly that of a program that cannot be seen here. */
const SETTLED_MS = 2_000;

/** How often it is looked whether a git has ended, within the same time. */
const WAITS = 10;

/** Where git has its locks of what changes with a commit to the branch that is checked out. */
export type GitLocks = {
  /** The top folder of the work tree; `undefined`: there is none. */
  readonly top: string | undefined;
  readonly paths: readonly string[];
  /** Git's own folders: where references are kept in tables, their locks are there, of any name. */
  readonly gitDirs: readonly string[];
};

/** @param place - Where git is run. */
export async function locksOf(place: GitPlace): Promise<GitLocks> {
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

/** Those that are younger than a file, and when they were made, in ms; none where there is no such file. */
export function locksSince({ paths, gitDirs }: GitLocks, file: string): { path: string; at: number }[] {
  const began = changedAt(file) ?? Infinity;
  const all = [...paths, ...gitDirs.flatMap(tableLocks)];
  return all.map((path) => ({ path, at: changedAt(path) ?? -Infinity })).filter(({ at }) => at > began);
}

/**
 * Removes those that are younger than a file, unless somebody's git is at work: they may be of that. It is waited for a little:
 * git outlives whoever started it and was killed.
 *
 * @returns whether none is left.
 */
export async function removeLocksSince(locks: GitLocks, file: string, signal: AbortSignal): Promise<boolean> {
  const { top } = locks;
  const found = locksSince(locks, file);
  if (found.length === 0 || top === undefined || !hasProcessTable) return true;
  const settled = Math.max(...found.map(({ at }) => at + SETTLED_MS - Date.now()));
  await wait(Math.min(SETTLED_MS, Math.max(0, settled)), signal);
  if (!(await isGitGone(top, signal))) return false;
  const ours = locksSince(locks, file).filter(({ path, at }) =>
    found.some((each) => each.path === path && each.at === at),
  );
  for (const { path } of ours) rmSync(path, { force: true });
  return true;
}

/** Whether no git runs in a folder or below it, or none does after a little while. */
export async function isGitGone(top: string, signal: AbortSignal): Promise<boolean> {
  for (let left = WAITS; isGitAtWork(top); left -= 1) {
    if (left === 0) return false;
    await wait(SETTLED_MS / WAITS, signal);
  }
  return true;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
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
