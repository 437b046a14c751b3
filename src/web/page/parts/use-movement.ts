import { useLayoutEffect, useState } from 'react';
import { BEGINNINGS, GOING_ON, movement } from './movement.ts';

/** Takes a scroll for a part of the movement of which it is one, and tells when that began, in ms. */
export function useMovement(): () => number {
  const [{ hear, scrolled }] = useState(() => movement(() => performance.now()));
  useLayoutEffect(() => {
    const ending = new AbortController();
    const options = { capture: true, passive: true, signal: ending.signal };
    for (const name of [...BEGINNINGS, ...GOING_ON]) document.addEventListener(name, hear, options);
    return () => ending.abort();
  }, [hear]);
  return scrolled;
}
