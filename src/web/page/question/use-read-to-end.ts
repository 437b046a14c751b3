import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { keepPlace } from './keep-place.ts';

/** Why something is not read. `pending`: it is not all there yet; `below`: the place behind it was looked for, and was not in sight. */
export type Unread = 'pending' | 'below';

type Options = {
  /** They are not all there yet. */
  readonly isPending: boolean;
  /** What the reader writes of it: with another one it is to be read anew, where they stand. */
  readonly draft?: unknown;
};

/**
 * Whether contents were read: the place behind them was in sight while all of them were there, and it was the reader who came there.
 * Whoever stands below where a new one begins is taken back to that.
 *
 * @param contents - Each in one line that becomes another one with what is shown of it. Of several, the first word of each names its
 *   element, as `data-content`: a child of what scrolls.
 */
export function useReadToEnd(
  contents: readonly string[],
  { isPending, draft }: Options,
): {
  readonly end: RefObject<HTMLDivElement | null>;
  readonly isRead: boolean;
  /** `undefined`: it is, or that is not known yet. */
  readonly unread: Unread | undefined;
} {
  const end = useRef<HTMLDivElement>(null);
  const before = useRef(none);
  /** What was read, each with what was written of it then. */
  const [read, setRead] = useState<ReadonlyMap<string, unknown>>(nothing);
  const [looked, setLooked] = useState<{ all: string; draft: unknown }>();
  const all = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((each) => hasRead(read, each, draft));

  useLayoutEffect(() => {
    const contents = all.split('\n');
    const added = contents.find((each) => !before.current.has(each) && !hasRead(read, each, draft));
    before.current = new Set(contents);
    const body = bodyOf(end.current);
    if (body && added !== undefined) goBackTo(added, body);
  }, [all, draft, read]);

  useEffect(() => {
    const body = bodyOf(end.current);
    return isRead || !body ? undefined : keepPlace(body);
  }, [isRead, all]);

  // Before anything is drawn: who looks out for the end of what was there would see that of what is there now.
  useLayoutEffect(() => {
    const element = end.current;
    if (!element || isRead) return;
    const observer = new IntersectionObserver((entries) => {
      setLooked({ all, draft });
      if (entries.some(({ isIntersecting }) => isIntersecting))
        setRead((before) => new Map([...before, ...all.split('\n').map((each) => [each, draft] as const)]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [all, draft, isRead]);

  const isBelow = !isRead && looked?.all === all && looked.draft === draft;
  return {
    end,
    isRead: isRead && !isPending,
    unread: isPending ? 'pending' : isBelow ? 'below' : undefined,
  };
}

const none: ReadonlySet<string> = new Set();
const nothing: ReadonlyMap<string, unknown> = new Map();

function hasRead(read: ReadonlyMap<string, unknown>, content: string, draft: unknown): boolean {
  return read.has(content) && read.get(content) === draft;
}

function bodyOf(end: HTMLElement | null): HTMLElement | null | undefined {
  return end?.closest<HTMLElement>('.modal-body');
}

/** Scrolls back to where a content begins, at once: on the way there its end would be in sight. Whatever scrolls stops. */
function goBackTo(content: string, body: HTMLElement): void {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return;
  const name = content.slice(0, content.indexOf(' '));
  const begin = others.find(({ dataset }) => dataset['content'] === name) ?? first;
  const top = begin.offsetTop - first.offsetTop;
  body.scrollTo({ top: Math.min(top, body.scrollTop), behavior: 'instant' });
}
