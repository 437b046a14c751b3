import { chmod, cp, lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf, isMissing, machineTrouble } from '../../lib/system-error.ts';
import { runCommand, type CommandPlace } from '../verify/run-command.ts';
import { sweepCopies, withCopies } from './beside-worktree.ts';

/** Longest time that a worktree may take to be set up, in ms: dependencies are installed. */
const SETUP_LIMIT_MS = 30 * 60_000;

/** Where files are copied from and to, absolute: the project, the worktree, and the place of the project in it. */
export type FillPlace = { readonly root: string; readonly worktree: string; readonly workRoot: string };

/** What makes a worktree fit for work: a command that is run in it, and files and folders of the project. */
export type Filling = { readonly setup: string | undefined; readonly copy: readonly string[] };

/**
 * Makes a worktree, or a checkout for one task, fit for work. What is there already stays as it is.
 *
 * @returns the files and folders that were copied.
 * @throws {CliffordError} `SETUP_FAILED`, with the end of what the command printed, or with what cannot be copied.
 * @throws the signal's reason when it aborts. Nothing of the command is left.
 */
export async function fillWorktree(
  place: FillPlace,
  { setup, copy }: Filling,
  { taskId, ...how }: Pick<CommandPlace, 'env' | 'signal'> & { readonly taskId: string },
): Promise<string[]> {
  const copied = await copyInto(place, copy, taskId);
  if (setup !== undefined) await setUp(setup, { ...how, cwd: place.workRoot, taskId });
  return copied;
}

/**
 * Copies files and folders that git does not have into a worktree, those that are not there yet. What is missing in the
 * project is left out.
 *
 * @param paths - From the project's root.
 * @returns those that were copied.
 */
async function copyInto(
  { root, worktree, workRoot }: FillPlace,
  paths: readonly string[],
  taskId: string,
): Promise<string[]> {
  const isDue = async (path: string) =>
    (await isThere(join(root, path))) &&
    !(await isThere(join(workRoot, path))) &&
    isInside(workRoot, join(workRoot, path));
  const named = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) === undefined || machineTrouble(error) !== undefined) throw error;
      throw notCopied(`${path} into the worktree of task ${taskId}`, error);
    }
  };
  await sweepCopies(worktree);
  // Mostly there is nothing to copy: nothing is made beside the worktree then, which a kill would leave.
  const due: string[] = [];
  for (const path of paths) if (await named(path, () => isDue(path))) due.push(path);
  if (due.length === 0) return [];
  return withCopies(worktree, async (aside) => {
    const copied: string[] = [];
    for (const [index, path] of due.entries()) {
      const [from, to] = [join(root, path), join(workRoot, path)];
      const isCopied = await named(path, async () => {
        if (!(await isDue(path))) return false;
        await mkdir(dirname(to), { recursive: true });
        return copyWhole(from, to, join(aside, `copy-${index}`));
      });
      if (isCopied) copied.push(path);
    }
    return copied;
  });
}

/**
 * Copies aside first, and renames: after a kill or on a full disk there is nothing, which the next try tells from the whole.
 *
 * @returns whether it is this copy that is there: somebody else who fills the worktree may have come first.
 */
async function copyWhole(from: string, to: string, aside: string): Promise<boolean> {
  await cp(from, aside, { recursive: true, verbatimSymlinks: true });
  const found = await lstat(aside);
  // Only a folder that its owner can write to goes into another one.
  const isReadOnly = found.isDirectory() && (found.mode & 0o200) === 0;
  if (isReadOnly) await chmod(aside, found.mode | 0o200);
  try {
    await rename(aside, to);
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
  if (isReadOnly) await chmod(to, found.mode);
  return true;
}

function notCopied(what: string, cause: unknown): CliffordError {
  return new CliffordError(`Cannot copy ${what}: ${messageOf(cause)}`, {
    code: 'SETUP_FAILED',
    fix: 'Correct worktrees.copy in clifford.json, or what it names',
    cause,
  });
}

/**
 * Runs the command that makes a worktree fit for work, such as `npm ci`.
 *
 * @throws {CliffordError} `SETUP_FAILED`, with the end of what it printed.
 * @throws the signal's reason when it aborts. Nothing of the command is left.
 */
async function setUp(
  command: string,
  { taskId, ...place }: Omit<CommandPlace, 'limitMs'> & { readonly taskId: string },
): Promise<void> {
  place.signal.throwIfAborted();
  const { code, how, output } = await runCommand(command, { ...place, limitMs: SETUP_LIMIT_MS });
  place.signal.throwIfAborted();
  if (code === 0) return;
  const printed = output === '' ? '' : `: ${output.slice(-2_000)}`;
  throw new CliffordError(`Cannot set up the worktree of task ${taskId}: \`${command}\` ${how}${printed}`, {
    code: 'SETUP_FAILED',
    fix: 'Correct worktrees.setup in clifford.json, or what it needs',
  });
}

/** The folder that it would be in is no link that leads out of the worktree: one may have come with the checkout. */
function isInside(workRoot: string, to: string): boolean {
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    const real = realPath(folder);
    if (real === undefined && folder !== dirname(folder)) continue;
    const from = relative(realPath(workRoot) ?? workRoot, real ?? folder);
    return from !== '..' && !from.startsWith(`..${sep}`);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
