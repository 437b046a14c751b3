import { useEffect, useRef, useState, type RefObject } from 'react';

/** So long something has to be seen before it can be decided: who types or taps already means something else, in ms. */
const ARMING_MS = 600;

/** Whether what has this key was seen for long enough. It is not while the page is hidden. */
export function useArming(key: unknown): boolean {
  const [armed, setArmed] = useState<unknown>(nothing);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      setArmed(nothing);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setArmed(key), ARMING_MS);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [key]);
  return armed === key;
}

const nothing = Symbol('nothing');

/** Why something is not read. `pending`: it is not all there yet; `below`: the place behind it was looked for, and was not in sight. */
export type Unread = 'pending' | 'below';

/**
 * Whether something was read: a place behind it was in sight since what is shown had this key. What was read before does not count.
 *
 * @param isComparing - It is not all there yet.
 */
export function useReadToEnd(
  key: string,
  isComparing: boolean,
): {
  readonly end: RefObject<HTMLDivElement | null>;
  readonly isRead: boolean;
  /** `undefined`: it is, or that is not known yet. */
  readonly unread: Unread | undefined;
} {
  const end = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<unknown>(nothing);
  const [looked, setLooked] = useState<unknown>(nothing);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        setLooked(key);
        if (entries.some(({ isIntersecting }) => isIntersecting)) setRead(key);
      },
      { root: element.closest('.modal-body') },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [key]);
  const isUnread = looked === key && read !== key;
  return {
    end,
    isRead: read === key && !isComparing,
    unread: isComparing ? 'pending' : isUnread ? 'below' : undefined,
  };
}
