import type { Act, Action, Binding, Situation } from '../keys/binding.ts';
import { openHelp } from '../keys/open-help.ts';
import { paletteKeyFor, paletteKeysFor, resultKeysFor, scrolledResult } from './keys-of-palette.ts';
import { openPalette } from './palette-state.ts';

const open: Act = (state) => ({
  ...state,
  focus: openPalette(state.focus.at === 'over' ? 'over' : 'sprint'),
});

/** The key that opens it on the screen of a sprint. */
export const paletteKey: Binding = paletteKeyFor(open);

const close: Act = (state) =>
  state.focus.at === 'palette' || state.focus.at === 'result'
    ? { ...state, focus: state.focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' } }
    : state;

/** Keys while something is looked for. */
export const paletteKeys: readonly Binding[] = paletteKeysFor<Situation, Action | Act>({
  run: 'palette-run',
  up: 'palette-up',
  down: 'palette-down',
  complete: 'palette-complete',
  close,
  clear: 'force',
});

const leave: Act = (state, context) => {
  if (state.palette.result?.end === undefined) context.emit({ type: 'slash-stop' });
  return close(state, context);
};

/** Keys while it is shown what a command has said. */
export const resultKeys: readonly Binding[] = [
  ...resultKeysFor<Situation, Action | Act>({
    leave,
    scroll:
      (move) =>
      (state, { room }) =>
        state.focus.at === 'result'
          ? { ...state, focus: scrolledResult(state.focus, move, room.result) }
          : state,
    runs: ({ state }) => state.palette.result?.end === undefined,
  }),
  openHelp,
];
