import { useEffect, useState, type RefObject } from 'react';

/**
 * How many of the parts of a list that scrolls are below its lower edge, or go on there.
 *
 * @param length - So many parts it has: with others it is looked at again.
 */
export function useBelow(list: RefObject<HTMLElement | null>, length: number): number {
  const [below, setBelow] = useState(0);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const look = () => {
      const edge = current.getBoundingClientRect().bottom + 1;
      setBelow([...current.children].filter((part) => part.getBoundingClientRect().bottom > edge).length);
    };
    // Also once a part is higher than before.
    const observer = new ResizeObserver(look);
    for (const each of [current, ...current.children]) observer.observe(each);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [list, length]);
  return below;
}
