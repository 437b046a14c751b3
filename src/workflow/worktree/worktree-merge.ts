import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CliffordError } from '../../errors.ts';
import { ownText, writeOwnFile } from '../../lib/files/plain-file.ts';
import { gitFailed } from '../git/git-failed.ts';
import { CHECKOUT_LIMIT_MS, splitNul, withLastLines, type Git, type GitEnd } from '../git/git.ts';
import { isAncestor, refOf } from '../git/repository.ts';
import { changesFrom, NO_FILE, type TreeChange } from '../git/staged-tree.ts';
import { lookWithin } from '../landing/work-tree.ts';
import type { WorktreeKeeper } from './keeper.ts';

/** A file in git's own folder of a worktree that says: Clifford has taken its files away from the branch, to merge. */
const MERGING = 'clifford-merging';

/** What that file says: the commit that was to have the changes, the merge, once it is made, and files that the first one adds. */
type Mark = {
  readonly target: string;
  readonly made: string | undefined;
  readonly added: readonly string[];
};

/** The files that are in conflict, and how that looks. */
type Conflict = { readonly files: readonly string[]; readonly diff: string };

/** What came of a merge: the commit, or what is in conflict. */
export type Merged =
  | { readonly is: 'merged'; readonly sha: string; readonly isNew: boolean }
  | ({ readonly is: 'conflict' } & Conflict);

/** Most of a difference that is shown to a human who is asked, in UTF-16 units. */
const DIFF_LENGTH = 12_000;

/** A line of a difference that adds one of git's marks. */
const MARK = /^\+([<|>])\1{6,}(?: .*)?\r?$/m;

/** The names of the files of a large merge. */
const MARK_BYTES = 64 * 1024 * 1024;

/** Merges between the branch of a task and the one that its changes are for, made in the task's worktree. */
export class WorktreeMerge {
  readonly #place: { readonly folder: string; readonly branch: string };
  /** In the worktree. */
  readonly #git: Git;
  readonly #keeper: WorktreeKeeper;

  constructor(place: { readonly folder: string; readonly branch: string }, git: Git, keeper: WorktreeKeeper) {
    this.#place = place;
    this.#git = git;
    this.#keeper = keeper;
  }

  /** Whether an agent or a human is to put one right. */
  async isUnderWay(): Promise<boolean> {
    return (await this.#git.run(['rev-parse', '--quiet', '--verify', 'MERGE_HEAD'])).code === 0;
  }

  /**
   * Merges the branch into a commit, in the worktree, on no branch. Where that cannot be done without a guess, nothing has
   * changed, and it says why.
   *
   * @param target - The commit that is to have the changes.
   */
  async into(target: string, message: string): Promise<Merged> {
    const { branch } = this.#place;
    const sha = await this.#tip();
    if (await isAncestor(this.#git, sha, target)) return { is: 'merged', sha, isNew: false };
    if (await isAncestor(this.#git, target, sha)) return { is: 'merged', sha, isNew: false };
    await this.#makeWay(sha, target);
    const mark = { target, made: undefined, added: await this.#newIn(target, sha) };
    await this.#writeMark(mark);
    await this.#git.read(['checkout', '--quiet', '--detach', target], { limitMs: CHECKOUT_LIMIT_MS });
    const merge = await this.#git.run(['merge', '--quiet', '--no-ff', '-m', message, refOf(branch)], {
      limitMs: CHECKOUT_LIMIT_MS,
    });
    if (merge.code === 0) {
      const made = (await this.#git.read(['rev-parse', '--verify', 'HEAD'])).trim();
      await this.#writeMark({ ...mark, made });
      return { is: 'merged', sha: made, isNew: true };
    }
    const conflict = await this.conflict();
    if (!conflict) {
      await this.undo();
      throw mergeFailed(merge);
    }
    await this.#git.read(['merge', '--abort'], { limitMs: CHECKOUT_LIMIT_MS });
    await this.undo();
    return { is: 'conflict', ...conflict };
  }

  /** What of a merge under way is in conflict; `undefined`: nothing. */
  async conflict(): Promise<Conflict | undefined> {
    const files = await this.#unmerged();
    if (files.length === 0) return undefined;
    const whole = await this.#git.read(['diff', '--no-color', '--no-ext-diff']);
    return { files, diff: asCode(whole.slice(0, DIFF_LENGTH)) };
  }

  /**
   * Undoes what {@link into} has changed in the worktree: the branch is checked out, with the files of its last commit. What
   * somebody has made there meanwhile is kept.
   */
  async undo(): Promise<void> {
    const { folder, branch } = this.#place;
    const path = await this.#git.path(MERGING);
    if (!existsSync(path)) return;
    const { added } = await this.#keepBeside(path);
    await this.#git.read(['reset', '--hard', '--quiet'], { limitMs: CHECKOUT_LIMIT_MS });
    // A checkout that was killed has written files, and not said so in the index.
    for (const each of added)
      if (lookWithin(folder, each)?.isDirectory() === false) rmSync(join(folder, each));
    await this.#git.read(['checkout', '--quiet', '--force', branch], { limitMs: CHECKOUT_LIMIT_MS });
    rmSync(path, { force: true });
  }

  /** The merge that Clifford has checked out on no branch, if it came to that. */
  async made(): Promise<string | undefined> {
    return readMark(await this.#git.path(MERGING)).made;
  }

  /** Keeps what the way back to the branch would destroy. */
  async #keepBeside(path: string): Promise<Mark> {
    const mark = readMark(path);
    const { target, made, added } = mark;
    const tip = await this.#tip();
    const others = ['ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', ':/'];
    const untracked = new Set(splitNul(await this.#git.read(others)));
    const overwritten = new Set([...added, ...(await this.#addedBy('HEAD', tip))]);
    await this.#keeper.keep({
      isAtRisk: (each) => !untracked.has(each) || overwritten.has(each),
      known: target === '' ? [tip] : [tip, target],
      made,
    });
    return mark;
  }

  async #writeMark({ target, made = '', added }: Mark): Promise<void> {
    const text = [target, made, ...added].map((each) => `${each}\0`).join('');
    writeOwnFile(await this.#git.path(MERGING), text);
  }

  async #tip(): Promise<string> {
    const { branch } = this.#place;
    return (await this.#git.read(['rev-parse', '--verify', `${refOf(branch)}^{commit}`])).trim();
  }

  /**
   * Takes away what is in the way of a commit and no work of anybody: what was copied or made by the setup, and what git does not know
   * and the commit brings just so, such as the text of a task that somebody has committed since.
   */
  async #makeWay(from: string, target: string): Promise<void> {
    const { folder } = this.#place;
    const { prepared } = await this.#keeper.changes();
    const unknown = new Set(splitNul(await this.#git.read(['ls-files', '--others', '-z'])));
    const isInWay = ({ path }: TreeChange) => prepared.has(path) || unknown.has(path);
    for (const change of (await changesFrom(this.#git, from, target)).filter(isInWay)) {
      const { path, oldMode } = change;
      if (oldMode !== NO_FILE)
        await this.#git.read(['checkout', '--quiet', 'HEAD', '--', `:(top,literal)${path}`]);
      else if (prepared.has(path) || (await this.#isSame(change)))
        rmSync(join(folder, path), { force: true });
    }
  }

  /** Whether a file is what a change leads to. */
  async #isSame({ path, newId }: TreeChange): Promise<boolean> {
    if (lookWithin(this.#place.folder, path)?.isFile() !== true) return false;
    const { stdout } = await this.#git.run(['hash-object', '--', path]);
    return stdout.toString('utf8').trim() === newId;
  }

  /** The files that a commit has, and another one has not, where nothing stands in their place yet. */
  async #newIn(target: string, other: string): Promise<string[]> {
    const { folder } = this.#place;
    const added = await this.#addedBy(other, target);
    return added.filter((path) => lookWithin(folder, path) === undefined);
  }

  /** The files that the second commit has, and the first one has not, from the top. */
  async #addedBy(one: string, other: string): Promise<string[]> {
    const args = ['diff', '--name-only', '--no-renames', '--diff-filter=A', '-z', one, other];
    return splitNul(await this.#git.read(args));
  }

  /**
   * Merges a commit into the branch and leaves what is in conflict in the files, between git's marks, for somebody who
   * puts it right. Nothing where a merge is under way there already.
   *
   * @throws {CliffordError} `UNCOMMITTED` when the merge could not even begin.
   */
  async bringIn(target: string, message: string): Promise<void> {
    if (await this.isUnderWay()) return;
    await this.#makeWay('HEAD', target);
    const merge = await this.#git.run(['merge', '--quiet', '--no-ff', '-m', message, target], {
      limitMs: CHECKOUT_LIMIT_MS,
    });
    if (merge.code !== 0 && !(await this.isUnderWay())) throw mergeFailed(merge);
  }

  /**
   * The files of a merge under way of which nobody has said what they are to be: git's marks are still in them, or they are
   * as one of the two sides has them, and were not added since.
   */
  async undecided(): Promise<string[]> {
    const listed = splitNul(await this.#git.read(['ls-files', '--unmerged', '--full-name', '-z', ':/']));
    const conflicts = Map.groupBy(
      listed.map((line) => /^\d+ ([\da-f]+) (\d)\t(.*)$/s.exec(line)),
      (entry) => entry?.[3] ?? '',
    );
    const untouched: string[] = [];
    for (const [path, entries] of conflicts) {
      const { code, stdout } = await this.#git.run(['hash-object', '--', path]);
      const id = stdout.toString('utf8').trim();
      // What both began with (1) is neither side: somebody has chosen it.
      const sides = entries.flatMap((entry) => (entry?.[2] === '1' ? [] : entry?.[1]));
      if (code !== 0 || sides.includes(id)) untouched.push(path);
    }
    return [...new Set([...(await this.#marked(conflicts.keys())), ...untouched])];
  }

  /** The files that were in conflict and still have git's marks; a line of `=` alone may be that below a heading. */
  async #marked(unmerged: Iterable<string>): Promise<string[]> {
    const added = splitNul(await this.#git.read(['ls-files', '--resolve-undo', '--full-name', '-z', ':/']));
    const paths = new Set([...added.map((line) => line.slice(line.indexOf('\t') + 1)), ...unmerged]);
    const marked: string[] = [];
    for (const path of paths) {
      const args = [
        '--no-color',
        '--no-ext-diff',
        '--no-textconv',
        '-U0',
        'HEAD',
        '--',
        `:(top,literal)${path}`,
      ];
      if (MARK.test(await this.#git.read(['diff', ...args]))) marked.push(path);
    }
    return marked;
  }

  async #unmerged(): Promise<string[]> {
    const listed = await this.#git.read(['diff', '--name-only', '--diff-filter=U', '-z']);
    return [...new Set(splitNul(listed))];
  }
}

function readMark(path: string): Mark {
  const [target = '', made = '', ...added] = splitNul(ownText(path, { maxBytes: MARK_BYTES }) ?? '');
  return { target, made: made === '' ? undefined : made, added };
}

function mergeFailed({ how, stdout, stderr }: GitEnd): CliffordError {
  return gitFailed(withLastLines(how, `${stdout.toString('utf8')}${stderr}`), 'See to it in its worktree');
}

/** A difference as a block of code: its lines would be lists and headings. */
function asCode(diff: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...diff.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}
