import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { streamOf } from '../../events/envelope.ts';
import { Throttle } from '../../lib/time/throttle.ts';
import type { Overview } from '../../views/sprints/overview.ts';
import type { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Clock } from '../terminal/clock.ts';

/** Shortest time between two drawings of what happened, in ms. Keys do not wait for it. */
const NEWS_EVERY_MS = 100;

type FeedDeps = {
  readonly project: Pick<Project, 'subscribe'>;
  readonly rows: SprintRows;
  readonly clock: Clock;
  readonly tell: (overview: Overview) => void;
  readonly fail: (error: unknown) => void;
};

/** Tells the overview what happens in the project: in batches; and once a second, when something has, what no event says. */
export function feedOverview({ project, rows, clock, tell, fail }: FeedDeps): () => void {
  const news = new Throttle<void>(NEWS_EVERY_MS, () => tell(rows.overview()));
  let isLooking = false;
  const look = (looking: Promise<boolean>) => {
    isLooking = true;
    looking
      .then((hasChanged) => {
        if (hasChanged) news.push();
      }, fail)
      .finally(() => (isLooking = false));
  };
  const unsubscribe = project.subscribe((events) => {
    const streams = new Set(events.map(({ subject }) => streamOf(subject)));
    // What is asked outside of any sprint has a row only while it waits.
    const isNew = [...streams].some((id) => id !== ADHOC_STREAM && !rows.has(id));
    for (const id of streams) rows.drop(id);
    if (isNew && !isLooking) look(rows.list().then(() => true));
    // Without events, too: the log cannot be read any more, or can again.
    else news.push();
  });
  const stopClock = clock.subscribe(() => {
    if (!isLooking) look(rows.look());
  });
  return () => {
    unsubscribe();
    stopClock();
    news.drop();
  };
}
