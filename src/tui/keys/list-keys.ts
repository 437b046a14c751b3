import type { KeyBinding } from './binding.ts';

/** How far a key moves. */
export type Move = 'up' | 'down' | 'page-up' | 'page-down' | 'start' | 'end';

type Names<Now> = Pick<KeyBinding<Now, unknown>, 'hint' | 'help' | 'moves'>;

/** The keys that move in a list: by lines, to its ends, by pages. Each pair that is named is there. */
export function moveKeys<Now, Does>(
  does: (move: Move) => Does,
  named: { readonly lines?: Names<Now>; readonly ends?: Names<Now>; readonly pages?: Names<Now> },
  when?: (now: Now) => boolean,
): KeyBinding<Now, Does>[] {
  const of = (keys: readonly string[], move: Move, names: Names<Now> = {}): KeyBinding<Now, Does> => ({
    keys,
    action: does(move),
    ...names,
    ...(when ? { when } : {}),
  });
  const { lines, ends, pages } = named;
  return [
    ...(lines ? [of(['up', 'k'], 'up', lines), of(['down', 'j'], 'down')] : []),
    ...(ends ? [of(['home', 'g'], 'start', ends), of(['end', 'G'], 'end')] : []),
    ...(pages ? [of(['pagedown'], 'page-down', pages), of(['pageup'], 'page-up')] : []),
  ];
}

/** The keys that scroll a text which has nothing to pick, by so many rows. */
export function scrollKeys<Now, Does>(
  does: (by: number) => Does,
  names: Names<Now>,
): KeyBinding<Now, Does>[] {
  const rows = { up: -1, down: 1, 'page-up': -10, 'page-down': 10, start: -Infinity, end: Infinity };
  return moveKeys<Now, Does>((move) => does(rows[move]), { lines: names, pages: {} });
}

/** The keys while the keys are listed. */
export function helpKeys<Now, Does>(back: Does, scroll: (by: number) => Does): KeyBinding<Now, Does>[] {
  return [
    { keys: ['?', 'escape', 'q', 'enter'], action: back, hint: ['Esc', 'back'] },
    ...scrollKeys<Now, Does>(scroll, { hint: ['↑/↓', 'more'], moves: ({ helpMax }) => helpMax > 0 }),
  ];
}

/** The keys while a filter is typed: what is shown follows each of them. */
export function filterKeys<Now, Does>(
  keep: Does,
  clear: Does,
  does: (move: Move) => Does,
): KeyBinding<Now, Does>[] {
  return [
    { keys: ['enter'], action: keep, hint: ['Enter', 'keep it'] },
    { keys: ['escape'], action: clear, hint: ['Esc', 'show all'] },
    // Letters are text there.
    { keys: ['up'], action: does('up'), hint: ['↑/↓', 'move'] },
    { keys: ['down'], action: does('down') },
  ];
}

/** The row that is at the top after that, of a text of which so many rows are out of sight. */
export function scrolled(top: number, by: number, most: number): number {
  return Math.max(0, Math.min(top + by, most));
}
