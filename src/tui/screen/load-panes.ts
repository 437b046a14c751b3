import { CliffordError } from '../../errors.ts';
import { paneOf } from '../panes/all-panes.ts';
import type { PaneContent, PaneSource } from '../panes/pane.ts';
import type { ScreenActor } from './screen-actor.ts';

/** Shortest time between two readings of what one pane shows, in ms: a sprint may have a thousand events a second. */
const READ_EVERY_MS = 500;

/** Reads what the panes of a screen show when it wants it, and tells it, until the returned function is called. */
export function loadPanes(
  actor: ScreenActor,
  { source, fail }: { readonly source: PaneSource; readonly fail: (error: unknown) => void },
): () => void {
  let last = { key: '', at: 0 };
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const wanted = actor.on('load', ({ pane, task, wanted }) => {
    const read = () => {
      last = { key: wanted.key, at: Date.now() };
      void contentOf(pane, source, task).then(
        (content) => {
          if (!isOver) actor.send({ type: 'loaded', loaded: { ...wanted, content } });
        },
        (error: unknown) => {
          if (!isOver) fail(error);
        },
      );
    };
    clearTimeout(timer);
    const wait = wanted.key === last.key ? last.at + READ_EVERY_MS - Date.now() : 0;
    if (wait > 0) timer = setTimeout(read, wait).unref();
    else read();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    wanted.unsubscribe();
  };
}

/** What a pane shows of a task, or why it cannot be read. */
async function contentOf(pane: string, source: PaneSource, task: string): Promise<PaneContent> {
  try {
    return (await paneOf(pane).load?.(source, task)) ?? { lines: () => [], empty: '' };
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return { lines: () => [], empty: error.message };
  }
}
