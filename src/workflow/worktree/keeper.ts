import { basename, join } from 'node:path';
import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import { count } from '../../lib/text/count.ts';
import { listed } from '../../lib/text/listed.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { keepCommit, keepFiles, KEEPING_ENV, requireKeepable, type KeptRefs } from '../commit/keep-files.ts';
import { WorkTreeSnapshots } from '../commit/snapshot.ts';
import { Git, type GitPlace } from '../git/git.ts';
import { leftCommits } from '../git/left-commits.ts';
import { headOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { currentEdits } from '../temporary-edits/current-edits.ts';
import { loneRepositories } from './lone-repositories.ts';
import { ownChanges, type WorktreeChanges } from './own-changes.ts';
import { workFolder, worktreeFolder } from './work-folder.ts';

/** What the references begin with by which git keeps work that was in the way. */
export const KEPT_REFS = 'refs/clifford/kept';

/** References that a worktree has for itself: they go with it. */
const OWN_REFS = ['refs/bisect/*', 'refs/worktree/*', 'refs/rewritten/*'];

/** A worktree of a task, as the log knows it. */
export type KnownWorktree = {
  readonly stream: string;
  readonly taskId: string;
  readonly worktree: WorktreeState;
};

/** A project that says in its log what is kept. */
export type KeepingProject = Pick<Project, 'root' | 'dir' | 'state' | 'record'>;

/** What is about to be destroyed in a worktree. */
type Risk = {
  /** Those of the files that somebody has changed which will be overwritten or removed, by path from the top. Default: all of them. */
  readonly isAtRisk?: ((path: string) => boolean) | undefined;
  /** Commits that stay, besides the one that is checked out. */
  readonly known: readonly string[];
  /** A merge that Clifford has made itself: nothing is lost with it. */
  readonly made?: string | undefined;
  /** The worktree goes, and what it says of commits that were made in it before. */
  readonly isRemoved?: boolean;
};

/** Keeps what would be destroyed in the worktree of a task: as commits with references of their own, which the log names. */
export class WorktreeKeeper {
  readonly #project: KeepingProject;
  readonly #known: KnownWorktree;
  readonly #place: GitPlace;
  readonly #folder: string;

  constructor(project: KeepingProject, known: KnownWorktree, signal: AbortSignal) {
    this.#project = project;
    this.#known = known;
    this.#folder = worktreeFolder(project, known) ?? project.root;
    this.#place = { cwd: this.#folder, env: KEEPING_ENV, signal };
  }

  /** What is in no commit there, and whose that is. */
  async changes(): Promise<WorktreeChanges> {
    const { dir } = this.#project;
    const { stream, taskId, worktree } = this.#known;
    const root = workFolder(this.#project, { worktree });
    return ownChanges(new Git(this.#place), {
      folder: this.#folder,
      prefix: worktree.prefix ?? '',
      before: await new WorkTreeSnapshots(dir, stream).read(taskId),
      currentEdits: () => currentEdits({ root, dir }),
      signal: this.#place.signal,
    });
  }

  /**
   * Makes sure that all repositories in it are somewhere else, too, with their commits.
   *
   * @throws {CliffordError} `UNCOMMITTED`: which are not.
   */
  async requirePushed(): Promise<void> {
    const { base } = this.#known.worktree;
    const lone = await loneRepositories(new Git(this.#place), { folder: this.#folder, base });
    if (lone.length > 0)
      throw uncommitted(
        `${listed(lone)} would be lost, a repository of its own with commits that no remote of it has`,
        'Push all of them from there to a remote that it has a name for, e.g. git push <name> HEAD:refs/heads/<branch>. What is no submodule can be moved away instead, its folder left empty',
      );
  }

  /**
   * Makes sure that the worktree can go, and what is in it be kept.
   *
   * @throws {CliffordError} `UNCOMMITTED`: why it cannot.
   */
  async requireKeepable(): Promise<void> {
    const { repository, own } = await this.changes();
    requireKeepable(repository, own);
    if (repository.head === undefined)
      throw uncommitted(
        'no commit is checked out in its worktree, and what was made there before would go with it',
        `Check out the branch of the task there with: git switch ${this.#known.worktree.branch}`,
      );
    await this.requirePushed();
  }

  /**
   * Keeps what is at risk and in no commit, and commits that no branch has.
   *
   * @throws {CliffordError} `UNCOMMITTED`: why it cannot be kept; nothing may be destroyed then.
   */
  async keep({ isAtRisk = () => true, known, made, isRemoved = false }: Risk): Promise<void> {
    const git = new Git(this.#place);
    const { stream, worktree } = this.#known;
    const prefix = worktree.branch.replace(/^clifford/, KEPT_REFS);
    const named = this.#kept()
      .map(({ ref }) => ref)
      .filter((ref) => ref.startsWith(`${prefix}/`));
    const refs = { prefix, named };
    await this.#keepCommits(git, { refs, made, isRemoved });
    const { repository, own } = await this.changes();
    const { dir: stateDir } = this.#project;
    const found = await keepFiles(git, {
      repository,
      files: new Map([...own].filter(([path]) => isAtRisk(path))),
      known,
      refs,
      stateDir,
      scratch: join(stateDir, 'before', stream, 'kept', basename(worktree.branch)),
    });
    for (const { what, paths, kept } of found) {
      const files = `${count(paths.length, 'file')} (${listed(paths)})`;
      const why = what === 'files' ? `${files} had changes in its worktree` : `${files} had staged changes`;
      await this.#say({ ...kept, why: `${why} that no commit had` });
    }
  }

  /** Commits that somebody has made and that are on no branch. */
  async #keepCommits(
    git: Git,
    { refs, made, isRemoved }: Pick<Risk, 'made' | 'isRemoved'> & { readonly refs: KeptRefs },
  ): Promise<void> {
    const head = await headOf(git);
    if (head === undefined) return;
    const isOnBranch = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).code === 0;
    const found = [...(isOnBranch ? [] : [head]), ...(isRemoved ? await leftCommits(git) : [])];
    const commits = new Set(found.filter((sha) => sha !== made));
    if (commits.size === 0) return;
    const excluded = [`${refs.prefix}/*`, ...OWN_REFS].map((ref) => `--exclude=${ref}`);
    const asked = [
      'rev-list',
      '--parents',
      '--ignore-missing',
      ...commits,
      '--not',
      ...excluded,
      '--glob=refs/*',
    ];
    const unnamed = (await git.read(asked)).split('\n').filter(Boolean);
    const entries = unnamed.map((line) => line.split(' '));
    const within = new Set(entries.flatMap(([, ...parents]) => parents));
    for (const [sha = ''] of entries) {
      if (!commits.has(sha) || within.has(sha)) continue;
      const kept = await keepCommit(git, { refs, sha });
      await this.#say({ ...kept, why: 'commits in its worktree were on no branch' });
    }
  }

  /** Once: what was begun before and did not come to its end is said then. */
  async #say(data: EventData<'worktree.kept'>): Promise<void> {
    const { stream, taskId } = this.#known;
    if (this.#kept().some(({ ref }) => ref === data.ref)) return;
    await this.#project.record(stream, [{ type: 'worktree.kept', subject: subjectOf(stream, taskId), data }]);
  }

  #kept(): readonly EventData<'worktree.kept'>[] {
    const { stream, taskId } = this.#known;
    return this.#project.state.streams.get(stream)?.tasks.get(taskId)?.kept ?? [];
  }
}
