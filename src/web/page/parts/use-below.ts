import { useEffect, useState, type RefObject } from 'react';

/**
 * How many of the parts of a list that scrolls are below its lower edge, or go on there. Parts that stick in it are told where: at its
 * edges, each behind those before it and ahead of those after it. Its frame is told the `--room` from its upper edge to that below of the window.
 *
 * @param key - With another one it is looked at again.
 */
export function useBelow(list: RefObject<HTMLElement | null>, key: string): number {
  const [below, setBelow] = useState(0);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const parts = [...current.children].filter((part) => part instanceof HTMLElement);
    const look = () => {
      const { top } = current.getBoundingClientRect();
      current.parentElement?.style.setProperty('--room', `${innerHeight - top}px`);
      const sticking = parts.filter((part) => getComputedStyle(part).position === 'sticky');
      let before = 0;
      let after = sticking.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
      const edge = current.getBoundingClientRect().bottom + 1;
      const hidden = parts.filter((part) => {
        if (!sticking.includes(part)) return part.getBoundingClientRect().bottom > edge - after;
        after -= part.offsetHeight;
        part.style.inset = `${before}px 0 ${after}px`;
        before += part.offsetHeight;
        return false;
      });
      setBelow(hidden.length);
    };
    look();
    // Also once a part is higher than before.
    const observer = new ResizeObserver(look);
    for (const each of [current, ...parts]) observer.observe(each);
    document.addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [list, key]);
  return below;
}
