import { clamp } from '../text/clamp.ts';
import type { KeyBinding } from './binding.ts';
import type { HelpFocus } from './help-focus.ts';

/** How far a key moves. */
export type Move = 'up' | 'down' | 'page-up' | 'page-down' | 'start' | 'end';

/** How many lines that is: at most as many as there are, and of a page one less, which stays in sight. */
export function stepOf(move: Move, page: number, count: number): number {
  const far = Math.max(1, page - 1);
  return { up: -1, down: 1, 'page-up': -far, 'page-down': far, start: -count, end: count }[move];
}

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

/** What keys do while the keys are listed. */
type HelpActs<Now, Does> = {
  /** `undefined`: they are not listed. */
  readonly focusIn: (now: Now) => HelpFocus<unknown> | undefined;
  readonly back: Does;
  readonly scroll: (by: number) => Does;
  /** Begins to type what they have in them, keeps that, and lists all again. */
  readonly find: Does;
  readonly keep: Does;
  readonly clear: Does;
};

/** The keys while the keys are listed. */
export function helpKeys<Now, Does>({
  focusIn,
  back,
  scroll,
  find,
  keep,
  clear,
}: HelpActs<Now, Does>): KeyBinding<Now, Does>[] {
  const isTyped = (now: Now) => focusIn(now)?.isFinding === true;
  const isFound = (now: Now) => (focusIn(now)?.find.text ?? '') !== '';
  return [
    { keys: ['enter'], action: keep, hint: ['Enter', 'keep it'], when: isTyped },
    {
      keys: ['escape'],
      action: clear,
      hint: ['Esc', 'show all'],
      when: (now) => isTyped(now) || isFound(now),
    },
    { keys: ['?', 'escape', 'q', 'enter'], action: back, hint: ['Esc', 'back'] },
    {
      keys: ['/'],
      action: find,
      hint: ['/', 'find'],
      help: ['/', 'list only those with this text'],
      when: (now) => !isTyped(now),
    },
    ...scrollKeys<Now, Does>(scroll, {
      hint: ['↑/↓', 'more'],
      help: ['↑/↓', 'scroll'],
      moves: ({ helpMax }) => helpMax > 0,
    }),
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
  return clamp(top + by, 0, most);
}
