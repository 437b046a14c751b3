import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliffordError } from '../../errors.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { messageOf } from '../../lib/message-of.ts';
import { isRefused } from '../../lib/system-error.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { gitFailed } from '../git/git-failed.ts';
import { CHECKOUT_LIMIT_MS, splitNul, withLastLines, type Git, type GitPlace } from '../git/git.ts';
import { isGitGone, tableLocks } from '../git/git-locks.ts';
import { mergingGit } from '../git/merging-git.ts';
import { findRepository, hasBranch, headOf, isAncestor, refOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { listWorktrees } from '../git/worktree-list.ts';
import { makeBeside, removeBeside } from './beside-worktree.ts';
import type { WorktreeKeeper } from './keeper.ts';
import { WorktreeMerge } from './worktree-merge.ts';

/** Where a worktree is, and what its branch is called. `folder`: absolute. */
export type WorktreePlace = {
  readonly folder: string;
  readonly branch: string;
  /** The commit it begins with. */
  readonly base: string;
};

/** What is done about what would be destroyed in it, and what ends git. */
type WorktreeParts = GitPlace & { readonly keeper: WorktreeKeeper };

/** A path. */
const MAX_BYTES = 65_536;

/** The git of one worktree. The caller sees to it that nobody else works in it meanwhile. */
export class TaskWorktree {
  readonly #place: WorktreePlace;
  /** In the project's own folder. */
  readonly #home: Git;
  /** In the worktree. */
  readonly #git: Git;
  readonly #keeper: WorktreeKeeper;
  readonly #signal: AbortSignal;
  /** Where the project is. */
  readonly #cwd: string;
  /** The merges that are made in it. */
  readonly merge: WorktreeMerge;

  private constructor(place: WorktreePlace, { keeper, signal, cwd }: WorktreeParts, home: Git, git: Git) {
    this.#place = place;
    this.#home = home;
    this.#git = git;
    this.#keeper = keeper;
    this.#signal = signal;
    this.#cwd = cwd;
    this.merge = new WorktreeMerge(place, git, keeper);
  }

  /** @param parts - `cwd`: where the project is. */
  static async at(place: WorktreePlace, parts: WorktreeParts): Promise<TaskWorktree> {
    const { keeper: _, ...how } = parts;
    const home = await mergingGit(how);
    const isThere = ifThere(() => statSync(place.folder).isDirectory(), false);
    const configured = isThere ? place.folder : how.cwd;
    const git = await mergingGit({ ...how, cwd: place.folder }, configured);
    return new TaskWorktree(place, parts, home, git);
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
    return (await listWorktrees(this.#home)).some(
      (each) => each.branch === refOf(branch) && each.path !== own,
    );
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
    // Of a git that was killed while it made the branch: nobody else makes it.
    const lock = await this.#home.path(`${refOf(branch)}.lock`);
    if (existsSync(lock) && (await isGitGone(this.#cwd, this.#signal))) rmSync(lock, { force: true });
    const what = (await hasBranch(this.#home, branch))
      ? [folder, branch]
      : ['--no-track', '-b', branch, folder, base];
    await this.#home.read(['worktree', 'add', '--quiet', ...what], { limitMs: CHECKOUT_LIMIT_MS });
  }

  /**
   * Makes sure that it can be removed and nothing is lost with it: what {@link remove} keeps is not.
   *
   * @throws {CliffordError} `UNCOMMITTED`: why it has to stay.
   */
  async requireRemovable(): Promise<void> {
    if (!(await this.isThere())) this.assertNoFolder();
    else if (this.#isComplete()) await this.#keeper.requireKeepable();
  }

  /** As {@link WorktreeKeeper.requirePushed}. */
  async requirePushed(): Promise<void> {
    await this.#keeper.requirePushed();
  }

  /**
   * Takes the folder and git's notes of it away. What is in no commit there, or on no branch, is kept.
   *
   * @returns why files of it are left beside its place, which is free all the same. They go the next time, if they can; `undefined`: none are.
   * @throws {CliffordError} why it is still there. Somebody's work may be in a folder that git does not know.
   */
  async remove(): Promise<CliffordError | undefined> {
    await this.requireRemovable();
    if ((await this.isThere()) && this.#isComplete())
      await this.#keeper.keep({ known: [], made: await this.merge.made(), isRemoved: true });
    const { folder } = this.#place;
    if (hasFolder(folder)) moveAside(folder);
    // Twice: also one whose making was interrupted, which git has locked.
    const { how, stderr } = await this.#home.run(['worktree', 'remove', '--force', '--force', folder]);
    const left = await removeBeside(folder);
    if (await this.#isKnown()) throw gitFailed(withLastLines(how, stderr));
    const fix = left && `See what is in it, and remove it with: sudo rm -rf ${shellWord(left.path)}`;
    return left && uncommitted(`${left.path} cannot be removed: ${messageOf(left.error)}`, fix, 'permission');
  }

  /** Whether git has come to the end of making it: nobody has worked in one before. */
  #isComplete(): boolean {
    const link = ownText(join(this.#place.folder, '.git'), { maxBytes: MAX_BYTES }) ?? '';
    const [, notes = ''] = /^gitdir: (.*)$/m.exec(link) ?? [];
    return ownText(join(notes, 'locked'), { maxBytes: MAX_BYTES })?.trim() !== 'initializing';
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
    if (code !== 0 && (await this.tip()) === tip) throw gitFailed(withLastLines(how, stderr));
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

  /** How many commits its branch has that another one has not. */
  async commitsAhead(other: string): Promise<number> {
    const range = `${refOf(other)}..${refOf(this.#place.branch)}`;
    return Number(await this.#home.read(['rev-list', '--count', range]));
  }

  /** The files that its branch has changed since it left another one, from the top of the repository. */
  async changedSince(other: string): Promise<string[]> {
    const { branch } = this.#place;
    const range = `${refOf(other)}...${refOf(branch)}`;
    return splitNul(await this.#home.read(['diff', '--name-only', '--no-renames', '-z', range]));
  }

  /**
   * The files of which something is in no commit, from the top of the repository; none where it is not there. Ignored ones do not
   * count, nor those that are as they were when the work began.
   */
  async work(): Promise<string[]> {
    if (!(await this.isThere()) || !this.#isComplete()) return [];
    return [...(await this.#keeper.changes()).own.keys()];
  }

  /** The files that are as they were when the work began and in no commit: copied, or made by the setup. From the top. */
  async prepared(): Promise<string[]> {
    return [...(await this.#keeper.changes()).prepared.keys()];
  }

  /**
   * After whatever ended in it locks of programs that are gone are removed, and a merge of Clifford's that was interrupted is undone,
   * or the way back from one. What somebody has made in it meanwhile is kept.
   */
  async undoMerge(): Promise<void> {
    await this.removeLocks();
    await this.merge.undo();
  }

  /**
   * The same, which brings it into a known state.
   *
   * @throws {CliffordError} when its branch is not the one that is checked out, as during a rebase.
   */
  async recover(): Promise<void> {
    const { branch } = this.#place;
    await this.undoMerge();
    const { stdout } = await this.#git.run(['symbolic-ref', '--quiet', 'HEAD']);
    const on = stdout.toString('utf8').trim();
    if (on === refOf(branch)) return;
    const { underWay } = await findRepository(this.#git, this.#place.folder);
    if (underWay !== undefined)
      throw uncommitted(`${underWay} is under way in its worktree`, 'End it there: git status says how');
    const elsewhere = `its worktree is on ${on === '' ? 'no branch' : on.replace('refs/heads/', '')}, not on ${branch}`;
    const [head, tip] = [await headOf(this.#git), await this.tip()];
    if (head === undefined || tip === undefined || (await this.isIn(head, tip)))
      throw uncommitted(elsewhere, `Check it out there with: git switch ${branch}`);
    const sha = head.slice(0, 12);
    const { code } = await this.#git.run(['merge-base', head, tip]);
    const merge = code === 0 ? 'git merge' : 'git merge --allow-unrelated-histories';
    throw uncommitted(
      `${elsewhere}, which does not have the commit ${sha} that is checked out there`,
      `Bring it onto the branch there with: git switch ${branch} && ${merge} ${sha}`,
    );
  }

  /** Removes the locks of git's programs that were killed in it: those of one that is at work there stay. */
  async removeLocks(): Promise<void> {
    const names = ['index.lock', 'HEAD.lock', `${refOf(this.#place.branch)}.lock`];
    const paths = await Promise.all(names.map((name) => this.#git.path(name)));
    // Those of its own HEAD: what locks the branches, where they are in tables, is of all worktrees.
    const found = [...paths.filter((path) => existsSync(path)), ...tableLocks(await this.#git.path('.'))];
    if (found.length === 0 || !(await isGitGone(this.#place.folder, this.#signal))) return;
    for (const lock of found) rmSync(lock, { force: true });
  }

  async #isKnown(): Promise<boolean> {
    const own = realPathToBe(this.#place.folder);
    return (await listWorktrees(this.#home)).some(({ path }) => path === own);
  }
}

/** At once: whoever comes after a crash finds it whole, or sees that it was to go. */
function moveAside(folder: string): void {
  let aside: string | undefined;
  try {
    aside = makeBeside(folder, 'removed');
    renameSync(folder, aside);
  } catch (error) {
    if (aside !== undefined) rmdirSync(aside);
    if (!isRefused(error)) throw error;
    throw uncommitted(
      `${folder} cannot be moved away: ${messageOf(error)}`,
      `Make ${dirname(folder)} writable for this user, and look whether something is mounted there`,
      'permission',
    );
  }
}

/** Whether the folder of a worktree is there. @throws {CliffordError} when something else is, which is nobody's but the user's. */
function hasFolder(folder: string): boolean {
  const found = ifThere(() => lstatSync(folder), undefined);
  if (found && !found.isDirectory())
    throw uncommitted(`${folder}, where its worktree is to be, is no folder`, 'Move it away');
  return found !== undefined;
}
