/** So often at most the server is told that somebody is here, in ms: whoever calls people waits for longer. */
const EVERY_MS = 4_000;

/** Tells the server that somebody uses this page, by keys, clicks or touches, so that nobody is called meanwhile. */
export function tellLooking(tell: () => Promise<unknown>): void {
  let toldAt = -Infinity;
  const looked = (event: Event) => {
    const now = performance.now();
    // What a program does to the page is no human.
    if (!event.isTrusted || now - toldAt < EVERY_MS) return;
    toldAt = now;
    // One that does not arrive costs a call too many.
    tell().catch(() => undefined);
  };
  for (const name of ['keydown', 'pointerdown'])
    addEventListener(name, looked, { capture: true, passive: true });
}
