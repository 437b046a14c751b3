import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CliffordError } from '../../errors.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { ownText, writeOwnFile } from '../../lib/files/plain-file.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { splitNul, withLastLines, type Git, type GitEnd, type GitPlace } from '../git/git.ts';
import { tableLocks } from '../git/git-locks.ts';
import { isAncestor } from '../git/repository.ts';
import type { WorkTreeSnapshot } from '../commit/snapshot.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { mergingGit } from '../git/merging-git.ts';
import { lookWithin } from '../landing/work-tree.ts';

/** Where a worktree is, and what its branch is called. `folder`: absolute. */
export type WorktreePlace = {
  readonly folder: string;
  readonly branch: string;
  /** The commit it begins with. */
  readonly base: string;
  /** Where the project is in it, with `/` at its end; none: that is its top. */
  readonly prefix?: string | undefined;
};

/** A file in git's own folder of a worktree that says: Clifford has taken its files away from the branch, to merge. */
const MERGING = 'clifford-merging';

/** What the name of a folder ends with that is being removed. */
const GOING = '~removed';

/** What came of a merge: the commit, or what is in conflict and how that looks. */
export type Merged =
  | { readonly is: 'merged'; readonly sha: string; readonly isNew: boolean }
  | { readonly is: 'conflict'; readonly files: readonly string[]; readonly diff: string };

/** Most of a difference that is shown to a human who is asked, in UTF-16 units. */
const DIFF_LENGTH = 12_000;

/** The git of one worktree. The caller sees to it that nobody else works in it meanwhile. */
export class TaskWorktree {
  readonly #place: WorktreePlace;
  /** In the project's own folder. */
  readonly #home: Git;
  /** In the worktree. */
  readonly #git: Git;

  private constructor(place: WorktreePlace, home: Git, git: Git) {
    this.#place = place;
    this.#home = home;
    this.#git = git;
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
    const real = existsSync(join(folder, '.git')) ? realPath(folder) : undefined;
    return real !== undefined && (await this.#registered()).has(real);
  }

  /** @throws {CliffordError} when something is where its folder is to be that git does not know as its worktree. */
  assertNoFolder(): void {
    const { folder } = this.#place;
    if (isFolder(folder) && readdirSync(folder).length > 0)
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
    const isKnown = (await this.#home.run(['rev-parse', '--quiet', '--verify', refOf(branch)])).code === 0;
    const what = isKnown ? [folder, branch] : ['--no-track', '-b', branch, folder, base];
    await this.#home.read(['worktree', 'add', '--quiet', ...what], LONG);
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
    if (isFolder(folder)) {
      rmSync(going, { recursive: true, force: true });
      renameSync(folder, going);
    }
    // Twice: also one whose making was interrupted, which git has locked.
    const { how, stderr } = await this.#home.run(['worktree', 'remove', '--force', '--force', folder]);
    rmSync(going, { recursive: true, force: true, maxRetries: 3 });
    if ((await this.#registered()).has(folder)) throw uncommitted(withLastLines(how, stderr));
  }

  /**
   * Removes its branch, if that still names this commit. Nobody else works on it any more.
   *
   * @throws {CliffordError} why it is still there.
   */
  async removeBranch(tip: string): Promise<void> {
    const ref = refOf(this.#place.branch);
    const lock = await this.#home.read(['rev-parse', '--path-format=absolute', '--git-path', `${ref}.lock`]);
    rmSync(lock.trim(), { force: true });
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
    if (existsSync(await this.#gitPath(MERGING))) await this.backToBranch();
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
      rmSync(await this.#gitPath(name), { force: true });
    // Those of its own HEAD: what locks the branches, where they are in tables, is of all worktrees.
    for (const lock of tableLocks(await this.#gitPath('.'))) rmSync(lock, { force: true });
  }

  /** Whether an agent or a human is to put a merge right in it. */
  async isMerging(): Promise<boolean> {
    return (await this.#git.run(['rev-parse', '--quiet', '--verify', 'MERGE_HEAD'])).code === 0;
  }

  /**
   * Merges the branch into a commit, in the worktree, on no branch. Where that cannot be done without a guess, nothing has
   * changed, and it says why.
   *
   * @param target - The commit that is to have the changes.
   */
  async mergeInto(target: string, message: string): Promise<Merged> {
    const { branch } = this.#place;
    const tip = await this.#git.read(['rev-parse', '--verify', `${refOf(branch)}^{commit}`]);
    const sha = tip.trim();
    if (await this.isIn(sha, target)) return { is: 'merged', sha, isNew: false };
    if (await this.isIn(target, sha)) return { is: 'merged', sha, isNew: false };
    writeOwnFile(
      await this.#gitPath(MERGING),
      (await this.#newIn(target, sha)).map((path) => `${path}\0`).join(''),
    );
    await this.#git.read(['checkout', '--quiet', '--detach', target], LONG);
    const merge = await this.#git.run(['merge', '--quiet', '--no-ff', '-m', message, branch], LONG);
    if (merge.code === 0) {
      const made = await this.#git.read(['rev-parse', '--verify', 'HEAD']);
      return { is: 'merged', sha: made.trim(), isNew: true };
    }
    const files = await this.#unmerged();
    if (files.length === 0) {
      await this.backToBranch();
      throw mergeFailed(merge);
    }
    const whole = await this.#git.read(['diff', '--no-color', '--no-ext-diff']);
    const diff = asCode(whole.slice(0, DIFF_LENGTH));
    await this.backToBranch();
    return { is: 'conflict', files, diff };
  }

  /** Checks the branch out again after {@link mergeInto}: its files are as the last commit of it. */
  async backToBranch(): Promise<void> {
    const { folder, branch } = this.#place;
    const mark = await this.#gitPath(MERGING);
    await this.#git.read(['reset', '--hard', '--quiet'], LONG);
    // A checkout that was killed has written files, and not said so in the index.
    for (const path of splitNul(ownText(mark, { maxBytes: MARK_BYTES }) ?? ''))
      if (lookWithin(folder, path)?.isDirectory() === false) rmSync(join(folder, path));
    await this.#git.read(['checkout', '--quiet', '--force', branch], LONG);
    rmSync(mark, { force: true });
  }

  /** The files that a commit has, and another one has not, where nothing stands in their place yet. */
  async #newIn(target: string, other: string): Promise<string[]> {
    const args = ['diff', '--name-only', '--no-renames', '--diff-filter=A', '-z', other, target];
    const { folder } = this.#place;
    return splitNul(await this.#git.read(args)).filter((path) => lookWithin(folder, path) === undefined);
  }

  /**
   * Merges a commit into the branch and leaves what is in conflict in the files, between git's marks, for somebody who
   * puts it right. Nothing where a merge is under way there already.
   *
   * @throws {CliffordError} `UNCOMMITTED` when the merge could not even begin.
   */
  async bringIn(target: string, message: string): Promise<void> {
    if (await this.isMerging()) return;
    const merge = await this.#git.run(['merge', '--quiet', '--no-ff', '-m', message, target], LONG);
    if (merge.code !== 0 && !(await this.isMerging())) throw mergeFailed(merge);
  }

  /**
   * The files of a merge under way of which nobody has said what they are to be: git's marks are still in them, or they are
   * as one of the two sides has them, and were not added since.
   */
  async undecided(): Promise<string[]> {
    const check = await this.#git.run(['diff', '--check', 'HEAD', '--', ':/']);
    const lines = check.stdout.toString('utf8').split('\n');
    const marked = lines.flatMap((line) => /^(.*):\d+: leftover conflict marker$/.exec(line)?.[1] ?? []);
    const listed = splitNul(await this.#git.read(['ls-files', '--unmerged', '--full-name', '-z', ':/']));
    const sides = Map.groupBy(
      listed.map((line) => /^\d+ ([\da-f]+) \d\t(.*)$/s.exec(line)),
      (entry) => entry?.[2] ?? '',
    );
    const untouched: string[] = [];
    for (const [path, entries] of sides) {
      const { code, stdout } = await this.#git.run(['hash-object', '--', path]);
      const id = stdout.toString('utf8').trim();
      if (code !== 0 || entries.some((entry) => entry?.[1] === id)) untouched.push(path);
    }
    return [...new Set([...marked, ...untouched])];
  }

  async #unmerged(): Promise<string[]> {
    const listed = await this.#git.read(['diff', '--name-only', '--diff-filter=U', '-z']);
    return [...new Set(splitNul(listed))];
  }

  async #registered(): Promise<Set<string>> {
    const list = await this.#home.read(['worktree', 'list', '--porcelain']);
    return new Set(list.split('\n').flatMap((line) => /^worktree (.*)$/.exec(line)?.[1] ?? []));
  }

  async #gitPath(name: string): Promise<string> {
    const path = await this.#git.read(['rev-parse', '--git-path', name]);
    return resolve(this.#place.folder, path.trim());
  }
}

/** The names of the files of a large merge. */
const MARK_BYTES = 64 * 1024 * 1024;

/** A checkout of a large repository takes its time, in ms. */
const LONG = { limitMs: 20 * 60_000 };

/** Whether a worktree may be there. @throws {CliffordError} when something else is, which is nobody's but the user's. */
function isFolder(folder: string): boolean {
  const found = ifThere(() => lstatSync(folder), undefined);
  if (found && !found.isDirectory())
    throw uncommitted(`${folder}, where its worktree is to be, is no folder`, 'Move it away');
  return found !== undefined;
}

function mergeFailed({ how, stdout, stderr }: GitEnd): CliffordError {
  return uncommitted(withLastLines(how, `${stdout.toString('utf8')}${stderr}`), 'See to it in its worktree');
}

/** A difference as a block of code: its lines would be lists and headings. */
function asCode(diff: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...diff.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}
