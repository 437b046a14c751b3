import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { inFolder } from '../../lib/files/opened-folder.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import { manifestSchema } from './manifest.ts';
import { listSprintFolders, MANIFEST_FILE } from './sprint-folders.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/**
 * Makes `sprints/<id>` with a manifest of no tasks. Returns the manifest's path.
 *
 * @throws {CliffordError} `OUTSIDE_PROJECT`; `SPRINT_EXISTS` when the folder or the id is taken; `SPRINTS_INACCESSIBLE`; `SPRINT_ID_INVALID`.
 */
export async function createSprint(
  root: string,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const dir = join(root, 'sprints', id);
  const path = join(dir, MANIFEST_FILE);
  const text = `${JSON.stringify({ id, name, status: 'pending', tasks: [] }, null, 2)}\n`;
  const fault = manifestSchema.shape.id.safeParse(id).error?.issues[0]?.message;
  if (fault !== undefined) throw wrongId(id, fault);
  const { sprints } = await listSprintFolders(root);
  const other = sprints.find(({ manifest }) => manifest.id === id);
  if (other) throw taken(id, `${join(other.dir, MANIFEST_FILE)} has that id`);
  const parent = await insideRoot(root, join(root, 'sprints'));
  try {
    await inFolder(parent, { root, makeMode: 0o777 }, (at) => mkdir(at(id)));
  } catch (error) {
    if (error instanceof CliffordError) throw error;
    const code = systemCodeOf(error);
    if (code === 'EEXIST') throw taken(id, `${dir} is there already`);
    throw new CliffordError(`Cannot make sprint ${id}: the system says ${code} of ${dir}`, {
      code: 'SPRINTS_INACCESSIBLE',
      fix: 'Make the folder writable for this user',
      cause: error,
    });
  }
  await inFolder(join(parent, id), { root }, (at) =>
    writeAtomically(at(MANIFEST_FILE), text, { mode: 0o666 }),
  );
  return path;
}

function wrongId(id: string, fault: string): CliffordError {
  return new CliffordError(`Cannot make sprint ${JSON.stringify(id)}: as an id ${fault}`, {
    code: 'SPRINT_ID_INVALID',
    fix: 'Choose another id, and say how it is called with --name',
  });
}

function taken(id: string, reason: string): CliffordError {
  return new CliffordError(`Cannot make sprint ${id}: ${reason}`, {
    code: 'SPRINT_EXISTS',
    fix: `Choose another id, or add to that one: clifford task add <task> --sprint ${id}`,
  });
}
