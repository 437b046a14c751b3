import type { Act, Action, KeyContext, PaletteAction, Situation } from '../keys/binding.ts';
import { withTask } from '../keys/browse.ts';
import type { Stroke } from '../keys/strokes.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { insert, emptyBuffer } from '../text/text-buffer.ts';
import { paletteItems, type PaletteItem } from './palette-items.ts';
import { remembered } from './palette-state.ts';
import { readSlash } from './slash-commands.ts';

/** Presses a key where the palette was opened. */
type Press = (state: ScreenState, stroke: Stroke) => ScreenState;

/** Is it an action of the palette? */
export function isOfPalette(action: Action | Act | undefined): action is PaletteAction {
  return typeof action === 'string' && action.startsWith('palette-');
}

/** The screen after a key of the palette. */
export function inPalette(
  situation: Situation,
  action: PaletteAction,
  { emit }: KeyContext,
  press: Press,
): ScreenState {
  const { state } = situation;
  if (state.focus.at !== 'palette') return state;
  const items = paletteItems(situation);
  const at = Math.min(state.focus.picked, Math.max(0, items.length - 1));
  switch (action) {
    case 'palette-up':
      return at === 0 ? recall(state, 1) : pick(state, at - 1);
    case 'palette-down':
      if (state.focus.recalled !== undefined) return recall(state, -1);
      return pick(state, Math.min(at + 1, Math.max(0, items.length - 1)));
    case 'palette-complete': {
      const item = items[at];
      return item ? withText(state, completed(item)) : state;
    }
    case 'palette-run':
      return run(state, items[at], emit, press);
  }
}

function run(
  state: ScreenState,
  item: PaletteItem | undefined,
  emit: KeyContext['emit'],
  press: Press,
): ScreenState {
  if (state.focus.at !== 'palette') return state;
  const { draft, back } = state.focus;
  if (draft.text.startsWith('/') || item?.is === 'command')
    return runCommand(state, item?.is === 'command' ? item : undefined, emit);
  if (!item) return state;
  const there: ScreenState = {
    ...state,
    focus: back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' },
    palette: { ...state.palette, history: remembered(state.palette.history, item.label) },
  };
  switch (item.is) {
    case 'key':
      return press(there, item.key.length === 1 ? { text: item.key } : { key: item.key });
    case 'task':
      return withTask({ ...there, focus: { at: 'sprint' } }, item.task);
    case 'sprint':
      emit({ type: 'go', sprint: item.sprint });
      return there;
  }
}

function runCommand(
  state: ScreenState,
  item: (PaletteItem & { is: 'command' }) | undefined,
  emit: KeyContext['emit'],
): ScreenState {
  if (state.focus.at !== 'palette') return state;
  const { text } = state.focus.draft;
  const line = text.startsWith('/') ? text : '';
  const typed = readSlash(line, item?.command);
  if ('problem' in typed) return { ...state, notice: { tone: 'warning', text: typed.problem } };
  if ('goesOn' in typed) return withText(state, typed.goesOn);
  emit({ type: 'slash', argv: typed.argv });
  const title = `clifford ${typed.argv.join(' ')}`;
  const said = line.includes(item?.label ?? ' ') ? line.trim() : (item?.label ?? line.trim());
  return {
    ...state,
    focus: { at: 'result', top: 0, back: state.focus.back },
    palette: {
      ...state.palette,
      history: remembered(state.palette.history, said),
      result: { title, text: '', end: undefined },
    },
  };
}

function completed(item: PaletteItem): string {
  return item.is === 'command' ? `${item.label} ` : item.label;
}

function pick(state: ScreenState, picked: number): ScreenState {
  return state.focus.at === 'palette' ? { ...state, focus: { ...state.focus, picked } } : state;
}

/** Another text of the history, so many further back. */
function recall(state: ScreenState, by: 1 | -1): ScreenState {
  if (state.focus.at !== 'palette') return state;
  const { history } = state.palette;
  const recalled = (state.focus.recalled ?? -1) + by;
  if (recalled < 0) return withText(state, '');
  const text = history.at(-1 - recalled);
  if (text === undefined) return state;
  return { ...state, focus: { ...state.focus, draft: insert(emptyBuffer, text), picked: 0, recalled } };
}

function withText(state: ScreenState, text: string): ScreenState {
  if (state.focus.at !== 'palette') return state;
  return {
    ...state,
    focus: { ...state.focus, draft: insert(emptyBuffer, text), picked: 0, recalled: undefined },
  };
}
