import type { Content, Sight } from './reading.ts';

/** What scrolls over the place behind what is to be read. */
export function bodyOf(end: HTMLElement | null): HTMLElement | undefined {
  return end?.closest<HTMLElement>('.modal-body') ?? undefined;
}

/**
 * What a reader has in sight of contents in what scrolls, also where their page is zoomed by fingers.
 *
 * @param end - The place behind them. `undefined`: there is none.
 */
export function sightOf(contents: readonly Content[], end: HTMLElement | null): Sight | undefined {
  const body = bodyOf(end);
  if (!end || !body) return undefined;
  const frame = body.getBoundingClientRect();
  const screen = visualViewport;
  const top = Math.max(frame.top, screen?.offsetTop ?? 0);
  const bottom = Math.min(frame.bottom, screen ? screen.offsetTop + screen.height : innerHeight);
  // Browsers scroll by whole pixels of the screen, which may be several of ours.
  const pixel = Math.max(1, 1 / devicePixelRatio);
  const { top: last } = end.getBoundingClientRect();
  const beginsAbove = (name: string) => elementOf(name, body).getBoundingClientRect().top < top - pixel;
  return {
    above: new Set(contents.map(({ name }) => name).filter(beginsAbove)),
    hasEnd: last >= top - pixel && last <= bottom + pixel,
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
