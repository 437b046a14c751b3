import { basename } from 'node:path/posix';
import { wordOf } from '../../machines/status-words.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { listed } from '../../lib/text/listed.ts';
import type { Project } from '../project/project.ts';
import { STATE_DIR } from '../project/project-root.ts';
import { editedForRuns } from '../temporary-edits/current-edits.ts';
import { MANIFEST_FILE } from '../sprint/sprint-folders.ts';
import { Git } from '../git/git.ts';
import { compare, type FileChange } from '../git/git-diff.ts';
import { withoutOwnFilters } from '../git/own-filters.ts';
import { findRepository, hasCommit, headOf } from '../git/repository.ts';
import { WorkTreeSnapshots, type WorkTreeSnapshot } from './snapshot.ts';
import { emptyTree } from '../git/staged-tree.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { differsInStatuses, isOfSprint } from './sprint-records.ts';
import { newFiles, unlessAsBefore } from './work-tree-changes.ts';

/** What a task changed, as far as git tells. */
export type TaskChanges = {
  /**
   * Where it is from: the task's commit; the working tree, since the task began; or since the last commit, whoever changed
   * it. `uncommitted`: that, too, of a task that is not at work and has no commit.
   */
  readonly from: { readonly sha: string } | 'since-begin' | 'since-commit' | 'uncommitted';
  /** Without what Clifford writes itself; in a commit the manifest of the sprint is the last. */
  readonly files: readonly FileChange[];
};

/** Longest time that git may take for one look, in ms. */
const LIMIT_MS = 20_000;

/**
 * The files that a task changed: of its commit, or of the working tree while it is not committed. Nothing runs that the
 * configuration of the repository names: an agent may have written it.
 *
 * @param sha - The commit that it is asked about: one that it had once. Default: as it is now.
 * @param isOfAny - Files that are in no commit count, also where another task may have changed them. Default: they do not.
 * @throws {CliffordError} why it cannot be told: there is no repository, or the changes are no longer the task's alone.
 */
export async function changesOfTask(
  { root, dir, state }: Pick<Project, 'root' | 'dir' | 'state'>,
  {
    stream,
    task,
    sha,
    isOfAny = false,
  }: {
    readonly stream: string;
    readonly task: string;
    readonly sha?: string | undefined;
    readonly isOfAny?: boolean;
  },
): Promise<TaskChanges> {
  const { signal } = new AbortController();
  const git = new Git({ cwd: root, env: {}, signal, limitMs: LIMIT_MS });
  const { prefix } = await findRepository(git, root);
  const sprint = state.streams.get(stream);
  const known = sprint?.tasks.get(task);
  const commit = known?.commit;
  const ours = sprint?.manifest;
  if (sha !== undefined) return withOursLast(await committed(git, sha), ours);
  if (commit && 'sha' in commit) return withOursLast(await committed(git, commit.sha), ours);
  const before = await new WorkTreeSnapshots(dir, stream).read(task);
  const word = known && wordOf(known.machine.value);
  const isAtWork = word === 'active' || word === 'blocked';
  const attempt = known?.machine.context.attempt ?? 0;
  if (!before && !isAtWork && (attempt === 0 || commit)) throw uncommitted(whyNone(attempt, commit?.reason));

  const head = before?.head ?? (await headOf(git)) ?? (await emptyTree(git));
  const quiet = new Git({ cwd: root, env: await withoutOwnFilters(git), signal, limitMs: LIMIT_MS });
  const tracked = await compare(quiet, ['diff', head]);
  const added = await newFiles(quiet, root);
  const theirs = before ? await committedByOthers(git, { sprint, task, quiet, added }) : noFiles;
  const found = [...tracked, ...added].filter(({ path }) => !isState(path) && !theirs.has(path));
  const own = await ownRecords(found, { ours, before, place: { git, root, prefix, commit: head } });
  const files = withoutEdits(
    found.filter(({ path }) => !own.has(path)),
    editedForRuns({ root, dir }),
  );
  if (!before) {
    if (!isAtWork && files.length === 0) throw uncommitted(whyNone(attempt));
    const others = isAtWork || isOfAny ? [] : uncommittedTasks(sprint).filter((id) => id !== task);
    if (others.length > 0) throw uncommitted(whyNotKnown(files.length, others), COMMIT_EACH);
    return { from: isAtWork ? 'since-commit' : 'uncommitted', files };
  }
  return { from: 'since-begin', files: await unlessAsBefore(files, { root, before, signal }) };
}

const noFiles: ReadonlySet<string> = new Set();

/** The files of the commits of other tasks that nobody has changed since. */
async function committedByOthers(
  git: Git,
  {
    sprint,
    task,
    quiet,
    added,
  }: {
    readonly sprint: SprintState | undefined;
    readonly task: string;
    /** Runs nothing that the repository names. */
    readonly quiet: Git;
    readonly added: readonly FileChange[];
  },
): Promise<ReadonlySet<string>> {
  const others = [...(sprint?.tasks.values() ?? [])].filter(({ id }) => id !== task);
  const files = others.flatMap(({ commit }) => (commit && 'sha' in commit ? commit.files : []));
  if (files.length === 0) return noFiles;
  const since = await compare(quiet, ['diff', (await headOf(git)) ?? (await emptyTree(git))]);
  const changed = new Set([...since, ...added].map(({ path }) => path));
  return new Set(files.filter((path) => !changed.has(path)));
}

/** Ids of the tasks that were worked on and have no commit. */
export function uncommittedTasks(sprint: SprintState | undefined): string[] {
  const tasks = [...(sprint?.tasks.values() ?? [])];
  return tasks
    .filter(({ machine, commit }) => machine.context.attempt > 0 && !(commit && 'sha' in commit))
    .map(({ id }) => id);
}

/** What Clifford has changed for a run alone is given back as it was: it is no work of the task. */
function withoutEdits(
  files: readonly FileChange[],
  edits: ReturnType<typeof editedForRuns>,
): readonly FileChange[] {
  return files.flatMap((file) => {
    const by = edits.get(file.path);
    if (by === 'only by Clifford') return [];
    const note = 'Clifford has an entry of its own in it while an agent runs, which is shown, too';
    return [by === undefined ? file : { ...file, note: file.note ?? note }];
  });
}

/** Whether Clifford keeps what it remembers there. */
function isState(path: string): boolean {
  return path === STATE_DIR || path.startsWith(`${STATE_DIR}/`);
}

type RecordsPlace = {
  readonly ours: string | undefined;
  readonly before: WorkTreeSnapshot | undefined;
  readonly place: Parameters<typeof differsInStatuses>[0];
};

/** The manifests in which Clifford alone has written, statuses: they are not the task's work. */
async function ownRecords(
  files: readonly FileChange[],
  { ours, before, place }: RecordsPlace,
): Promise<ReadonlySet<string>> {
  const known = new Set(before?.files.map(([path]) => path));
  const own = new Set<string>();
  for (const { path, how } of files) {
    if (path !== ours && !(isOfSprint(path) && basename(path) === MANIFEST_FILE)) continue;
    // One that git does not know is compared with nothing: that of this sprint was there before.
    const isOwn = how === 'added' ? path === ours || known.has(path) : await differsInStatuses(place, path);
    if (isOwn) own.add(path);
  }
  return own;
}

/** In a commit the file in which Clifford keeps the statuses of the sprint stands behind what the task changed. */
function withOursLast({ from, files }: TaskChanges, ours: string | undefined): TaskChanges {
  const isOurs = ({ path }: FileChange) => path === ours;
  const noted = files
    .filter(isOurs)
    .map((file) => ({ ...file, note: file.note ?? 'Clifford keeps the statuses here' }));
  return { from, files: [...files.filter((file) => !isOurs(file)), ...noted] };
}

async function committed(git: Git, sha: string): Promise<TaskChanges> {
  if (!/^[\da-f]{4,64}$/.test(sha)) throw uncommitted('the log names no commit of it that git could have');
  if (!(await hasCommit(git, sha)))
    throw uncommitted(`its commit ${sha.slice(0, 12)} is not in this repository`);
  return { from: { sha }, files: await compare(git, ['diff-tree', '-r', '--root', '--no-commit-id', sha]) };
}

function whyNotKnown(files: number, others: readonly string[]): string {
  const what = files === 1 ? 'the file that is' : `the ${files} files that are`;
  const who = others.length === 1 ? listed(others) : `any of ${listed(others)}`;
  return `nothing is known to be its own: it made no commit, and ${who} may have changed ${what} in no commit`;
}

/** What keeps the changes of tasks apart. */
const COMMIT_EACH = 'With "commit": true in clifford.json each task makes a commit of its own';

function whyNone(attempt: number, reason?: string): string {
  if (reason !== undefined) return `it has no commit: ${reason}`;
  return attempt === 0 ? 'it has not begun' : 'it has no commit, and nothing has changed since the last one';
}
