import { measureElement, type DOMElement } from 'ink';
import { createContext, useContext, useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { MouseReport } from './mouse-report.ts';

/** A part of a screen that the mouse can be used on. */
export type MousePart = 'tasks' | 'tabs' | 'detail' | 'beside' | 'question' | 'options' | 'sprints' | 'inbox';

/** What the mouse points at. */
export type Pointed = {
  readonly how: MouseReport['how'];
  /** `undefined`: what takes the whole screen, or nothing. */
  readonly part: MousePart | undefined;
  /** The line, tab or option there: its id, or its number from 0. */
  readonly item: string | number | undefined;
};

/** What stands at a cell of a part. */
export type ItemAt = (at: { readonly column: number; readonly row: number }) => Pointed['item'];

type Area = {
  readonly ref: RefObject<DOMElement | null>;
  readonly part: MousePart;
  readonly itemAt: ItemAt | undefined;
};

/** Where the parts of a screen are, as they were last drawn. */
export class MouseAreas {
  readonly #areas = new Set<Area>();
  readonly #listeners = new Set<(pointed: Pointed) => void>();

  /** Adds one, until the returned function is called. */
  add(area: Area): () => void {
    this.#areas.add(area);
    return () => void this.#areas.delete(area);
  }

  /** Tells whoever listens what is there. */
  hear(report: MouseReport): void {
    const pointed = this.#pointedAt(report);
    for (const listener of this.#listeners) listener(pointed);
  }

  subscribe(listener: (pointed: Pointed) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #pointedAt({ how, column, row }: MouseReport): Pointed {
    for (const { ref, part, itemAt } of this.#areas) {
      if (!ref.current) continue;
      const { x, y, width, height } = measureElement(ref.current);
      const at = { column: column - x, row: row - y };
      if (at.column < 0 || at.row < 0 || at.column >= width || at.row >= height) continue;
      return { how, part, item: itemAt?.(at) };
    }
    return { how, part: undefined, item: undefined };
  }
}

/** `undefined`: the mouse is left to the terminal. */
export const MouseContext = createContext<MouseAreas | undefined>(undefined);

/** Calls this with what is done with the mouse. */
export function useMouse(take: (pointed: Pointed) => void): void {
  const areas = useContext(MouseContext);
  const latest = useEffectEvent(take);
  useEffect(() => areas?.subscribe((pointed) => latest(pointed)), [areas]);
}

/** Makes the box that gets this ref a part that the mouse can be used on; `undefined`: it is none. */
export function useMouseArea(part: MousePart | undefined, itemAt?: ItemAt): RefObject<DOMElement | null> {
  const areas = useContext(MouseContext);
  const ref = useRef<DOMElement>(null);
  useEffect(() => (part ? areas?.add({ ref, part, itemAt }) : undefined), [areas, part, itemAt]);
  return ref;
}
