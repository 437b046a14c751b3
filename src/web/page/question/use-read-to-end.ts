import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Why something is not read. `pending`: it is not all there yet; `below`: the place behind it was looked for, and was not in sight. */
export type Unread = 'pending' | 'below';

/**
 * Whether contents were read: the place behind them was in sight while all of them were there. Whoever stands below where a new one
 * begins is taken back to that.
 *
 * @param contents - A key of each, in one line, that becomes another one with what is shown of it. Of several, the element of each,
 *   a child of what scrolls, has it as `data-content`.
 * @param isPending - They are not all there yet.
 */
export function useReadToEnd(
  contents: readonly string[],
  isPending: boolean,
): {
  readonly end: RefObject<HTMLDivElement | null>;
  readonly isRead: boolean;
  /** `undefined`: it is, or that is not known yet. */
  readonly unread: Unread | undefined;
} {
  const end = useRef<HTMLDivElement>(null);
  const before = useRef(none);
  const [read, setRead] = useState(none);
  const [looked, setLooked] = useState<string>();
  const key = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((content) => read.has(content));

  useLayoutEffect(() => {
    const contents = key.split('\n');
    const added = contents.find((content) => !before.current.has(content) && !read.has(content));
    before.current = new Set(contents);
    const body = end.current?.closest<HTMLElement>('.modal-body');
    if (body && added !== undefined) goBackTo(added, body);
  }, [key, read]);

  useEffect(() => {
    const element = end.current;
    if (!element || isRead) return;
    const observer = new IntersectionObserver((entries) => {
      setLooked(key);
      if (entries.some(({ isIntersecting }) => isIntersecting))
        setRead((before) => new Set([...before, ...key.split('\n')]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [key, isRead]);

  const isBelow = looked === key && !isRead;
  return {
    end,
    isRead: isRead && !isPending,
    unread: isPending ? 'pending' : isBelow ? 'below' : undefined,
  };
}

const none: ReadonlySet<string> = new Set();

/** Scrolls back to where a content begins, at once: on the way there its end would be in sight. */
function goBackTo(content: string, body: HTMLElement): void {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return;
  const begin = others.find(({ dataset }) => dataset['content'] === content) ?? first;
  const top = begin.offsetTop - first.offsetTop;
  if (top < body.scrollTop) body.scrollTo({ top, behavior: 'instant' });
}
