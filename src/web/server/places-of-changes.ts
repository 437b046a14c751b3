import type { RequestState } from '../../machines/project-state.ts';
import { callChanges } from '../../views/call-changes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { placesInFile } from '../../workflow/requests/places-in-file.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';

/** Of each change of a call the line of the file, from 1, at which the text stands now that it replaces; `undefined`: nobody knows. */
export type Places = readonly (number | undefined)[];

/** Where the changes of a call stand in the files that its agent works on. */
export async function placesOfChanges(
  { root, state }: Pick<Project, 'root' | 'state'>,
  { stream, taskId, asked: { approval, task } }: RequestState,
): Promise<Places> {
  const worked = state.streams.get(stream)?.tasks.get(taskId ?? task ?? '');
  const folders = new Set([workFolder({ root }, worked), root]);
  return Promise.all(
    callChanges(approval?.args).map(async ({ path, isEdit, texts: [old = ''] }) => {
      if (!isEdit) return undefined;
      const places = await Promise.all([...folders].map((folder) => placesInFile(folder, path, old)));
      const [place, other] = places.find(({ length }) => length > 0) ?? [];
      // Where it is there twice nobody knows which is meant.
      return other === undefined ? place : undefined;
    }),
  );
}
