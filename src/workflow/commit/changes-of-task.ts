import { basename } from 'node:path/posix';
import { wordOf } from '../../machines/status-words.ts';
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
 * @throws {CliffordError} why it cannot be told: there is no repository, or the changes are no longer the task's alone.
 */
export async function changesOfTask(
  { root, dir, state }: Pick<Project, 'root' | 'dir' | 'state'>,
  {
    stream,
    task,
    sha,
  }: { readonly stream: string; readonly task: string; readonly sha?: string | undefined },
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
  const found = [...tracked, ...(await newFiles(quiet, root))].filter(({ path }) => !isState(path));
  const own = await ownRecords(found, { ours, before, place: { git, root, prefix, commit: head } });
  const files = withoutEdits(
    found.filter(({ path }) => !own.has(path)),
    editedForRuns({ root, dir }),
  );
  if (!before) {
    if (!isAtWork && files.length === 0) throw uncommitted(whyNone(attempt));
    return { from: isAtWork ? 'since-commit' : 'uncommitted', files };
  }
  return { from: 'since-begin', files: await unlessAsBefore(files, { root, before, signal }) };
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

function whyNone(attempt: number, reason?: string): string {
  if (reason !== undefined) return `it has no commit: ${reason}`;
  return attempt === 0 ? 'it has not begun' : 'it has no commit, and nothing has changed since the last one';
}
