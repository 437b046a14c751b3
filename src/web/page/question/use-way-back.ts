import { useEffect, useRef } from 'react';

/**
 * Gives the keyboard back to the button that led on, once the reader has gone back and it is there again: it has the mode that it leads to
 * as `data-leads`. Else it would be nowhere.
 */
export function useWayBack(mode: string, first: string): void {
  const before = useRef(first);
  useEffect(() => {
    const from = before.current;
    before.current = mode;
    if (mode !== first || from === first) return;
    document.querySelector<HTMLElement>(`[data-leads="${from}"]`)?.focus();
  }, [mode, first]);
}
