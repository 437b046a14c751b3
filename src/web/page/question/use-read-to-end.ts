import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { holdStill } from './hold-still.ts';
import { keepPlace } from './keep-place.ts';

/** Why something is not read. `pending`: it is not all there yet; `below`: the place behind it was looked for, and was not in sight. */
export type Unread = 'pending' | 'below';

type Options = {
  /** They are not all there yet. */
  readonly isPending: boolean;
  /** What the reader writes of it, while they do: with another one it is to be read anew, where they stand. */
  readonly draft?: unknown;
};

/**
 * Whether contents were read: the place behind them was in sight while all of them were there, and it was the reader who came there.
 * Whoever stands below where a new one begins is taken back to that; while the keyboard is in a field, once it has left that.
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
  const before = useRef<Shown>({ contents: none, draft: undefined });
  const release = useRef(() => {});
  /** What was read, each with what was written of it then. */
  const [read, setRead] = useState<ReadonlyMap<string, unknown>>(nothing);
  const [looked, setLooked] = useState<{ all: string; draft: unknown }>();
  /** What begins above the field in which the keyboard is. */
  const [missed, setMissed] = useState<string>();
  const all = contents.join('\n');
  const isRead = contents.length > 0 && contents.every((each) => hasRead(read, each, draft));
  const isMissed = missed !== undefined && !isRead && contents.includes(missed);

  useLayoutEffect(() => {
    const contents = all.split('\n');
    const was = before.current;
    before.current = { contents: new Set(contents), draft };
    const added = contents.find((each) => !was.contents.has(each) && !hasRead(read, each, draft));
    const body = bodyOf(end.current);
    if (!body || added === undefined) return;
    if (was.draft !== undefined && isInField(body) && isAbove(added, body)) setMissed(added);
    else {
      goBackTo(added, body);
      release.current();
      release.current = holdStill(body);
    }
  }, [all, draft, read]);

  useEffect(() => {
    const body = bodyOf(end.current);
    if (!isMissed || !body) return;
    const goBack = ({ target, relatedTarget }: FocusEvent) => {
      // The window may have lost the keyboard alone.
      if (document.activeElement === target || isFieldIn(body, relatedTarget)) return;
      goBackTo(missed, body);
      setMissed(undefined);
    };
    const look = () => {
      if (!isAbove(missed, body)) setMissed(undefined);
    };
    body.addEventListener('focusout', goBack);
    body.addEventListener('scroll', look, { passive: true });
    return () => {
      body.removeEventListener('focusout', goBack);
      body.removeEventListener('scroll', look);
    };
  }, [isMissed, missed]);

  useEffect(() => {
    const body = bodyOf(end.current);
    return isRead || !body ? undefined : keepPlace(body);
  }, [isRead, all]);

  // Before anything is drawn: who looks out for the end of what was there would see that of what is there now.
  useLayoutEffect(() => {
    const element = end.current;
    if (!element || isRead || isMissed) return;
    const observer = new IntersectionObserver((entries) => {
      setLooked({ all, draft });
      if (entries.some(({ isIntersecting }) => isIntersecting))
        setRead((before) => new Map([...before, ...all.split('\n').map((each) => [each, draft] as const)]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [all, draft, isRead, isMissed]);

  const isBelow = !isRead && (isMissed || (looked?.all === all && looked.draft === draft));
  return {
    end,
    isRead: isRead && !isPending,
    unread: isPending ? 'pending' : isBelow ? 'below' : undefined,
  };
}

/** What there was when it was last drawn. */
type Shown = { readonly contents: ReadonlySet<string>; readonly draft: unknown };

const none: ReadonlySet<string> = new Set();
const nothing: ReadonlyMap<string, unknown> = new Map();

function hasRead(read: ReadonlyMap<string, unknown>, content: string, draft: unknown): boolean {
  return read.has(content) && read.get(content) === draft;
}

function bodyOf(end: HTMLElement | null): HTMLElement | null | undefined {
  return end?.closest<HTMLElement>('.modal-body');
}

function isInField(body: HTMLElement): boolean {
  return isFieldIn(body, document.activeElement);
}

function isFieldIn(body: HTMLElement, target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement && body.contains(target);
}

function isAbove(content: string, body: HTMLElement): boolean {
  return beginOf(content, body) < body.scrollTop;
}

/** Scrolls back to where a content begins, at once: on the way there its end would be in sight. Whatever scrolls stops. */
function goBackTo(content: string, body: HTMLElement): void {
  body.scrollTo({ top: Math.min(beginOf(content, body), body.scrollTop), behavior: 'instant' });
}

/** Where a content begins in what scrolls, in pixels. */
function beginOf(content: string, body: HTMLElement): number {
  const [first, ...others] = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  if (!first) return 0;
  const name = content.slice(0, content.indexOf(' '));
  const begin = others.find(({ dataset }) => dataset['content'] === name) ?? first;
  return begin.offsetTop - first.offsetTop;
}
