import type { Project } from '../../workflow/project/project.ts';
import { titlesOfTasks } from '../../workflow/task/task-titles.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';

type TitleDeps = {
  readonly project: Project;
  readonly stream: string;
  readonly send: (event: ScreenEvent) => void;
};

/** Tells a screen the titles of its tasks: of all that there are, then of each that comes. */
export function feedTitles({ project, stream, send }: TitleDeps): () => void {
  const seen = new Set<string>();
  let isOver = false;
  const look = async () => {
    const { manifest, tasks } = project.state.streams.get(stream) ?? {};
    if (manifest === undefined || tasks === undefined || tasks.size === seen.size) return;
    const fresh = [...tasks.values()].filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    for await (const titles of titlesOfTasks(project.root, { manifest, tasks: fresh })) {
      if (isOver) return;
      if (titles.size > 0) send({ type: 'titled', titles });
    }
  };
  const begin = () => void look();
  begin();
  const unsubscribe = project.subscribe(begin);
  return () => {
    isOver = true;
    unsubscribe();
  };
}
