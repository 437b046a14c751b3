/** What moves on without a pause of so many ms is one movement. */
const PAUSE_MS = 250;

/** What begins one, and what only goes on with it: a wheel that turns, fingers that swing. A key that is held down does, too. */
export const BEGINNINGS = ['pointerdown', 'touchstart', 'keydown'] as const;
export const GOING_ON = ['wheel', 'touchmove'] as const;

/** Something that a reader does, as the browser tells it: `timeStamp` in ms. */
type Input = { readonly type: string; readonly timeStamp: number; readonly repeat?: boolean };

/**
 * Knows when a reader began to scroll, who means what they saw then. On a slow machine the scroll is heard of late, and behind a finger it
 * goes on by itself.
 *
 * @param now - The time, in ms, as that of the inputs.
 */
export function movement(now: () => number) {
  let begun = -Infinity;
  let last = -Infinity;
  const goOn = (at: number, isNew = false) => {
    if (isNew || at > last + PAUSE_MS) begun = at;
    last = now();
    return begun;
  };
  return {
    hear: ({ type, timeStamp, repeat = false }: Input): void => {
      const isNew = BEGINNINGS.some((name) => name === type);
      if (repeat) last = now();
      else goOn(timeStamp, isNew);
    },
    /** Takes a scroll for a part of the movement, and tells when that began, in ms. */
    scrolled: (): number => goOn(now()),
  };
}
