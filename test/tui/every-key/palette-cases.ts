import { expect } from 'vitest';
import type { PaletteState } from '../../../src/tui/palette/palette-state.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { aSprint } from '../../helpers/screen-views.ts';
import { longText, summary, type ScreenCase } from './screen-case.ts';

const text = (words: string) => ({ text: words, cursor: words.length });
const watching = initialState({ isOwner: true, sprint: aSprint(), sprints: ['other'] });
const over: ScreenState = { ...watching, summary, focus: { at: 'over', top: 0 } };
const looking = (words: string, picked = 0, back: 'sprint' | 'over' = 'sprint'): ScreenState => ({
  ...watching,
  focus: { at: 'palette', draft: text(words), picked, back },
});
const shows = (result: PaletteState['result'], top = 0): ScreenState => ({
  ...watching,
  focus: { at: 'result', top, back: 'sprint' },
  palette: { ...watching.palette, result },
});
const title = 'clifford mcp list';
const runs = shows({ title, text: '', end: undefined });
const ended = shows({ title, text: longText, end: 'ended with exit code 0' }, 70);
const toSprint = { focus: { at: 'sprint' } };
const topIs =
  (isThere: (top: number) => boolean): NonNullable<ScreenCase['check']> =>
  ({ after: { focus } }) =>
    expect('top' in focus ? focus.top : undefined).toSatisfy(isThere);

/** In the palette, and of what a command has said. */
export const paletteCases: readonly ScreenCase[] = [
  { key: ':', given: watching, state: { focus: { at: 'palette', picked: 0, back: 'sprint' } } },
  { key: ':', given: over, state: { focus: { at: 'palette', picked: 0, back: 'over' } } },
  {
    key: 'enter',
    given: { ...looking('sprint other'), isOwner: false },
    effects: [{ type: 'go', sprint: 'other' }],
    state: toSprint,
  },
  { key: 'up', given: looking('', 2), state: { focus: { picked: 1 } } },
  { key: 'down', given: looking('', 2), state: { focus: { picked: 3 } } },
  { key: 'tab', given: looking('/mcp li'), state: { focus: { draft: text('/mcp list ') } } },
  { key: 'escape', given: looking('x'), state: toSprint },
  {
    key: 'ctrl+c',
    given: looking('x'),
    check: ({ after }) => expect(after.focus).toMatchObject({ at: 'palette', draft: text('') }),
  },
  { key: 'escape', given: runs, effects: [{ type: 'slash-stop' }], state: toSprint },
  { key: 'escape', given: ended, state: toSprint },
  { key: '?', given: ended, state: { focus: { at: 'help', back: ended.focus } } },
  { key: 'up', given: ended, check: topIs((top) => top === 69) },
  { key: 'down', given: ended, check: topIs((top) => top === 71) },
  { key: 'home', given: ended, check: topIs((top) => top === 0) },
  { key: 'end', given: ended, check: topIs((top) => top > 100) },
  { key: 'pagedown', given: ended, check: topIs((top) => top > 72) },
  { key: 'pageup', given: ended, check: topIs((top) => top < 68) },
  { key: 'ctrl+c', given: ended, state: toSprint },
];
