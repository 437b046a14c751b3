import { withArea } from '../../../src/tui/screen/browsing.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import type { Past, Travel } from '../../../src/tui/past/past.ts';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import { aSprint } from '../../helpers/screen-views.ts';
import type { ScreenCase } from './screen-case.ts';

const then = stepScreen(
  initialState({ isOwner: true, sprint: aSprint() }),
  {
    type: 'moment',
    arrived: {
      moment: {
        version: 4,
        length: 7,
        at: 4_000,
        afterMs: 1_000,
        title: 'Task started',
        text: '',
        mark: undefined,
        task: 'schema',
      },
      sprint: aSprint({ version: 4 }),
      index: new HistoryIndex(),
      outcomes: new Map(),
      found: undefined,
      isBeginning: false,
    },
  },
  () => {},
);

function inPast(over: Partial<Past>): ScreenState {
  return then.past ? { ...then, past: { ...then.past, ...over } } : then;
}

const playing = inPast({ isPlaying: true });
const found = inPast({ found: { words: 'failure', versions: [2, 6] } });
const goal = (asks: Past['asks'], text: string): ScreenState => ({
  ...inPast({ asks, goal: { text, cursor: text.length } }),
  focus: { at: 'goal' },
});
const goes = (travel: Travel) => [{ type: 'travel', travel }] as const;

/** In the past. */
export const pastCases: readonly ScreenCase[] = [
  { key: 'left', given: then, effects: goes({ to: 'event', step: -1 }) },
  {
    key: 'left',
    given: playing,
    effects: [{ type: 'play', speed: undefined }, ...goes({ to: 'event', step: -1 })],
    state: { past: { isPlaying: false } },
  },
  { key: 'right', given: then, effects: goes({ to: 'event', step: 1 }) },
  { key: 'shift+right', given: then, effects: goes({ to: 'mark', step: 1 }) },
  { key: 'shift+left', given: then, effects: goes({ to: 'mark', step: -1 }) },
  { key: ' ', given: then, effects: [{ type: 'play', speed: 10 }], state: { past: { isPlaying: true } } },
  {
    key: ' ',
    given: playing,
    effects: [{ type: 'play', speed: undefined }],
    state: { past: { isPlaying: false } },
  },
  { key: '+', given: playing, effects: [{ type: 'play', speed: 30 }], state: { past: { speed: 30 } } },
  { key: '+', given: then, state: { past: { speed: 30 } } },
  { key: '-', given: then, state: { past: { speed: 5 } } },
  { key: 't', given: then, state: { focus: { at: 'goal' }, past: { asks: 'place' } } },
  { key: 'n', given: found, effects: goes({ to: 'found', step: 1 }) },
  { key: 'N', given: found, effects: goes({ to: 'found', step: -1 }) },
  { key: 'f', given: then, state: { focus: { at: 'goal' }, past: { asks: 'words' } } },
  { key: 'F', given: found, state: { past: { isSifted: true } } },
  {
    key: 'F',
    given: inPast({ found: { words: 'failure', versions: [2, 6] }, isSifted: true }),
    state: { past: { isSifted: false } },
  },
  { key: '<', given: then, effects: goes({ to: 'part', step: -10 }) },
  { key: '>', given: then, effects: goes({ to: 'part', step: 10 }) },
  { key: '^', given: then, effects: goes({ to: 'first' }) },
  { key: '$', given: then, effects: goes({ to: 'last' }) },
  { key: 'd', given: then, state: { past: { marked: 4 } } },
  { key: 'd', given: inPast({ marked: 2 }), effects: [{ type: 'compare', versions: [2, 4] }] },
  {
    key: 'd',
    given: inPast({ marked: 2, changes: ['From event 2 to event 4:', '  schema attempt 0 → 1'] }),
    state: { focus: { at: 'result' }, palette: { result: { text: 'schema attempt 0 → 1' } } },
  },
  { key: 'R', given: then, state: { notice: { tone: 'info' } } },
  { key: 'y', given: then, effects: [{ type: 'copy-moment' }] },
  {
    key: 'escape',
    given: found,
    effects: goes({ to: 'words', words: '' }),
    state: { past: { found: undefined } },
  },
  {
    key: 'escape',
    given: withArea(inPast({ marked: 2, changes: ['one'] }), 'tasks'),
    state: { past: { marked: undefined, changes: undefined } },
  },
  { key: 'L', given: then, effects: [{ type: 'to-now' }], state: { past: undefined } },
  {
    key: 'L',
    given: inPast({ present: aSprint({ state: 'done' }) }),
    effects: [{ type: 'to-now' }],
    state: { past: undefined },
  },
  { key: 'enter', given: goal('place', '14:53'), effects: goes({ to: 'place', text: '14:53' }) },
  {
    key: 'enter',
    given: goal('words', 'failure'),
    effects: goes({ to: 'words', words: 'failure' }),
    state: { focus: { at: 'sprint' } },
  },
  { key: 'escape', given: goal('place', '1'), state: { focus: { at: 'sprint' } } },
  { key: 'ctrl+c', given: goal('place', '1'), state: { focus: { at: 'sprint' } } },
];
