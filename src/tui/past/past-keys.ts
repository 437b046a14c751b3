import type { Act, Binding, Situation } from '../keys/binding.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import { SPEEDS, type Past, type Travel } from './past.ts';
import { backToNow } from './step-past.ts';
import { clamp } from '../text/clamp.ts';

const isPast = ({ state }: Situation) => state.past !== undefined;
const isPlaying = ({ state }: Situation) => state.past?.isPlaying === true;
const isStill = ({ state }: Situation) => state.past?.isPlaying === false;
const hasMarked = ({ state }: Situation) => state.past?.marked !== undefined;
const hasChanges = ({ state }: Situation) => state.past?.changes !== undefined;
const hasFound = ({ state }: Situation) => state.past?.found !== undefined;
const isSifted = ({ state: { past } }: Pick<Situation, 'state'>) =>
  past?.found !== undefined && past.isSifted;
/** Where a pane is looked through, its own keys do that. */
const isBeside = ({ state }: Situation) => state.browsing.area !== 'detail';

/** Goes to another time. What is played stops. */
const go =
  (travel: Travel): Act =>
  (state, { emit }) => {
    if (state.past?.isPlaying) emit({ type: 'play', speed: undefined });
    emit({ type: 'travel', travel });
    return withPast(state, { isPlaying: false, changes: undefined });
  };

/** To the next event that counts as a step, or the one before. */
const step =
  (by: 1 | -1): Act =>
  (state, context) =>
    go({ to: isSifted({ state }) ? 'found' : 'event', step: by })(state, context);

const ask =
  (asks: Past['asks']): Act =>
  (state) => ({ ...withPast(state, { asks, goal: emptyBuffer }), focus: { at: 'goal' } });

/** What is played stops: it would go on through other events. */
const sift =
  (isSifted: boolean): Act =>
  (state, { emit }) => {
    if (state.past?.isPlaying) emit({ type: 'play', speed: undefined });
    return withPast(state, { isSifted, isPlaying: false });
  };

const faster =
  (by: 1 | -1): Act =>
  (state, { emit }) => {
    if (!state.past) return state;
    const at = SPEEDS.findIndex((speed) => speed === state.past?.speed) + by;
    const speed = SPEEDS[clamp(at, 0, SPEEDS.length - 1)] ?? 1;
    if (state.past.isPlaying) emit({ type: 'play', speed });
    return withPast(state, { speed });
  };

const play: Act = (state, { emit }) => {
  if (!state.past) return state;
  const isPlaying = !state.past.isPlaying;
  emit({ type: 'play', speed: isPlaying ? state.past.speed : undefined });
  return withPast(state, { isPlaying, changes: undefined });
};

/** Marks this moment; the second time, shows what has changed between the two. */
const mark: Act = (state, { emit }) => {
  const { past } = state;
  if (!past) return state;
  if (past.marked === undefined) return withPast(state, { marked: past.moment.version });
  if (past.isPlaying) emit({ type: 'play', speed: undefined });
  emit({ type: 'compare', versions: [past.marked, past.moment.version] });
  return withPast(state, { isPlaying: false });
};

/** What has changed, in place of the panes: all of it, however small the screen is. */
const listChanges: Act = (state) => {
  const [title = '', ...lines] = state.past?.changes ?? [];
  const result = {
    title: title.replace(/:.*/, ''),
    text: lines.map((line) => line.trimStart()).join('\n'),
    end: '',
  };
  return {
    ...state,
    palette: { ...state.palette, result },
    focus: { at: 'result', top: 0, back: 'sprint' },
  };
};

const toNow: Act = (state, { emit }) => backToNow(state, emit);

/** There is an event before the last one. */
const hasPast = ({ state }: Situation) => state.sprint.version > 1;

/** Keys that lead from now into the past. */
export const intoPastKeys: readonly Binding[] = [
  {
    keys: ['left', ','],
    action: go({ to: 'event', step: -1 }),
    hint: ['←', 'past'],
    help: ['←', 'into the past'],
    when: hasPast,
  },
  { keys: ['shift+left', '{'], action: go({ to: 'mark', step: -1 }), when: hasPast },
];

/** Keys to go about in the past. */
export const pastKeys: readonly Binding[] = [
  {
    keys: ['left', ','],
    action: step(-1),
    hint: ['←/→', 'event'],
    help: ['←/→', 'an event back or forward: ← goes from now into the past'],
    when: isStill,
  },
  // What is played goes on by itself: what stops it comes first.
  { keys: [' '], action: play, hint: ['Space', 'stop playing'], when: isPlaying },
  { keys: ['+', '='], action: faster(1), hint: ['+/-', 'speed'], when: isPlaying },
  { keys: ['left', ','], action: step(-1), hint: ['←/→', 'event'], when: isPlaying },
  { keys: ['right', '.'], action: step(1), when: isPast },
  // The way back is worth more than where else to go.
  { keys: ['L'], action: toNow, hint: ['L', 'back to now'], when: isPast },
  {
    keys: ['shift+right', '}'],
    action: go({ to: 'mark', step: 1 }),
    hint: ['⇧←/⇧→', 'what matters'],
    help: ['⇧←/⇧→ { }', 'the previous or next question, answer, failure, attempt or change of a task'],
    when: isPast,
  },
  { keys: ['shift+left', '{'], action: go({ to: 'mark', step: -1 }), when: isPast },
  {
    keys: [' '],
    action: play,
    hint: ['Space', 'play'],
    help: ['Space', 'play, or stop playing'],
    when: isStill,
  },
  { keys: ['+', '='], action: faster(1), help: ['+/-', 'play faster, slower'], when: isPast },
  { keys: ['-'], action: faster(-1), when: isPast },
  {
    keys: ['t', 'g'],
    action: ask('place'),
    hint: ['t', 'to a time'],
    help: ['t g', 'to a version or a time: 412, 14:53, -2h'],
    when: isPast,
  },
  {
    keys: ['n'],
    action: go({ to: 'found', step: 1 }),
    hint: ['n/N', 'what was found'],
    help: ['n/N', 'the next event found, the previous one'],
    when: (now) => hasFound(now) && isBeside(now),
  },
  { keys: ['N'], action: go({ to: 'found', step: -1 }), when: (now) => hasFound(now) && isBeside(now) },
  {
    keys: ['f'],
    action: ask('words'),
    hint: ['f', 'find'],
    help: ['f', 'find events by words in their type, task and text: failure parser'],
    group: 'Show',
    when: isPast,
  },
  {
    keys: ['F'],
    action: sift(true),
    hint: ['F', 'only these'],
    help: ['F', 'step and play only through what was found, or through all events again'],
    group: 'Show',
    when: (now) => hasFound(now) && !isSifted(now),
  },
  {
    keys: ['F'],
    action: sift(false),
    hint: ['F', 'all events'],
    group: 'Show',
    when: isSifted,
  },
  {
    keys: ['<'],
    action: go({ to: 'part', step: -10 }),
    help: ['< >', 'a tenth back or forward'],
    when: isPast,
  },
  { keys: ['>'], action: go({ to: 'part', step: 10 }), when: isPast },
  { keys: ['^'], action: go({ to: 'first' }), help: ['^ $', 'the first event, the last'], when: isPast },
  { keys: ['$'], action: go({ to: 'last' }), when: isPast },
  {
    keys: ['d'],
    action: mark,
    hint: ['d', 'mark'],
    help: ['d', 'mark a moment; at another one, show what has changed; once more, all of it'],
    group: 'Show',
    when: (now) => isPast(now) && !hasMarked(now),
  },
  {
    keys: ['d'],
    action: listChanges,
    hint: ['d', 'all changes'],
    group: 'Show',
    when: hasChanges,
  },
  { keys: ['d'], action: mark, hint: ['d', 'what has changed'], group: 'Show', when: hasMarked },
  {
    keys: ['y'],
    action: (state, { emit }) => {
      emit({ type: 'copy-moment' });
      return state;
    },
    hint: ['y', 'copy'],
    help: ['y', 'copy the command that opens this moment'],
    group: 'Show',
    when: isPast,
  },
  {
    keys: ['escape'],
    action: (state, { emit }) => {
      emit({ type: 'travel', travel: { to: 'words', words: '' } });
      return withPast(state, { found: undefined, isSifted: false });
    },
    hint: ['Esc', 'forget what was found'],
    when: (now) => hasFound(now) && isBeside(now),
  },
  {
    keys: ['escape'],
    action: (state) => withPast(state, { marked: undefined, changes: undefined }),
    hint: ['Esc', 'forget the mark'],
    when: (now) => isPast(now) && hasMarked(now) && now.state.browsing.area !== 'detail',
  },
];

/** What decides now decides nothing there, and says so. */
export const nothingToDecide: Binding = {
  keys: ['R', 'P', 'S', 'X', 'M', 'B', 'T', 'C', 'i'],
  action: (state) => ({
    ...state,
    notice: { tone: 'info', text: 'This is the past, in which nothing is decided: L leads back to now' },
  }),
  when: isPast,
};

/** Keys while it is typed where to go: a time, or words. */
export const goalKeys: readonly Binding[] = [
  {
    keys: ['enter'],
    action: (state, context) => {
      const text = state.past?.goal.text.trim() ?? '';
      const here: ScreenState = { ...state, focus: { at: 'sprint' } };
      if (text === '') return here;
      return go(state.past?.asks === 'words' ? { to: 'words', words: text } : { to: 'place', text })(
        here,
        context,
      );
    },
    hint: ['Enter', 'go there'],
  },
  { keys: ['escape'], action: (state) => ({ ...state, focus: { at: 'sprint' } }), hint: ['Esc', 'stay'] },
  { keys: ['ctrl+c'], action: (state) => ({ ...state, focus: { at: 'sprint' } }) },
];

function withPast(state: ScreenState, over: Partial<Past>): ScreenState {
  return state.past ? { ...state, past: { ...state.past, ...over } } : state;
}
