import { CliffordError } from '../errors.ts';
import { ADHOC_STREAM } from '../events/field-schemas.ts';
import type { ProjectState, SprintState } from '../machines/project-state.ts';
import { nameOf } from '../machines/words.ts';
import { enterSprint } from '../workflow/enter-sprint.ts';
import type { Project } from '../workflow/project.ts';
import { findSprintFolder, listSprintFolders } from '../workflow/sprint-folders.ts';
import type { SprintFolder, SprintIndex } from '../workflow/sprint-folders.ts';

/** A sprint of the project: known from its folder, from the log, or from both. */
export type KnownSprint = { readonly id: string; readonly folder: SprintFolder | undefined };

/** Every sprint, those with a folder first. */
export function knownSprints(state: ProjectState, index: SprintIndex): KnownSprint[] {
  const withFolder = index.sprints.map((folder) => ({ id: folder.manifest.id, folder }));
  const ids = new Set(withFolder.map(({ id }) => id));
  const logged = [...state.streams.values()].filter(
    ({ id, manifest }) => manifest !== undefined && !ids.has(id),
  );
  return [...withFolder, ...logged.map(({ id }) => ({ id, folder: undefined }))];
}

/**
 * The sprint a person means: by id or folder name, or, without a name, the only one that is not
 * finished.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, `SPRINT_UNCLEAR` listing those it could be, or why a
 *   manifest cannot be read.
 */
export async function chooseSprint(project: Project, name: string | undefined): Promise<KnownSprint> {
  const index = await listSprintFolders(project.root);
  const sprints = knownSprints(project.state, index);
  if (name !== undefined) {
    return sprints.find(({ id }) => id === name) ?? fromFolder(findSprintFolder(index, name));
  }
  const unfinished = sprints.filter((sprint) => !isFinished(sprint, project.state.streams.get(sprint.id)));
  const [first, second] = unfinished;
  if (first && !second) return first;
  const [broken] = index.broken;
  if (!first && broken) throw broken.error;
  throw unclear(unfinished, sprints);
}

/** The same, brought into the log. */
export async function enterChosenSprint(project: Project, name: string | undefined): Promise<string> {
  const { id, folder } = await chooseSprint(project, name);
  if (folder) await enterSprint(project, folder);
  return id;
}

/**
 * The stream whose history a person means: by id or folder name, or, without a name, that of the
 * latest sprint. `adhoc` is one, too.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, or `NO_HISTORY` when nothing has happened yet.
 */
export async function chooseStream(project: Project, name: string | undefined): Promise<string> {
  const { streams } = project.state;
  if (name === undefined) return latest([...streams.values()]).id;
  if (streams.has(name)) return name;
  const { id } = fromFolder(findSprintFolder(await listSprintFolders(project.root), name));
  if (streams.has(id)) return id;
  throw noHistory(`sprint ${id} has not been run yet`, `Run it with: clifford run ${id} --agent-cmd "…"`);
}

function latest(streams: readonly SprintState[]): SprintState {
  const sprints = streams.filter(({ id }) => id !== ADHOC_STREAM);
  const [first, ...others] = sprints.length > 0 ? sprints : streams;
  if (!first) throw noHistory('the log has no events', 'Run a sprint first, e.g. the demo: clifford demo');
  return others.reduce((a, b) => ((b.lastEventAt ?? '') > (a.lastEventAt ?? '') ? b : a), first);
}

function fromFolder(folder: SprintFolder): KnownSprint {
  return { id: folder.manifest.id, folder };
}

/** A failed sprint is not finished: a run, or a retry, takes it up again. */
function isFinished({ folder }: KnownSprint, sprint: SprintState | undefined): boolean {
  const added = folder?.manifest.tasks.filter(({ id }) => !sprint?.tasks.has(id)) ?? [];
  if (added.some(({ status }) => !isDone(status))) return false;
  if (sprint?.manifest === undefined) return added.length > 0 || isDone(folder?.manifest.status ?? 'pending');
  return ['done.completed', 'done.cancelled'].includes(nameOf(sprint.machine.value));
}

function isDone(status: string): boolean {
  return status === 'completed' || status === 'pushed';
}

function unclear(unfinished: readonly KnownSprint[], all: readonly KnownSprint[]): CliffordError {
  const list = (sprints: readonly KnownSprint[]) => sprints.map(({ id }) => id).join(', ');
  const reason =
    unfinished.length > 0
      ? `several are unfinished: ${list(unfinished)}`
      : all.length > 0
        ? `none is unfinished, of ${list(all)}`
        : 'the project has none';
  return new CliffordError(`Cannot tell which sprint is meant: ${reason}`, {
    code: 'SPRINT_UNCLEAR',
    fix: all.length > 0 ? 'Name the sprint' : 'Add one: sprints/<name>/manifest.json and its task files',
    recovery: 'fix-input',
  });
}

function noHistory(reason: string, fix: string): CliffordError {
  return new CliffordError(`Cannot find a history: ${reason}`, {
    code: 'NO_HISTORY',
    fix,
    recovery: 'fix-input',
  });
}
