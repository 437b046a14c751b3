import { CliffordError } from '../../errors.ts';
import { paneOf } from '../panes/all-panes.ts';
import type { PaneContent, PaneSource } from '../panes/pane.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import type { ScreenActor } from './screen-actor.ts';

/** Shortest time between two readings of what one pane shows, in ms: a sprint may have a thousand events a second. */
const READ_EVERY_MS = 500;

/** What takes long is read seldom: a reading takes one part in so many of the time. */
const READING_SHARE = 5;

/** Events of the past that are shown, up to a moment. */
const PAST_EVENTS = 5_000;

type LoadDeps = {
  readonly source: Omit<PaneSource, 'past'>;
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
  let last = { key: '', nextAt: 0 };
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const sourceNow = (): PaneSource => {
    const at = actor.getSnapshot().context.past?.moment;
    const past = cursor();
    if (!at || !past) return { ...source, past: undefined };
    const events = { read: () => past.events(Math.max(1, at.version - PAST_EVENTS + 1), at.version) };
    const sprint = moment()?.state.streams.get(source.stream);
    const tracks = { read: () => Promise.resolve(past.tracks) };
    return { ...source, events, tracks, past: { version: at.version, sprint } };
  };
  const wanted = actor.on('load', ({ pane, task, wanted }) => {
    const read = () => {
      const begunAt = Date.now();
      last = { key: wanted.key, nextAt: begunAt + READ_EVERY_MS };
      // The screen is told of the moment that this is about once it has taken it.
      const reading = Promise.resolve().then(() => contentOf(pane, sourceNow(), task));
      void reading.then(
        (content) => {
          const took = Date.now() - begunAt;
          if (last.key === wanted.key) last.nextAt = begunAt + Math.max(READ_EVERY_MS, READING_SHARE * took);
          if (!isOver) actor.send({ type: 'loaded', loaded: { ...wanted, content } });
        },
        (error: unknown) => {
          if (!isOver) fail(error);
        },
      );
    };
    clearTimeout(timer);
    const isNow = actor.getSnapshot().context.past === undefined;
    const isRepeated = wanted.key === last.key && isNow;
    const wait = isRepeated ? last.nextAt - Date.now() : 0;
    if (wait > 0) timer = setTimeout(read, wait).unref();
    else read();
  });
  return {
    read: (pane, task) =>
      contentOf(pane, sourceNow(), task).catch((error: unknown) => {
        if (!isOver) fail(error);
        return nothing;
      }),
    stop: () => {
      isOver = true;
      clearTimeout(timer);
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
