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
  const before = useRef(none);
  /** What was read, each with what was written of it then. */
  const [read, setRead] = useState<ReadonlyMap<string, unknown>>(nothing);
  /** What has to be read from its beginning on, which is above what is in sight. */
  const [passed, setPassed] = useState(none);
  const [isBelow, setBelow] = useState(false);
  const all = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((each) => hasRead(read, each, draft));
  const isAbove = !isRead && contents.some((each) => passed.has(each));

  useLayoutEffect(() => {
    const contents = all.split('\n');
    const was = before.current;
    before.current = new Set(contents);
    const body = bodyOf(end.current);
    const isPassed = (each: string) => !was.has(each) && !hasRead(read, each, draft) && isOver(each, body);
    const added = contents.filter(isPassed);
    if (added.length > 0) setPassed((passed) => new Set([...passed, ...added]));
  }, [all, draft, read]);

  useEffect(() => {
    const body = bodyOf(end.current);
    if (!isAbove || !body) return;
    const look = () => {
      if (!all.split('\n').some((each) => passed.has(each) && isOver(each, body))) setPassed(none);
    };
    look();
    body.addEventListener('scroll', look);
    return () => body.removeEventListener('scroll', look);
  }, [isAbove, passed, all]);

  useEffect(() => {
    const body = bodyOf(end.current);
    return isRead || !body ? undefined : keepPlace(body);
  }, [isRead, all]);

  // Before anything is drawn: who looks out for the end of what was there would see that of what is there now.
  useLayoutEffect(() => {
    const element = end.current;
    if (!element || isRead || isAbove) return;
    const observer = new IntersectionObserver((entries) => {
      const isInSight = entries.some(({ isIntersecting }) => isIntersecting);
      setBelow(!isInSight);
      if (isInSight)
        setRead((before) => new Map([...before, ...all.split('\n').map((each) => [each, draft] as const)]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [all, draft, isRead, isAbove]);

  const onLead = () => {
    const body = bodyOf(end.current);
    if (!body) return;
    const begins = contents.filter((each) => passed.has(each)).map((each) => beginOf(each, body));
    // What leads there goes once it has: the keyboard is where one reads.
    body.focus({ preventScroll: true });
    body.scrollTo({
      top: isAbove ? Math.min(...begins) : body.scrollHeight,
      behavior: scrollBehavior(),
    });
  };

  const where = isAbove ? 'above' : isBelow && !isRead ? 'below' : undefined;
  return { end, isRead: isRead && !isPending, unread: isPending ? 'pending' : where, onLead };
}

const none: ReadonlySet<string> = new Set();
const nothing: ReadonlyMap<string, unknown> = new Map();

function hasRead(read: ReadonlyMap<string, unknown>, content: string, draft: unknown): boolean {
  return read.has(content) && read.get(content) === draft;
}

function bodyOf(end: HTMLElement | null): HTMLElement | undefined {
  return end?.closest<HTMLElement>('.modal-body') ?? undefined;
}

/** Whether a content begins above what is in sight. Where that stands is broken to parts of pixels. */
function isOver(content: string, body: HTMLElement | undefined): boolean {
  return body !== undefined && beginOf(content, body) < Math.floor(body.scrollTop);
}

/** Where a content begins in what scrolls, in pixels. */
function beginOf(content: string, body: HTMLElement): number {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return 0;
  const name = content.slice(0, content.indexOf(' '));
  const begin = others.find(({ dataset }) => dataset['content'] === name) ?? first;
  return begin.offsetTop - first.offsetTop;
}
