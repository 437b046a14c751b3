import { useEffect, useRef, useState, type RefObject } from 'react';

/** Whether an element has less room than this, in pixels. */
export function useNarrow<E extends HTMLElement>(width: number): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isNarrow, setNarrow] = useState(() => window.innerWidth < width);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setNarrow(entry.contentRect.width < width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [width]);
  return [element, isNarrow];
}
