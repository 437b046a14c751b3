import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ifThere } from '../../lib/files/if-there.ts';
import { ownText, writeOwnFile } from '../../lib/files/plain-file.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { hasProcessTable } from '../../lib/processes/process-table.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { Git } from '../git/git.ts';
import { isGitAtWork } from '../git/git-locks.ts';
import { commonDirOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { worktreeFolder } from './work-folder.ts';

/** A path. */
const MAX_BYTES = 65_536;

/** So often is looked at notes that nobody can read, with this time in between, in ms: a git that makes a worktree at this moment has them so for less. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 100;

/**
 * Mends what a git that was killed, or a power cut, has left half written of the folders in which git notes what it knows of
 * the worktrees of tasks: all that git does with worktrees and branches would fail at it. Nothing of another worktree changes.
 *
 * @throws {CliffordError} `UNCOMMITTED` when git fails at the notes of another worktree.
 */
export async function mendWorktreeNotes(
  project: Pick<Project, 'root' | 'state'>,
  signal: AbortSignal,
): Promise<void> {
  const notes = await notesOf(project, signal);
  const half = notes.filter((folder) => isUnreadable(folder) || isUnbegun(folder));
  if (half.length === 0) return;
  const own = ownFolders(project);
  const places = [await topOf(project, signal), ...own];
  for (const folder of half)
    if (isUnbegun(folder)) {
      if (isNamedAfter(folder, own) && hasProcessTable && !places.some(isGitAtWork))
        rmSync(folder, { recursive: true, force: true });
    } else if (own.has(worktreeOf(folder))) writeOwnFile(join(folder, 'commondir'), '../..\n');
  for (let looks = 1; looks < LOOKS; looks += 1) {
    if (!(await notesOf(project, signal)).some(isUnreadable)) return;
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  await refuseUnreadable(project, signal);
}

/**
 * Makes sure that git can read what it has noted of every worktree.
 *
 * @throws {CliffordError} `UNCOMMITTED`: which it cannot, and what to do.
 */
export async function refuseUnreadable(project: Pick<Project, 'root'>, signal: AbortSignal): Promise<void> {
  const folder = (await notesOf(project, signal)).find(isUnreadable);
  if (folder === undefined) return;
  const file = join(folder, 'commondir');
  throw uncommitted(
    `git fails at all worktrees and branches of the repository, since ${file} is empty`,
    `Write it anew with: echo ../.. > ${shellWord(file)}`,
  );
}

/** The top folder of the work tree that the project is in. */
async function topOf({ root }: Pick<Project, 'root'>, signal: AbortSignal): Promise<string> {
  const { stdout } = await new Git({ cwd: root, env: {}, signal }).run(['rev-parse', '--show-toplevel']);
  return stdout.toString('utf8').trim() || root;
}

/** The folders in which git notes what it knows of each worktree, absolute; none where there is no repository. */
async function notesOf({ root }: Pick<Project, 'root'>, signal: AbortSignal): Promise<string[]> {
  const common = await commonDirOf(new Git({ cwd: root, env: {}, signal }), root);
  if (common === undefined) return [];
  const all = join(common, 'worktrees');
  return ifThere(() => readdirSync(all), []).map((name) => join(all, name));
}

/** Git reads this of all worktrees at once. It does without it, but not with an empty one. */
function isUnreadable(folder: string): boolean {
  return ifThere(() => statSync(join(folder, 'commondir')).size === 0, false);
}

/** Whether git was ended before it has noted where the worktree is: it knows no such worktree, and nothing was checked out. */
function isUnbegun(folder: string): boolean {
  return placeIn(folder) === '' && existsSync(join(folder, 'locked')) && !existsSync(join(folder, 'index'));
}

/** The folder of the worktree that these notes are of. */
function worktreeOf(folder: string): string {
  return realPathToBe(dirname(resolve(folder, placeIn(folder))));
}

function placeIn(folder: string): string {
  return ownText(join(folder, 'gitdir'), { maxBytes: MAX_BYTES })?.trim() ?? '';
}

/** The folders of the worktrees of all tasks. */
function ownFolders(project: Pick<Project, 'root' | 'state'>): Set<string> {
  const tasks = [...project.state.streams.values()].flatMap((sprint) => [...sprint.tasks.values()]);
  const folders = tasks.flatMap((task) => worktreeFolder(project, task) ?? []);
  return new Set(folders.map(realPathToBe));
}

/** Git calls them as the folder of the worktree, with a number behind that where there is one of that name. */
function isNamedAfter(notes: string, folders: ReadonlySet<string>): boolean {
  const name = basename(notes);
  return [...folders].some((folder) => {
    const begin = basename(folder);
    return name.startsWith(begin) && /^\d*$/.test(name.slice(begin.length));
  });
}
