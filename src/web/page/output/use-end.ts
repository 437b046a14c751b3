import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So near to its end it is followed, in pixels. */
const NEAR = 40;

/** The end of what scrolls, and whether it is kept in sight. */
type End = {
  /** What scrolls. Its one child is as high as all there is. */
  readonly pane: RefObject<HTMLDivElement | null>;
  readonly isFollowing: boolean;
  readonly follow: () => void;
  readonly onScroll: () => void;
};

/**
 * Keeps the end in sight until the reader scrolls back. How high lines are is known only once they have been in sight: what they were
 * taken for has the end elsewhere, so it is gone to again whenever the height is another one.
 */
export function useEnd(): End {
  const pane = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isFollowing, setFollowing] = useState(true);
  const toEnd = useEffectEvent(() => {
    const element = pane.current;
    if (!isFollowing || !element) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  });
  // With whatever is drawn.
  useLayoutEffect(() => toEnd());
  useEffect(() => {
    const observer = new ResizeObserver(() => toEnd());
    for (const each of [pane.current, ...(pane.current?.children ?? [])]) if (each) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const element = pane.current;
    if (!element) return;
    const { scrollHeight, scrollTop, clientHeight } = element;
    const isBack = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (scrollHeight - scrollTop - clientHeight < NEAR) setFollowing(true);
    // A height that has grown is nobody's doing.
    else if (isBack) setFollowing(false);
  };
  return { pane, isFollowing, follow: () => setFollowing(true), onScroll };
}
