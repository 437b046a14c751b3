import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import type { WorkTreeSnapshot } from '../commit/snapshot.ts';
import { CHECKOUT_LIMIT_MS, splitNul, withLastLines, type Git, type GitPlace } from '../git/git.ts';
import { tableLocks } from '../git/git-locks.ts';
import { mergingGit } from '../git/merging-git.ts';
import { hasBranch, isAncestor, refOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { WorktreeMerge } from './worktree-merge.ts';

/** Where a worktree is, and what its branch is called. `folder`: absolute. */
export type WorktreePlace = {
  readonly folder: string;
  readonly branch: string;
  /** The commit it begins with. */
  readonly base: string;
  /** Where the project is in it, with `/` at its end; none: that is its top. */
  readonly prefix?: string | undefined;
};

/** What the name of a folder ends with that is being removed. */
const GOING = '~removed';

/** The git of one worktree. The caller sees to it that nobody else works in it meanwhile. */
export class TaskWorktree {
  readonly #place: WorktreePlace;
  /** In the project's own folder. */
  readonly #home: Git;
  /** In the worktree. */
  readonly #git: Git;
  /** The merges that are made in it. */
  readonly merge: WorktreeMerge;

  private constructor(place: WorktreePlace, home: Git, git: Git) {
    this.#place = place;
    this.#home = home;
    this.#git = git;
    this.merge = new WorktreeMerge(place, git);
  }

  /** @param how - Where the project is, and what ends git. */
  static async at(place: WorktreePlace, how: GitPlace): Promise<TaskWorktree> {
    const home = await mergingGit(how);
    const isThere = ifThere(() => statSync(place.folder).isDirectory(), false);
    const configured = isThere ? place.folder : how.cwd;
    return new TaskWorktree(place, home, await mergingGit({ ...how, cwd: place.folder }, configured));
  }

  /** Whether its folder is there and git knows it. */
  async isThere(): Promise<boolean> {
    const { folder } = this.#place;
    // Without its own link to the repository git would look at another one above it.
    return existsSync(join(folder, '.git')) && (await this.#isKnown());
  }

  /** Whether its branch is checked out in another folder: then it is not that of its task. */
  async isTaken(): Promise<boolean> {
    const { folder, branch } = this.#place;
    const own = realPathToBe(folder);
    return (await this.#all()).some((each) => each.branch === refOf(branch) && each.path !== own);
  }

  /** @throws {CliffordError} when something is where its folder is to be that git does not know as its worktree. */
  assertNoFolder(): void {
    const { folder } = this.#place;
    if (hasFolder(folder) && readdirSync(folder).length > 0)
      throw uncommitted(
        `git does not know the worktree ${folder} any more`,
        `Have git know it with: git worktree repair ${folder}, or move it away`,
      );
  }

  /** Makes it, with its branch where there is none yet. What was begun and not ended before is taken away first. */
  async add(): Promise<void> {
    const { folder, branch, base } = this.#place;
    // Its folder may be gone, and git not know it.
    if (!existsSync(folder)) await this.#home.run(['worktree', 'remove', '--force', '--force', folder]);
    const what = (await hasBranch(this.#home, branch))
      ? [folder, branch]
      : ['--no-track', '-b', branch, folder, base];
    await this.#home.read(['worktree', 'add', '--quiet', ...what], { limitMs: CHECKOUT_LIMIT_MS });
  }

  /**
   * Takes the folder and git's notes of it away.
   *
   * @throws {CliffordError} why it is still there. Somebody's work may be in a folder that git does not know.
   */
  async remove(): Promise<void> {
    if (!(await this.isThere())) this.assertNoFolder();
    const { folder } = this.#place;
    const going = `${folder}${GOING}`;
    // At once: whoever comes after a crash finds it whole, or sees that it was to go.
    if (hasFolder(folder)) {
      rmSync(going, { recursive: true, force: true });
      renameSync(folder, going);
    }
    // Twice: also one whose making was interrupted, which git has locked.
    const { how, stderr } = await this.#home.run(['worktree', 'remove', '--force', '--force', folder]);
    rmSync(going, { recursive: true, force: true, maxRetries: 3 });
    if (await this.#isKnown()) throw uncommitted(withLastLines(how, stderr));
  }

  /**
   * Removes its branch, if that still names this commit. Nobody else works on it any more.
   *
   * @throws {CliffordError} why it is still there.
   */
  async removeBranch(tip: string): Promise<void> {
    const ref = refOf(this.#place.branch);
    rmSync(await this.#home.path(`${ref}.lock`), { force: true });
    const { code, how, stderr } = await this.#home.run(['update-ref', '-d', ref, tip]);
    if (code !== 0 && (await this.tip()) === tip) throw uncommitted(withLastLines(how, stderr));
  }

  /** The last commit of its branch; `undefined`: there is no such branch. */
  async tip(): Promise<string | undefined> {
    const { code, stdout } = await this.#home.run([
      'rev-parse',
      '--quiet',
      '--verify',
      `${refOf(this.#place.branch)}^{commit}`,
    ]);
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  }

  /** The commit that a name, such as that of a branch, stands for. */
  async commitOf(name: string): Promise<string> {
    return (await this.#home.read(['rev-parse', '--verify', `${name}^{commit}`])).trim();
  }

  /** As {@link isAncestor}. */
  async isIn(sha: string, other: string): Promise<boolean> {
    return isAncestor(this.#home, sha, other);
  }

  /** How many commits its branch has that another one, or the history of a commit, has not. */
  async commitsAhead(other: string): Promise<number> {
    return Number(await this.#home.read(['rev-list', '--count', `${other}..${refOf(this.#place.branch)}`]));
  }

  /** The files that its branch has changed since it left another one, from the top of the repository. */
  async changedSince(other: string): Promise<string[]> {
    const { branch } = this.#place;
    const range = `${refOf(other)}...${refOf(branch)}`;
    return splitNul(await this.#home.read(['diff', '--name-only', '--no-renames', '-z', range]));
  }

  /**
   * The files of which something is in no commit. Ignored ones do not count, nor those that git did not know when the work
   * began.
   *
   * @param before - How the files were then.
   */
  async changesSince(before: WorkTreeSnapshot | undefined): Promise<string[]> {
    const { prefix = '' } = this.#place;
    const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
    const known = new Set(before?.files.map(([path]) => `?? ${prefix}${path}`));
    return splitNul(await this.#git.read(args)).flatMap((line) => (known.has(line) ? [] : [line.slice(3)]));
  }

  /**
   * Brings it into a known state after whatever ended in it: locks of programs that are gone are removed, and a merge of
   * Clifford's that was interrupted is undone, which had nothing in its files that no commit has.
   *
   * @throws {CliffordError} when its branch is not the one that is checked out.
   */
  async recover(): Promise<void> {
    const { branch } = this.#place;
    await this.removeLocks();
    await this.merge.undo();
    const { stdout } = await this.#git.run(['symbolic-ref', '--quiet', 'HEAD']);
    const on = stdout.toString('utf8').trim();
    if (on !== refOf(branch))
      throw uncommitted(
        `its worktree is on ${on === '' ? 'no branch' : on.replace('refs/heads/', '')}, not on ${branch}`,
        `Check it out there with: git switch ${branch}`,
      );
  }

  /** Removes the locks of git's programs that were killed in it. */
  async removeLocks(): Promise<void> {
    for (const name of ['index.lock', 'HEAD.lock', `${refOf(this.#place.branch)}.lock`])
      rmSync(await this.#git.path(name), { force: true });
    // Those of its own HEAD: what locks the branches, where they are in tables, is of all worktrees.
    for (const lock of tableLocks(await this.#git.path('.'))) rmSync(lock, { force: true });
  }

  async #isKnown(): Promise<boolean> {
    const own = realPathToBe(this.#place.folder);
    return (await this.#all()).some(({ path }) => path === own);
  }

  /** All that git knows, with the branch that is checked out in each. */
  async #all(): Promise<{ readonly path: string | undefined; readonly branch: string | undefined }[]> {
    const list = await this.#home.read(['worktree', 'list', '--porcelain']);
    const valueOf = (lines: string, name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(lines)?.[1];
    return list
      .split('\n\n')
      .map((lines) => ({ path: valueOf(lines, 'worktree'), branch: valueOf(lines, 'branch') }));
  }
}

/** Whether the folder of a worktree is there. @throws {CliffordError} when something else is, which is nobody's but the user's. */
function hasFolder(folder: string): boolean {
  const found = ifThere(() => lstatSync(folder), undefined);
  if (found && !found.isDirectory())
    throw uncommitted(`${folder}, where its worktree is to be, is no folder`, 'Move it away');
  return found !== undefined;
}
