import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sprintEvents, writeEvents, type SprintSize } from './write-log.ts';

/** Writes a project with one sprint, of ten tasks by default. Returns how many events it has. */
export async function writeSprint(root: string, id: string, size: SprintSize): Promise<number> {
  await mkdir(join(root, '.clifford'), { recursive: true });
  const tasks = Array.from({ length: size.tasks }, (_, at) => ({ id: `task-${at}`, file: `task-${at}.md` }));
  await mkdir(join(root, 'sprints', id), { recursive: true });
  const manifest = { id, name: `Sprint ${id}`, status: 'pending', tasks };
  await writeFile(join(root, 'sprints', id, 'manifest.json'), JSON.stringify(manifest));
  return writeEvents(join(root, '.clifford', 'events.jsonl'), sprintEvents(id, size));
}
