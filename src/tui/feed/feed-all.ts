import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import { RecentEvents } from '../../workflow/history/recent-events.ts';
import { TracksOfNow } from '../../workflow/history/task-tracks.ts';
import { PastOutput } from '../../workflow/transcripts/past-output.ts';
import { TimeTravel } from '../past/time-travel.ts';
import { clipboardText } from '../text/clipboard-text.ts';
import { LineNumbers } from '../text/line-numbers.ts';
import type { DraftFiles } from '../drafts/draft-files.ts';
import { feedOffers } from './feed-offers.ts';
import { feedScreen } from './feed-screen.ts';
import { feedTitles } from './feed-titles.ts';
import { keepDrafts, type UnkeptText } from '../drafts/keep-drafts.ts';
import { pastCommands } from './past-commands.ts';
import { loadPanes } from './load-panes.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';
import type { ShowSprintOptions } from '../screen/show-sprint-options.ts';
import type { ReadPane } from './use-beside.ts';

type FeedDeps = {
  readonly options: ShowSprintOptions;
  /** The sprint as the screen shows it first. */
  readonly first: ScreenView;
  readonly files: DraftFiles;
  /** Nothing is to move by itself. */
  readonly isStill: boolean;
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  readonly fail: (error: unknown) => void;
};

/** What tells a screen what there is to show. */
export type Feeds = {
  /** Tells it at once what has happened. */
  readonly flush: () => void;
  readonly time: TimeTravel;
  readonly readPane: ReadPane;
  /** Resolves with what was typed and could not be kept. */
  readonly stop: () => Promise<readonly UnkeptText[]>;
};

/** Tells a screen what there is to show, as it comes or is wanted, and keeps what is typed there. */
export function feedAll(actor: ScreenActor, deps: FeedDeps): Feeds {
  const { options, first, files, fail } = deps;
  const { project, stream, output, offersFor } = options;
  const { partsOf = () => Promise.resolve(new Map()) } = options;
  const send = (event: ScreenEvent) => actor.send(event);
  const shown = () => actor.getSnapshot().context.current;
  const keeping = keepDrafts(actor, files);
  const news = feedScreen({ project, stream, output, first, send });
  const stopOffers = feedOffers({ project, stream, offersFor, partsOf, shown, send });
  const stopTitles = feedTitles({ project, stream, send });
  const copy = (text: string) => deps.write(clipboardText(text));
  const { isStill } = deps;
  const { typedLine } = options;
  const onMoment = pastCommands({ stream, partsOf, send });
  const time = new TimeTravel({ actor, project, stream, copy, typedLine, fail, isStill, onMoment });
  const events = new RecentEvents(project, stream);
  const tracks = new TracksOfNow(project.log, stream);
  const past = new PastOutput(project.dir);
  const panes = loadPanes(actor, {
    source: { project, stream, events, tracks, output: past, numbers: new LineNumbers() },
    cursor: () => time.cursor,
    moment: () => time.moment,
    fail,
  });
  return {
    flush: news.flush,
    time,
    readPane: panes.read,
    stop: async () => {
      news.stop();
      stopOffers();
      const unkept = keeping.stop();
      stopTitles();
      panes.stop();
      events.close();
      await time.close();
      return unkept;
    },
  };
}
