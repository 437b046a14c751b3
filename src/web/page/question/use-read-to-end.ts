import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { scrollBehavior } from '../parts/scroll-behavior.ts';
import { useMovement } from '../parts/use-movement.ts';
import { keepPlace } from './keep-place.ts';
import { isRead, nothingRead, readOn, type Content, type ReadingEvent } from './reading.ts';
import { beginOf, bodyOf, sightOf } from './sight.ts';

/**
 * Why something is not read. `pending`: it is not all there yet; `above`: it has become another one where it begins, which was passed
 * already; `below`: its end has not been in sight.
 */
export type Unread = 'pending' | 'above' | 'below';

type Options = {
  /** They are not all there yet. */
  readonly isPending: boolean;
  /** What the reader writes of it: with another one it is to be read anew, where they stand. */
  readonly draft?: unknown;
};

/** Whether contents were read, and what leads to what was not. */
export type ReadToEnd = {
  /** Of the place behind them, within what scrolls. */
  readonly end: RefObject<HTMLDivElement | null>;
  readonly isRead: boolean;
  /** `undefined`: it is, or that is not known yet. */
  readonly unread: Unread | undefined;
  /** Leads to where they are to be read from, or to their end. */
  readonly onLead: () => void;
};

/** Whether contents were read, as `readOn` says. Nothing moves by itself. */
export function useReadToEnd(contents: readonly Content[], { isPending, draft }: Options): ReadToEnd {
  const end = useRef<HTMLDivElement>(null);
  const keep = useRef<() => void>(undefined);
  const [reading, setReading] = useState(nothingRead);
  const now = useRef(reading);
  const scrolled = useMovement();
  /** How far it was scrolled when that was last heard of, in pixels. */
  const heard = useRef(0);
  const tell = useCallback((event: ReadingEvent) => {
    now.current = readOn(now.current, event);
    setReading(now.current);
  }, []);

  // With each rendering, since what that moves nobody has scrolled.
  useLayoutEffect(() => {
    const body = bodyOf(end.current);
    // Up it may only have become shorter.
    const isScrolled = body !== undefined && body.scrollTop > heard.current;
    keep.current?.();
    const sight = sightOf(contents, end.current);
    if (body) heard.current = body.scrollTop;
    if (sight)
      tell({ is: 'shown', contents, draft, sight, ...(isScrolled ? { scrolledAt: scrolled() } : {}) });
  });

  const { contents: shown } = reading;
  useLayoutEffect(() => {
    const element = end.current;
    const body = bodyOf(element);
    if (!element || !body) return;
    keep.current = keepPlace(body);
    const look = (of: { readonly is: 'scrolled'; readonly at: number } | { readonly is: 'moved' }) => {
      keep.current?.();
      const sight = sightOf(shown, element);
      heard.current = body.scrollTop;
      if (sight) tell({ ...of, sight });
    };
    const onScroll = () => look({ is: 'scrolled', at: scrolled() });
    const onMove = () => look({ is: 'moved' });
    const ending = new AbortController();
    const { signal } = ending;
    body.addEventListener('scroll', onScroll, { signal });
    // Of a page that is zoomed by fingers another part is shown.
    visualViewport?.addEventListener('scroll', onScroll, { signal });
    visualViewport?.addEventListener('resize', onMove, { signal });
    const sizes = new ResizeObserver(onMove);
    for (const each of [body, ...body.children]) sizes.observe(each);
    const places = new IntersectionObserver(onMove);
    places.observe(element);
    whenDrawn(() => tell({ is: 'drawn', at: performance.now() }), signal);
    return () => {
      keep.current = undefined;
      ending.abort();
      sizes.disconnect();
      places.disconnect();
    };
  }, [shown, tell, scrolled]);

  const isWhole = isRead(reading, contents, draft);
  const { missed, sight } = reading;
  const isBelow = !sight.hasEnd && shown.length > 0;
  const where = isWhole ? undefined : missed.size > 0 ? 'above' : isBelow ? 'below' : undefined;

  const onLead = () => {
    const body = bodyOf(end.current);
    if (!body) return;
    const begins = [...missed].map((name) => beginOf(name, body));
    body.focus({ preventScroll: true });
    const top = where === 'above' ? Math.min(...begins) : body.scrollHeight;
    body.scrollTo({ top, behavior: scrollBehavior() });
  };

  return { end, isRead: isWhole && !isPending, unread: isPending ? 'pending' : where, onLead };
}

/** Calls `tell` once what there is now is drawn, unless that is ended before; while the page is hidden, nothing is. */
function whenDrawn(tell: () => void, ended: AbortSignal): void {
  const next = (then: () => void) => requestAnimationFrame(() => ended.aborted || then());
  next(() => next(tell));
}
