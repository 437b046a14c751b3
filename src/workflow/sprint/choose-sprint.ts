import { basename, dirname, normalize, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { bringItBack, missingManifest } from './missing-manifest.ts';
import { SprintUnclear } from './sprint-unclear.ts';
import { enterSprint } from './enter-sprint.ts';
import { isDoneStatus } from '../../machines/manifest-words.ts';
import type { Project } from '../project/project.ts';
import {
  findSprintFolder,
  listSprintFolders,
  MANIFEST_FILE,
  manifestPath,
  type SprintFolder,
  type SprintIndex,
} from './sprint-folders.ts';

/** A sprint of the project: known from its folder, from the log, or from both. */
export type KnownSprint = {
  readonly id: string;
  readonly folder: SprintFolder | undefined;
  /** Why its folder cannot be used, where that is known. */
  readonly broken?: CliffordError;
};

/** Every sprint, those with a folder first. */
export function knownSprints(state: ProjectState, index: SprintIndex): KnownSprint[] {
  const withFolder = index.sprints.map((folder) => ({ id: folder.manifest.id, folder }));
  const ids = new Set(withFolder.map(({ id }) => id));
  const loaded = state.streams.loaded().filter(({ manifest }) => manifest !== undefined);
  const logged = [...loaded.map(({ id }) => id), ...state.streams.compressed().keys()];
  const others = logged.filter((id) => !ids.has(id));
  return [...withFolder, ...others.map((id) => withoutFolder(id, state, index))];
}

/** A sprint that only the log knows, or whose manifest cannot be read just now. */
function withoutFolder(id: string, state: ProjectState, { broken }: SprintIndex): KnownSprint {
  const manifest = broken.length > 0 ? state.streams.get(id)?.manifest : undefined;
  const dir = manifest === undefined ? undefined : `${sep}${dirname(normalize(manifest))}`;
  const found = broken.find((each) => dir !== undefined && each.dir.endsWith(dir));
  return { id, folder: undefined, ...(found ? { broken: found.error } : {}) };
}

/**
 * The sprint a person means: by id or folder name, or, without a name, the only one that is not
 * finished; of several the only one that has the task they speak of. Where a manifest cannot be read, nobody knows
 * whether it is the only one. Changes nothing.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, `SPRINT_UNCLEAR` listing those it could be, or why a
 *   manifest cannot be read.
 */
export async function chooseSprint(
  project: Project,
  name: string | undefined,
  { task }: { readonly task?: string | undefined } = {},
): Promise<KnownSprint> {
  const index = await listSprintFolders(project.root);
  const sprints = knownSprints(project.state, index);
  if (name !== undefined) {
    return sprints.find(({ id }) => id === name) ?? fromFolder(findSprintFolder(index, name));
  }
  const { streams } = project.state;
  const unfinished = sprints.filter(
    // Without a folder nothing can start a sprint again that is over.
    ({ id, folder }) =>
      !(folder === undefined && streams.compressed().has(id)) && !isFinished(folder, streams.get(id)),
  );
  const having =
    task === undefined ? [] : unfinished.filter((each) => hasTask(each, streams.get(each.id), task));
  // A task that none of them has is said of the only one.
  const [first, second] = having.length > 0 ? having : unfinished;
  const [unreadable] = unreadableBeside(first, { sprints, state: project.state, index });
  if (first && !second) {
    if (having.length === 0 && unreadable) throw besideUnreadable(project, first, unreadable);
    return first;
  }
  const [broken] = index.broken;
  if (!first && broken) throw broken.error;
  throw unclear(project.state, { unfinished, having, task }, sprints);
}

type Broken = SprintIndex['broken'][number];

/** Folders that could be of another sprint that is meant: their manifest cannot be read, and the log knows of none that is over there. */
function unreadableBeside(
  first: KnownSprint | undefined,
  {
    sprints,
    state,
    index,
  }: {
    readonly sprints: readonly KnownSprint[];
    readonly state: ProjectState;
    readonly index: SprintIndex;
  },
): readonly Broken[] {
  const over = sprints.filter(({ id, folder }) => isFinished(folder, state.streams.get(id)));
  const known = [first, ...over].map((sprint) => sprint?.broken);
  return index.broken.filter(({ error }) => !known.includes(error));
}

function besideUnreadable({ state }: Project, { id }: KnownSprint, { dir, error }: Broken): SprintUnclear {
  const possible = [{ id, lastEventAt: state.streams.get(id)?.lastEventAt ?? '' }];
  return new SprintUnclear(`${id}, or the one in ${basename(dir)}: ${error.message}`, possible, false);
}

function hasTask({ folder }: KnownSprint, sprint: SprintState | undefined, task: string): boolean {
  return sprint?.tasks.has(task) || folder?.manifest.tasks.some(({ id }) => id === task) || false;
}

/**
 * The folder of the sprint a person means. Changes nothing.
 *
 * @param toDo - What is to be done with it, before `sprint s` in an error. Default: `run`.
 * @throws {CliffordError} as {@link chooseSprint}; `SPRINT_FOLDER_GONE` when only the log knows it.
 */
export async function chooseSprintFolder(
  project: Project,
  name: string | undefined,
  { task, toDo = 'run' }: { readonly task?: string | undefined; readonly toDo?: string } = {},
): Promise<SprintFolder> {
  const { id, folder, broken } = await chooseSprint(project, name, { task });
  if (folder) return folder;
  if (broken) throw broken;
  throw await folderGone(project, id, toDo);
}

async function folderGone(project: Project, id: string, toDo: string): Promise<CliffordError> {
  const sprint = project.state.streams.get(id);
  const manifest = sprint?.manifest ?? `sprints/${id}/${MANIFEST_FILE}`;
  const { sprints } = await listSprintFolders(project.root);
  const renamed = sprints.find(({ dir }) => manifestPath(project.root, dir) === manifest);
  if (renamed) {
    return new CliffordError(
      `Cannot ${toDo} sprint ${id}: ${manifest} now has the id ${renamed.manifest.id}`,
      { code: 'SPRINT_RENAMED', fix: `Give the manifest its id ${id} back` },
    );
  }
  const problem = missingManifest(project.root, { manifest }) ?? `${manifest} is missing`;
  return new CliffordError(`Cannot ${toDo} sprint ${id}: ${problem}`, {
    code: 'SPRINT_FOLDER_GONE',
    fix: bringItBack(id),
  });
}

/** The sprint a person means, brought into the log. Returns its stream. */
export async function enterChosenSprint(
  project: Project,
  name: string | undefined,
  about: { readonly task?: string | undefined } = {},
): Promise<string> {
  const { id, folder } = await chooseSprint(project, name, about);
  if (folder) await enterSprint(project, folder);
  return id;
}

function fromFolder(folder: SprintFolder): KnownSprint {
  return { id: folder.manifest.id, folder };
}

/** A failed sprint is not finished: a run, or a retry, takes it up again. New tasks open a completed one. */
function isFinished(folder: SprintFolder | undefined, sprint: SprintState | undefined): boolean {
  const name = sprint && nameOf(sprint.machine.value);
  if (name === 'done.cancelled') return true;
  const added = folder?.manifest.tasks.filter(({ id }) => !sprint?.tasks.has(id)) ?? [];
  if (added.some(({ status }) => !isDoneStatus(status))) return false;
  if (sprint?.manifest === undefined)
    return added.length > 0 || isDoneStatus(folder?.manifest.status ?? 'pending');
  return name === 'done.completed';
}

function unclear(
  { streams }: ProjectState,
  {
    unfinished,
    having,
    task,
  }: {
    readonly unfinished: readonly KnownSprint[];
    /** Those of them that have the task that was named. */
    readonly having: readonly KnownSprint[];
    readonly task: string | undefined;
  },
  all: readonly KnownSprint[],
): CliffordError {
  const list = (sprints: readonly KnownSprint[]) => sprints.map(({ id }) => id).join(', ');
  const reason =
    having.length > 0
      ? `several have a task ${task}: ${list(having)}`
      : unfinished.length > 0
        ? `several are unfinished${task === undefined ? '' : `, and none has a task ${task}`}: ${list(unfinished)}`
        : all.length > 1
          ? `all are done: ${list(all)}`
          : all.length > 0
            ? `sprint ${list(all)} is done`
            : 'the project has none';
  // One that was cancelled takes no task any more.
  const open = all.filter(
    ({ id }) => nameOf(streams.get(id)?.machine.value ?? 'absent') !== 'done.cancelled',
  );
  const possible = ([having, unfinished].find(({ length }) => length > 0) ?? open).map(({ id }) => {
    return { id, lastEventAt: streams.get(id)?.lastEventAt ?? '' };
  });
  return new SprintUnclear(reason, possible, unfinished.length === 0);
}
