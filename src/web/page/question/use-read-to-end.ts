import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
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
  /** What there was when it was last drawn, and since when, in ms. */
  const shown = useRef({ all: '', since: 0 });
  /** What began above what is in sight when that was last looked at. */
  const above = useRef(none);
  /** What was read, each with what was written of it then. */
  const [read, setRead] = useState<ReadonlyMap<string, unknown>>(nothing);
  /** What has to be read from its beginning on, which is above what is in sight, though its reader has not passed it. */
  const [passed, setPassed] = useState(none);
  const [isBelow, setBelow] = useState(false);
  const all = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((each) => hasRead(read, each, draft));
  const isAbove = !isRead && contents.some((each) => passed.has(each));

  useLayoutEffect(() => {
    const body = bodyOf(end.current);
    if (!body || shown.current.all === all) return;
    shown.current = { all, since: performance.now() };
    const moved = movedAbove(all, body, above.current).filter((each) => !hasRead(read, each, draft));
    above.current = contentsAbove(all, body);
    if (moved.length > 0) setPassed((passed) => new Set([...passed, ...moved]));
  }, [all, draft, read]);

  useEffect(() => {
    const body = bodyOf(end.current);
    if (!body) return;
    const look = () => {
      const moved = movedAbove(all, body, above.current);
      above.current = contentsAbove(all, body);
      // Whoever scrolls so soon means what was there before.
      if (performance.now() - shown.current.since < REACTION_MS && moved.length > 0)
        return setPassed((passed) => new Set([...passed, ...moved]));
      if (passed.size === 0 || [...above.current].some((each) => passed.has(each))) return;
      setPassed(none);
      // Until it is known: what leads there stays where the keyboard may be.
      setBelow(true);
    };
    body.addEventListener('scroll', look);
    return () => body.removeEventListener('scroll', look);
  }, [all, passed]);

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
      // Nobody has scrolled there: what was above has become lower.
      const moved = movedAbove(all, body, above.current);
      if (moved.length > 0) setPassed((passed) => new Set([...passed, ...moved]));
      else
        setRead((before) => new Map([...before, ...all.split('\n').map((each) => [each, draft] as const)]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [all, draft, isRead, isAbove]);

  const onLead = () => {
    const body = bodyOf(end.current);
    if (!body) return;
    shown.current = { all, since: 0 };
    body.focus({ preventScroll: true });
    const begins = contents.filter((each) => passed.has(each)).map((each) => beginOf(each, body));
    const top = isAbove ? Math.min(...begins) : body.scrollHeight;
    body.scrollTo({ top, behavior: scrollBehavior() });
  };

  const where = isAbove ? 'above' : isBelow && !isRead ? 'below' : undefined;
  useKeyboardBack(end, where !== undefined);
  return { end, isRead: isRead && !isPending, unread: isPending ? 'pending' : where, onLead };
}

/** Has the keyboard where one reads once what leads there is gone, and had it. */
function useKeyboardBack(end: RefObject<HTMLElement | null>, hasHint: boolean): void {
  const had = useRef(hasHint);
  useLayoutEffect(() => {
    const isGone = had.current && !hasHint;
    had.current = hasHint;
    if (isGone && document.activeElement === document.body)
      bodyOf(end.current)?.focus({ preventScroll: true });
  }, [end, hasHint]);
}

/** So long nobody has seen what has just been drawn, in ms. */
const REACTION_MS = 150;

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

/** Those of them that did not when that was last looked at. */
function movedAbove(all: string, body: HTMLElement, before: ReadonlySet<string>): readonly string[] {
  return [...contentsAbove(all, body)].filter((each) => !before.has(each));
}

/** Where a content begins in what scrolls, in pixels. */
function beginOf(content: string, body: HTMLElement): number {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return 0;
  const name = content.slice(0, content.indexOf(' '));
  const begin = others.find(({ dataset }) => dataset['content'] === name) ?? first;
  return begin.offsetTop - first.offsetTop;
}
