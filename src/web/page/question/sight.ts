import type { Content, Sight } from './reading.ts';

/** What scrolls over the place behind what is to be read. */
export function bodyOf(end: HTMLElement | null): HTMLElement | undefined {
  return end?.closest<HTMLElement>('.modal-body') ?? undefined;
}

/**
 * What a reader has in sight of contents in what scrolls. Their end is not, where it is below what a page shows that is zoomed by fingers.
 *
 * @param end - The place behind them.
 * @returns `undefined` where nothing of it is drawn.
 */
export function sightOf(contents: readonly Content[], end: HTMLElement | null): Sight | undefined {
  const body = bodyOf(end);
  const { top, bottom, height } = body?.getBoundingClientRect() ?? new DOMRect();
  if (!end || !body || height === 0) return undefined;
  // Browsers scroll by whole pixels of the screen, which may be several of ours.
  const pixel = Math.max(1, 1 / devicePixelRatio);
  const beginsAbove = (name: string) => elementOf(name, body).getBoundingClientRect().top < top - pixel;
  const shown = visualViewport ? visualViewport.offsetTop + visualViewport.height : innerHeight;
  const { top: last } = end.getBoundingClientRect();
  return {
    above: new Set(contents.map(({ name }) => name).filter(beginsAbove)),
    hasEnd: last >= top - pixel && last <= Math.min(bottom, shown) + pixel,
  };
}

/** How far what scrolls is scrolled where a content begins, in pixels. */
export function beginOf(name: string, body: HTMLElement): number {
  const { firstElementChild: first } = body;
  return first instanceof HTMLElement ? elementOf(name, body).offsetTop - first.offsetTop : 0;
}

/** The element of a content, named by its `data-content`: a child of what scrolls. What is alone has none, and begins with the first. */
function elementOf(name: string, body: HTMLElement): HTMLElement {
  const children = Array.from(body.children).filter((child) => child instanceof HTMLElement);
  return children.find(({ dataset }) => dataset['content'] === name) ?? children[0] ?? body;
}
