import type { RequestState } from '../../machines/project-state.ts';
import { callChanges, type CallChange } from '../../views/call-changes.ts';
import { foldedLines } from '../../views/folded-lines.ts';
import type { Project } from '../../workflow/project/project.ts';
import { placesInFile } from '../../workflow/requests/places-in-file.ts';

/** A call that waits. */
type Waiting = Pick<RequestState, 'id' | 'asked'>;

/**
 * The calls of which unchanged lines may be left out, by the ids of their requests. An agent says which lines a file has already:
 * what it would add could be among them. So each of their files is looked at, and has to have all that is said to stand there.
 */
export async function keptLines(
  { root }: Pick<Project, 'root'>,
  waiting: readonly Waiting[],
): Promise<ReadonlySet<string>> {
  const kept = await Promise.all(
    waiting.map(async ({ id, asked }) =>
      (await isKept(root, callChanges(asked.approval?.args))) ? [id] : [],
    ),
  );
  return new Set(kept.flat());
}

async function isKept(root: string, changes: readonly CallChange[]): Promise<boolean> {
  const edits = changes.filter(({ isEdit }) => isEdit);
  if (!edits.some(({ lines }) => foldedLines(lines).some(({ is }) => is === 'folded'))) return false;
  const told = await Promise.all(edits.map((edit) => isInFile(root, edit)));
  return told.every(Boolean);
}

async function isInFile(root: string, { path, texts: [old = ''] }: CallChange): Promise<boolean> {
  return old === '' || (await placesInFile(root, path, old)).length > 0;
}
