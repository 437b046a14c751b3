import type { Project } from '../../workflow/project/project.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import { Throttle } from '../../lib/time/throttle.ts';
import { howClosed } from '../text/how-closed.ts';
import type { Closed, ScreenEvent } from '../screen/screen-event.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { describeScreen, type ScreenView } from '../../views/sprints/sprint-view.ts';

/** Shortest time between two drawings of what happened, in ms. Keys do not wait for it. */
const NEWS_EVERY_MS = 100;
/** The same while agents write faster than anybody reads. */
const FLOOD_EVERY_MS = 250;
/** More than this since the last drawing is a flood, in characters: some pages. */
const FLOOD = 10_000;

type FeedDeps = {
  readonly project: Project;
  readonly stream: string;
  readonly output: AgentOutput;
  readonly first: ScreenView;
  readonly send: (event: ScreenEvent) => void;
};

/**
 * Tells a screen what happens in its stream and what agents write: in batches, outside React, which
 * would work on each event by itself.
 */
export function feedScreen({ project, stream, output, first, send }: FeedDeps): {
  /** Tells at once what is known. */
  flush: () => void;
  stop: () => void;
} {
  let sprint = first;
  let outputVersion = 0;
  let undrawn = 0;

  const tell = () => {
    undrawn = 0;
    const before = sprint;
    const version = project.state.streams.get(stream)?.version ?? 0;
    if (version !== sprint.version)
      sprint = describeScreen(project.state, stream, (task) => workFolder(project, task));
    const { trouble } = project;
    send({ type: 'news', sprint, outputVersion, closed: closedSince(before, sprint), trouble });
  };
  const closedSince = (before: ScreenView, after: ScreenView): Closed[] => {
    const isOpen = new Set(after.open.map(({ id }) => id));
    const requests = project.state.streams.get(stream)?.requests;
    return before.open.flatMap(({ id }) => {
      const request = isOpen.has(id) ? undefined : requests?.get(id);
      return request ? [{ id, how: howClosed(request) }] : [];
    });
  };

  const news = new Throttle<void>(() => (undrawn > FLOOD ? FLOOD_EVERY_MS : NEWS_EVERY_MS), tell);
  const unsubscribe = project.subscribe(() => news.push());
  const unsubscribeOutput = output.subscribe((characters) => {
    outputVersion += 1;
    undrawn += characters;
    news.push();
  });
  return {
    flush: () => {
      news.push();
      news.flush();
    },
    stop: () => {
      unsubscribe();
      unsubscribeOutput();
      news.drop();
    },
  };
}
