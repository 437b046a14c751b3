import { dirname } from 'node:path';
import type { Project } from '../../workflow/project/project.ts';
import { readTaskTitle } from '../../workflow/task/task-title.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';

type TitleDeps = {
  readonly project: Project;
  readonly stream: string;
  readonly send: (event: ScreenEvent) => void;
};

/** Files that are read before the screen is told of them. */
const BATCH = 100;

/** Tells a screen the titles of its tasks: of all that there are, then of each that comes. */
export function feedTitles({ project, stream, send }: TitleDeps): () => void {
  const seen = new Set<string>();
  let isOver = false;
  const look = async () => {
    const { manifest, tasks } = project.state.streams.get(stream) ?? {};
    if (manifest === undefined || tasks === undefined || tasks.size === seen.size) return;
    const fresh = [...tasks.values()].filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    for (let from = 0; from < fresh.length && !isOver; from += BATCH) {
      const read = fresh
        .slice(from, from + BATCH)
        .map(
          async ({ id, file }) =>
            [id, (await readTaskTitle(project.root, dirname(manifest), file)) ?? ''] as const,
        );
      const titles = new Map((await Promise.all(read)).filter(([, title]) => title !== ''));
      if (!isOver && titles.size > 0) send({ type: 'titled', titles });
    }
  };
  // A title is not worth failing for.
  const begin = () => void look().catch(() => undefined);
  begin();
  const unsubscribe = project.subscribe(begin);
  return () => {
    isOver = true;
    unsubscribe();
  };
}
