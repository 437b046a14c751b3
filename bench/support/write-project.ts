import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manySprints, SPRINTS, TASKS } from './many-sprints.ts';
import { writeEvents } from './write-log.ts';

/**
 * Writes a project of {@link SPRINTS} sprints with about `count` events, of which one in four waits for a human; the others are
 * over. Returns how many events there are.
 */
export async function writeProject(root: string, count: number): Promise<number> {
  await mkdir(join(root, '.clifford'));
  for (let number = 0; number < SPRINTS; number += 1) {
    const id = `sprint-${number}`;
    const tasks = Array.from({ length: TASKS }, (_, at) => ({ id: `task-${at}`, file: `task-${at}.md` }));
    await mkdir(join(root, 'sprints', id), { recursive: true });
    const manifest = { id, name: `Sprint number ${number}`, status: 'pending', tasks };
    await writeFile(join(root, 'sprints', id, 'manifest.json'), JSON.stringify(manifest));
  }
  return writeEvents(
    join(root, '.clifford', 'events.jsonl'),
    manySprints(count, (number) => number % 4 === 1),
  );
}
