import { useEffect, useState } from 'react';
import type { Stroke } from '../keys/strokes.ts';
import { afterQuiet, TOGETHER_MS } from '../feed/read-together.ts';

/**
 * A key that would decide something, held back until it is known that it came alone: what is pasted, or sent by a program, may
 * come in pieces, the first of which is one key.
 */
export class HeldKey {
  #strokes: readonly Stroke[] = [];
  #release = () => {};

  /** Has it sent when nothing comes behind it. */
  hold(strokes: readonly Stroke[], send: () => void): void {
    this.#strokes = strokes;
    this.#release = afterQuiet(TOGETHER_MS, () => {
      this.#strokes = [];
      send();
    });
  }

  /** The key that is held, which is not sent any more: something came behind it. */
  take(): readonly Stroke[] {
    const strokes = this.#strokes;
    this.#strokes = [];
    this.#release();
    return strokes;
  }
}

/** One for a screen, as long as that is there. */
export function useHeldKey(): HeldKey {
  const [held] = useState(() => new HeldKey());
  useEffect(() => () => void held.take(), [held]);
  return held;
}
