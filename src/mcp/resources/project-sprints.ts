import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { describeKnown } from '../../views/sprints/sprint-status.ts';
import type { SprintView } from '../../views/sprints/describe-sprint.ts';
import type { Project } from '../../workflow/project/project.ts';
import { knownSprints, type KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';

/** A sprint of the project. `view` is missing of one that is over for so long that its state is put away. */
export type ProjectSprint = { readonly known: KnownSprint; readonly view?: SprintView };

/** Every sprint, those that are under way or to come first. None is brought back into memory for it. */
export async function projectSprints({ root, state }: Project): Promise<ProjectSprint[]> {
  const all = knownSprints(state, await listSprintFolders(root));
  const sprints = all
    .filter(({ id }) => id !== ADHOC_STREAM)
    .map((known) => ({ known, ...(isPutAway(state, known) ? {} : { view: describeKnown(known, state) }) }));
  const isOver = ({ view }: ProjectSprint) => view === undefined || view.state === 'done';
  return [...sprints.filter((each) => !isOver(each)), ...sprints.filter(isOver)];
}

/** One sprint, wherever its state is; `undefined`: there is none of this id. */
export async function projectSprint(
  { root, state }: Project,
  id: string,
): Promise<Required<ProjectSprint> | undefined> {
  const known = knownSprints(state, await listSprintFolders(root)).find((each) => each.id === id);
  return known && id !== ADHOC_STREAM ? { known, view: describeKnown(known, state) } : undefined;
}

function isPutAway({ streams }: ProjectState, { id }: KnownSprint): boolean {
  return streams.compressed().has(id);
}
