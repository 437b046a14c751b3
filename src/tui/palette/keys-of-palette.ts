import type { KeyBinding } from '../keys/binding.ts';
import { moveKeys, scrolled, type Move } from '../keys/list-keys.ts';
import type { ResultRoom } from '../terminal/room.ts';
import type { ResultOpen } from './palette-state.ts';

/** The key that opens the palette, on any screen. */
export function paletteKeyFor<Now, Does>(open: Does): KeyBinding<Now, Does> {
  return {
    keys: [':', 'ctrl+p'],
    action: open,
    hint: [':', 'commands'],
    help: [': ^P', 'find an action by a few letters, or run a command with /'],
  };
}

/** What the keys of the palette do. */
type PaletteActs<Does> = {
  readonly run: Does;
  readonly up: Does;
  readonly down: Does;
  readonly complete: Does;
  readonly close: Does;
  /** Clears what is typed, then closes it. */
  readonly clear: Does;
};

/** The keys while something is looked for, on any screen. */
export function paletteKeysFor<Now, Does>(acts: PaletteActs<Does>): readonly KeyBinding<Now, Does>[] {
  return [
    {
      keys: ['enter'],
      action: acts.run,
      hint: ['Enter', 'do it'],
      help: ['Enter', 'do what is selected'],
    },
    {
      keys: ['up'],
      action: acts.up,
      hint: ['↑/↓', 'pick'],
      help: ['↑/↓', 'select; ↑ from the first: what was entered before'],
    },
    { keys: ['down'], action: acts.down },
    { keys: ['tab'], action: acts.complete, hint: ['Tab', 'complete'] },
    { keys: ['escape', 'ctrl+p'], action: acts.close, hint: ['Esc', 'back'] },
    { keys: ['ctrl+c'], action: acts.clear },
  ];
}

/** What the keys do while it is shown what a command has said. */
type ResultActs<Now, Does> = {
  /** Closes it, and ends a command that runs. */
  readonly leave: Does;
  readonly scroll: (move: Move) => Does;
  readonly runs: (now: Now) => boolean;
};

/** The keys while it is shown what a command has said, on any screen. */
export function resultKeysFor<Now, Does>({
  leave,
  scroll,
  runs,
}: ResultActs<Now, Does>): readonly KeyBinding<Now, Does>[] {
  return [
    { keys: ['escape', 'q'], action: leave, hint: ['Esc', 'cancel'], when: runs },
    {
      keys: ['escape', 'q', 'enter'],
      action: leave,
      hint: ['Esc', 'back'],
      when: (now) => !runs(now),
    },
    ...moveKeys<Now, Does>(scroll, {
      lines: { hint: ['↑/↓', 'scroll'], moves: ({ result }) => result !== undefined && result.max > 0 },
      ends: { help: ['Home/End', 'its beginning, its end'] },
      pages: { help: ['PgUp/PgDn', 'a page'] },
    }),
    { keys: ['ctrl+c'], action: leave },
  ];
}

/** The row that is shown first of what a command has said, after a key that scrolls. */
export function scrolledResult<Back>(
  focus: ResultOpen<Back>,
  move: Move,
  { page, max }: ResultRoom = { page: 10, max: 0 },
): ResultOpen<Back> {
  const by = { up: -1, down: 1, 'page-up': -page, 'page-down': page, start: -Infinity, end: Infinity }[move];
  return { ...focus, top: scrolled(Math.min(focus.top, max), by, max) };
}
