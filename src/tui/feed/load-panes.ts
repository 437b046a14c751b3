import { CliffordError } from '../../errors.ts';
import { SpacedReads } from '../../lib/time/spaced-reads.ts';
import { paneOf } from '../panes/all-panes.ts';
import type { PaneContent, PaneSource } from '../panes/pane.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import { MOST_EVENTS } from '../../workflow/history/recent-events.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';

type LoadDeps = {
  readonly source: Omit<PaneSource, 'past' | 'gone'>;
  /** Where the screen is in the past, if it is there. */
  readonly cursor: () => HistoryCursor | undefined;
  /** The moment of the past that it was told of last. */
  readonly moment: () => Moment | undefined;
  readonly fail: (error: unknown) => void;
};

/** What reads for the panes of a screen. */
export type PaneLoader = {
  /** Reads what a pane shows of a task at the moment that is shown. */
  readonly read: (pane: string, task: string) => Promise<PaneContent>;
  readonly stop: () => void;
};

/** Reads what the panes of a screen show when it wants it, and tells it, until it is stopped. */
export function loadPanes(actor: ScreenActor, { source, cursor, moment, fail }: LoadDeps): PaneLoader {
  const reads = new SpacedReads();
  let isOver = false;

  const sourceNow = (): PaneSource => {
    const { context } = actor.getSnapshot();
    const at = context.past?.moment;
    const past = cursor();
    if (!at || !past) return { ...source, gone: context.processes.gone, past: undefined };
    const events = {
      read: (most = MOST_EVENTS) => past.events(Math.max(1, at.version - most + 1), at.version),
    };
    const sprint = moment()?.state.streams.get(source.stream);
    const tracks = { read: () => Promise.resolve(past.tracks) };
    return { ...source, events, tracks, gone: new Set(), past: { version: at.version, sprint } };
  };
  const wanted = actor.on('load', ({ pane, task, wanted }) => {
    const read = async () => {
      try {
        // The screen is told of the moment that this is about once it has taken it.
        const content = await Promise.resolve().then(() => contentOf(pane, sourceNow(), task));
        if (!isOver) actor.send({ type: 'loaded', loaded: { ...wanted, content } });
      } catch (error) {
        if (!isOver) fail(error);
      }
    };
    const isUrgent = actor.getSnapshot().context.past !== undefined;
    reads.want(wanted.key, read, { isUrgent });
  });
  return {
    read: (pane, task) =>
      contentOf(pane, sourceNow(), task).catch((error: unknown) => {
        if (!isOver) fail(error);
        return nothing;
      }),
    stop: () => {
      isOver = true;
      reads.drop();
      wanted.unsubscribe();
    },
  };
}

const nothing: PaneContent = { lines: () => [], empty: '' };

/** What a pane shows of a task, or why it cannot be read. */
async function contentOf(pane: string, source: PaneSource, task: string): Promise<PaneContent> {
  try {
    return await paneOf(pane).load(source, task);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    const { message } = error;
    return { lines: () => [], empty: message.charAt(0).toUpperCase() + message.slice(1) };
  }
}
