import { basename, join } from 'node:path';
import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import { count } from '../../lib/text/count.ts';
import { listed } from '../../lib/text/listed.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { keepCommit, keepFiles, KEEPING_ENV, type KeptRefs } from '../commit/keep-files.ts';
import { WorkTreeSnapshots } from '../commit/snapshot.ts';
import { Git, type GitPlace } from '../git/git.ts';
import { headOf } from '../git/repository.ts';
import type { Project } from '../project/project.ts';
import { currentEdits } from '../temporary-edits/current-edits.ts';
import { ownChanges, type WorktreeChanges } from './own-changes.ts';
import { workFolder, worktreeFolder } from './work-folder.ts';

/** What the references begin with by which git keeps work that was in the way. */
export const KEPT_REFS = 'refs/clifford/kept';

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
   * Keeps what is at risk and in no commit, and commits that no branch has.
   *
   * @throws {CliffordError} `UNCOMMITTED`: why it cannot be kept; nothing may be destroyed then.
   */
  async keep({ isAtRisk = () => true, known, made }: Risk): Promise<void> {
    const git = new Git(this.#place);
    const { stream, worktree } = this.#known;
    const prefix = worktree.branch.replace(/^clifford/, KEPT_REFS);
    const named = this.#kept()
      .map(({ ref }) => ref)
      .filter((ref) => ref.startsWith(`${prefix}/`));
    const refs = { prefix, named };
    await this.#keepHead(git, { refs, made });
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

  /** Commits that somebody has made on no branch. */
  async #keepHead(
    git: Git,
    { refs, made }: { readonly refs: KeptRefs; readonly made: string | undefined },
  ): Promise<void> {
    const isOnBranch = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).code === 0;
    const head = isOnBranch ? undefined : await headOf(git);
    if (head === undefined || head === made) return;
    const named = ['--not', `--exclude=${refs.prefix}/*`, '--glob=refs/*'];
    const unnamed = await git.read(['rev-list', '--max-count=1', head, ...named]);
    if (unnamed.trim() === '') return;
    const kept = await keepCommit(git, { refs, sha: head });
    await this.#say({ ...kept, why: 'commits in its worktree were on no branch' });
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
