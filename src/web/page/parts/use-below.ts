import { useEffect, useState, type RefObject } from 'react';

/**
 * How many of the parts of a list that scrolls are below its lower edge, or go on there. Its frame is told the `--room` from its upper
 * edge to that below of the window.
 *
 * @param key - With another one it is looked at again.
 */
export function useBelow(list: RefObject<HTMLElement | null>, key: string): number {
  const [below, setBelow] = useState(0);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const look = () => {
      const { top, bottom } = current.getBoundingClientRect();
      const parts = [...current.children];
      setBelow(parts.filter((part) => part.getBoundingClientRect().bottom > bottom + 1).length);
      current.parentElement?.style.setProperty('--room', `${innerHeight - top}px`);
    };
    // Also once a part is higher than before.
    const observer = new ResizeObserver(look);
    for (const each of [current, ...current.children]) observer.observe(each);
    const moving = [current, window];
    for (const each of moving) each.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      observer.disconnect();
      for (const each of moving) each.removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [list, key]);
  return below;
}
