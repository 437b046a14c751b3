import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { SpacedReads } from '../../lib/time/spaced-reads.ts';
import { allPanes, paneOf } from '../panes/all-panes.ts';
import type { Pane, PaneContent } from '../panes/pane.ts';
import { contentKey, currentPane, shownTask, type LoadedContent } from '../screen/browsing.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Reads what a pane shows of a task. */
export type ReadPane = (pane: string, task: string) => Promise<PaneContent>;

/** Where the second pane has what it shows from; without it only what agents write is shown there. */
export const ReadPaneContext = createContext<ReadPane | undefined>(undefined);

/** What stands beside the pane that is picked: what agents write, or beside that the pane that was picked last. */
export function besidePane(state: ScreenState): Pane {
  return currentPane(state) === allPanes[0] ? paneOf(state.browsing.beside) : allPanes[0];
}

/** What a pane shows that no key moves in, once it was read, anew whenever something happens. */
export function useBesideContent(state: ScreenState): LoadedContent | undefined {
  const pane = currentPane(state);
  const read = useContext(ReadPaneContext);
  const [content, setContent] = useState<LoadedContent>();
  const task = shownTask(state);
  const { past, sprint, filesVersion } = state;
  const key = contentKey(state, task);
  const files = pane.follows === 'files' ? ` ${filesVersion}` : '';
  const version = past ? `@${past.moment.version}` : `${sprint.version}${files}`;
  const isRead = read !== undefined && task !== undefined && !(pane.isLive === true && !past);
  const isPast = past !== undefined;
  const wanted = useRef(key);
  const [reads] = useState(() => new SpacedReads());
  useEffect(() => {
    wanted.current = key;
    if (!isRead) return undefined;
    const begin = async () => {
      const loaded = await read(pane.id, task);
      if (wanted.current === key) setContent({ key, version, content: loaded });
    };
    reads.want(key, begin, { isUrgent: isPast });
    return () => reads.drop();
  }, [reads, isRead, isPast, key, version, read, pane, task]);
  return content?.key === key ? content : undefined;
}
