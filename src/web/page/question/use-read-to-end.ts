import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { scrollBehavior } from '../parts/scroll-behavior.ts';
import { keepPlace } from './keep-place.ts';

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
export type Reading = {
  /** Of the place behind them, within what scrolls. */
  readonly end: RefObject<HTMLDivElement | null>;
  readonly isRead: boolean;
  /** `undefined`: it is, or that is not known yet. */
  readonly unread: Unread | undefined;
  /** Leads to where they are to be read from, or to their end. */
  readonly onLead: () => void;
};

/**
 * Whether contents were read: the place behind them was in sight while all of them were there. Of one that became another one while its
 * reader stood below where it begins, that counts once they have been there again: nothing moves by itself.
 *
 * @param contents - Each in one line that becomes another one with what is shown of it. Of several, the first word of each names its
 *   element, as `data-content`: a child of what scrolls.
 */
export function useReadToEnd(contents: readonly string[], { isPending, draft }: Options): Reading {
  const end = useRef<HTMLDivElement>(null);
  /** What there was last, and since when that is before its reader's eyes, in ms; infinite: it is not yet. */
  const shown = useRef({ all: '', since: 0 });
  /** What began above what is in sight when that was last looked at. */
  const above = useRef(none);
  /** What was read, each with what was written of it then. */
  const [read, setRead] = useState<ReadonlyMap<string, unknown>>(nothing);
  /** What has to be read from its beginning on, which is above what is in sight, though its reader has not passed it. */
  const [missed, setMissed] = useState(none);
  /** The same at once: what looks out for the end may be told of it before that is drawn. */
  const missedNow = useRef(missed);
  const [isBelow, setBelow] = useState(false);
  const all = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((each) => hasRead(read, each, draft));
  const isAbove = !isRead && contents.some((each) => missed.has(each));

  const note = useCallback((next: ReadonlySet<string>) => {
    missedNow.current = next;
    setMissed(next);
  }, []);

  /** Looks at what is above now, and returns what of it is to be read and was not above before. */
  const look = useCallback(
    (body: HTMLElement) => {
      const now = contentsAbove(all, body);
      const moved = [...now].filter((each) => !above.current.has(each) && !hasRead(read, each, draft));
      above.current = now;
      return moved;
    },
    [all, draft, read],
  );

  useLayoutEffect(() => {
    const body = bodyOf(end.current);
    if (!body || shown.current.all === all) return;
    const isFirst = shown.current.all === '';
    const now = { all, since: isFirst ? 0 : Infinity };
    shown.current = now;
    if (!isFirst) whenDrawn(() => (now.since = performance.now()));
    const moved = look(body);
    if (moved.length > 0) note(new Set([...missedNow.current, ...moved]));
  }, [all, look, note]);

  // Not later: what is scrolled meanwhile would be taken for what there was before.
  useLayoutEffect(() => {
    const body = bodyOf(end.current);
    if (!body) return;
    const onScroll = () => {
      const moved = look(body);
      // Whoever scrolls so soon means what was there before.
      if (isSoon(shown.current) && moved.length > 0) return note(new Set([...missedNow.current, ...moved]));
      if (missedNow.current.size === 0 || hasAny(above.current, missedNow.current)) return;
      note(none);
      // Until it is known: what leads there stays where the keyboard may be.
      setBelow(true);
    };
    body.addEventListener('scroll', onScroll);
    return () => body.removeEventListener('scroll', onScroll);
  }, [look, note]);

  useEffect(() => {
    const body = bodyOf(end.current);
    return isRead || !body ? undefined : keepPlace(body);
  }, [isRead, all]);

  // Before anything is drawn: who looks out for the end of what was there would see that of what is there now.
  useLayoutEffect(() => {
    const element = end.current;
    const body = bodyOf(element);
    if (!element || !body || isRead || isAbove) return;
    const observer = new IntersectionObserver((entries) => {
      const isInSight = entries.some(({ isIntersecting }) => isIntersecting);
      setBelow(!isInSight);
      if (!isInSight) return;
      const shownNow = new Set(all.split('\n'));
      // Nobody has scrolled there: what was above has become lower.
      const moved = look(body);
      if (moved.length > 0) note(new Set([...missedNow.current, ...moved]));
      if (!hasAny(shownNow, missedNow.current))
        setRead((before) => new Map([...before, ...[...shownNow].map((each) => [each, draft] as const)]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [all, draft, isRead, isAbove, look, note]);

  const onLead = () => {
    const body = bodyOf(end.current);
    // So soon what there was before is meant.
    if (!body || (!isAbove && isSoon(shown.current))) return;
    const begins = contents.filter((each) => missed.has(each)).map((each) => beginOf(each, body));
    body.focus({ preventScroll: true });
    body.scrollTo({ top: isAbove ? Math.min(...begins) : body.scrollHeight, behavior: scrollBehavior() });
    // Where one is there already nothing scrolls.
    if (isAbove && !hasAny(contentsAbove(all, body), missed)) note(none);
  };

  const where = isAbove ? 'above' : isBelow && !isRead ? 'below' : undefined;
  return { end, isRead: isRead && !isPending, unread: isPending ? 'pending' : where, onLead };
}

/** So long nobody has seen what has just been drawn, in ms. */
const REACTION_MS = 150;

/** Whether nobody can have seen what there is since then, in ms. */
function isSoon({ since }: { readonly since: number }): boolean {
  return performance.now() < since + REACTION_MS;
}

/** Calls `tell` once what there is now is drawn; while the page is hidden, nothing is. */
function whenDrawn(tell: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(tell));
}

const none: ReadonlySet<string> = new Set();
const nothing: ReadonlyMap<string, unknown> = new Map();

function hasRead(read: ReadonlyMap<string, unknown>, content: string, draft: unknown): boolean {
  return read.has(content) && read.get(content) === draft;
}

function bodyOf(end: HTMLElement | null): HTMLElement | undefined {
  return end?.closest<HTMLElement>('.modal-body') ?? undefined;
}

/** Those that begin above what is in sight. Browsers scroll by whole pixels of the screen, which may be several of ours. */
function contentsAbove(all: string, body: HTMLElement): ReadonlySet<string> {
  const top = body.scrollTop - Math.max(1, 1 / devicePixelRatio);
  return new Set(all.split('\n').filter((each) => beginOf(each, body) < top));
}

function hasAny(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  return [...some].some((each) => all.has(each));
}

/** Where a content begins in what scrolls, in pixels. */
function beginOf(content: string, body: HTMLElement): number {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return 0;
  const name = content.slice(0, content.indexOf(' '));
  const begin = others.find(({ dataset }) => dataset['content'] === name) ?? first;
  return begin.offsetTop - first.offsetTop;
}
