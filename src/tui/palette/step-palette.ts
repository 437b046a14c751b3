import type { PaletteAction } from '../keys/binding.ts';
import type { Notice } from '../screen/screen-state.ts';
import { emptyBuffer, insert } from '../text/text-buffer.ts';
import type { CommandItem, PaletteItem } from './find-items.ts';
import {
  remembered,
  type CommandEffect,
  type PaletteFocus,
  type PaletteOpen,
  type PaletteState,
} from './palette-state.ts';
import { readSlash } from './slash-commands.ts';

/** An item that the screen itself knows how to do. */
export type PickedItem = Exclude<PaletteItem, CommandItem>;

/** The palette of any screen, while it is open. */
type Palette<Back> = { readonly focus: PaletteOpen<Back>; readonly palette: PaletteState };

/** What a key of the palette leads to: it goes on, or something was picked that is done where it was opened. */
export type PaletteStep<Back> =
  | {
      readonly focus: PaletteFocus<Back>;
      readonly palette: PaletteState;
      readonly notice?: Notice;
    }
  | { readonly picked: PickedItem; readonly palette: PaletteState };

/** The palette of any screen after a key of it. `items`: those that match what was typed. */
export function stepPalette<Back>(
  now: Palette<Back>,
  action: PaletteAction,
  items: readonly PaletteItem[],
  emit: (effect: CommandEffect) => void,
): PaletteStep<Back> {
  const { focus } = now;
  const last = Math.max(0, items.length - 1);
  const at = Math.min(focus.picked, last);
  switch (action) {
    case 'palette-up':
      return at === 0 ? recall(now, 1) : pick(now, at - 1);
    case 'palette-down':
      return focus.recalled === undefined ? pick(now, Math.min(at + 1, last)) : recall(now, -1);
    case 'palette-complete': {
      const item = items[at];
      return item ? withText(now, completed(item)) : now;
    }
    case 'palette-run':
      return run(now, items[at], emit);
  }
}

function run<Back>(
  now: Palette<Back>,
  item: PaletteItem | undefined,
  emit: (effect: CommandEffect) => void,
): PaletteStep<Back> {
  if (item?.is === 'command') return runCommand(now, item, emit);
  if (now.focus.draft.text.startsWith('/')) return runCommand(now, undefined, emit);
  if (!item) return now;
  const { palette } = now;
  return { picked: item, palette: { ...palette, history: remembered(palette.history, item.label) } };
}

function runCommand<Back>(
  now: Palette<Back>,
  item: CommandItem | undefined,
  emit: (effect: CommandEffect) => void,
): PaletteStep<Back> {
  const { focus, palette } = now;
  const { text } = focus.draft;
  const line = text.startsWith('/') ? text : '';
  const typed = readSlash(line, item?.command);
  if ('problem' in typed) return { ...now, notice: { tone: 'warning', text: typed.problem } };
  if ('goesOn' in typed) return withText(now, typed.goesOn);
  emit({ type: 'slash', argv: typed.argv });
  const title = `clifford ${typed.argv.join(' ')}`;
  const said = line.includes(item?.label ?? ' ') ? line.trim() : (item?.label ?? line.trim());
  return {
    focus: { at: 'result', top: 0, back: focus.back },
    palette: {
      ...palette,
      history: remembered(palette.history, said),
      result: { title, text: '', end: undefined },
    },
  };
}

function completed(item: PaletteItem): string {
  return item.is === 'command' ? `${item.label} ` : item.label;
}

function pick<Back>({ focus, palette }: Palette<Back>, picked: number): Palette<Back> {
  return { palette, focus: { ...focus, picked } };
}

/** Another text of the history, so many further back. */
function recall<Back>(now: Palette<Back>, by: 1 | -1): Palette<Back> {
  const { focus, palette } = now;
  const recalled = (focus.recalled ?? -1) + by;
  if (recalled < 0) return withText(now, '');
  const text = palette.history.at(-1 - recalled);
  return text === undefined ? now : withText(now, text, recalled);
}

function withText<Back>({ focus, palette }: Palette<Back>, text: string, recalled?: number): Palette<Back> {
  return { palette, focus: { ...focus, draft: insert(emptyBuffer, text), picked: 0, recalled } };
}
