import { useLayoutEffect, useState } from 'react';

/** What moves on without a pause of so many ms is one movement. */
const PAUSE_MS = 250;

/** What begins one, and what goes on with it: a wheel that turns, fingers that swing. */
const BEGINNINGS = ['pointerdown', 'touchstart', 'keydown'] as const;
const GOING_ON = ['wheel', 'touchmove'] as const;

/**
 * When the movement began, in ms, of which what is done at the moment is a part: it was meant then. On a slow machine a scroll is heard of
 * late, and behind a finger it goes on by itself.
 */
export function useMovement(): () => number {
  const [{ beganAt, watch }] = useState(movement);
  useLayoutEffect(() => {
    const ending = new AbortController();
    watch(ending.signal);
    return () => ending.abort();
  }, [watch]);
  return beganAt;
}

function movement() {
  let begun = 0;
  let last = -Infinity;
  const goOn = (at: number, isNew = false) => {
    const now = performance.now();
    if (isNew || now > last + PAUSE_MS) begun = at;
    last = now;
    return begun;
  };
  return {
    beganAt: () => goOn(performance.now()),
    watch: (signal: AbortSignal) => {
      const options = { capture: true, passive: true, signal };
      for (const name of BEGINNINGS)
        document.addEventListener(name, (event) => goOn(event.timeStamp, !isRepeated(event)), options);
      for (const name of GOING_ON)
        document.addEventListener(name, ({ timeStamp }) => goOn(timeStamp), options);
    },
  };
}

/** Of a key that is held down. */
function isRepeated(event: Event): boolean {
  return event instanceof KeyboardEvent && event.repeat;
}
