import type { Act, Binding, Situation } from '../keys/binding.ts';
import { moveKeys, scrolled, type Move } from '../keys/list-keys.ts';
import { emptyBuffer } from '../text/text-buffer.ts';

const open: Act = (state) => ({
  ...state,
  focus: {
    at: 'palette',
    draft: emptyBuffer,
    picked: 0,
    back: state.focus.at === 'over' ? 'over' : 'sprint',
  },
});

/** The key that opens it. */
export const paletteKey: Binding = {
  keys: [':', 'ctrl+p'],
  action: open,
  hint: [':', 'commands'],
  help: [': ^P', 'find an action by a few letters, or run a command with /'],
};

const close: Act = (state) =>
  state.focus.at === 'palette' || state.focus.at === 'result'
    ? { ...state, focus: state.focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' } }
    : state;

/** Keys while something is looked for. */
export const paletteKeys: readonly Binding[] = [
  {
    keys: ['enter'],
    action: 'palette-run',
    hint: ['Enter', 'do it'],
    help: ['Enter', 'do what is selected'],
  },
  {
    keys: ['up'],
    action: 'palette-up',
    hint: ['↑/↓', 'pick'],
    help: ['↑/↓', 'select; ↑ from the first: what was entered before'],
  },
  { keys: ['down'], action: 'palette-down' },
  { keys: ['tab'], action: 'palette-complete', hint: ['Tab', 'complete'] },
  { keys: ['escape', 'ctrl+p'], action: close, hint: ['Esc', 'back'] },
  { keys: ['ctrl+c'], action: 'force' },
];

const runs = ({ state }: Situation) => state.palette.result?.end === undefined;

const scroll =
  (move: Move): Act =>
  (state, { room }) => {
    if (state.focus.at !== 'result') return state;
    const { page = 10, max = 0 } = room.result ?? {};
    const by = { up: -1, down: 1, 'page-up': -page, 'page-down': page, start: -Infinity, end: Infinity }[
      move
    ];
    return { ...state, focus: { ...state.focus, top: scrolled(Math.min(state.focus.top, max), by, max) } };
  };

const leave: Act = (state, context) => {
  if (state.palette.result?.end === undefined) context.emit({ type: 'slash-stop' });
  return close(state, context);
};

/** Keys while it is shown what a command has said. */
export const resultKeys: readonly Binding[] = [
  { keys: ['escape', 'q'], action: leave, hint: ['Esc', 'cancel'], when: runs },
  { keys: ['escape', 'q', 'enter'], action: leave, hint: ['Esc', 'back'], when: (now) => !runs(now) },
  ...moveKeys(scroll, {
    lines: { hint: ['↑/↓', 'scroll'] },
    ends: { help: ['Home/End', 'its beginning, its end'] },
    pages: { help: ['PgUp/PgDn', 'a page'] },
  }),
  { keys: ['ctrl+c'], action: leave },
];
