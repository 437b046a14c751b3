import { describe, expect, it } from 'vitest';
import type { OverviewEffect, OverviewState } from '../../../src/tui/overview/overview-state.ts';
import { stepOverview } from '../../../src/tui/overview/step-overview.ts';
import { currentDraft } from '../../../src/tui/drafts/drafts.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { overviewRoom } from '../../helpers/overview-views.ts';
import { room, typed } from '../../helpers/screen-views.ts';
import { currentForm } from '../../../src/tui/drafts/form-state.ts';
import { callCases } from '../every-key/call-cases.ts';
import { otherCases } from '../every-key/other-cases.ts';
import { overviewCases } from '../every-key/overview-cases.ts';
import { paletteCases } from '../every-key/palette-cases.ts';
import { pastCases } from '../every-key/past-cases.ts';
import { questionCases } from '../every-key/question-cases.ts';
import { sprintCases } from '../every-key/sprint-cases.ts';

/** What q does: leads out, or a step of the way; is a letter of what is typed; or is no key, and Esc is the way. */
type OfQ = 'out' | 'text' | 'none';

const ofSprint: Readonly<Record<ScreenState['focus']['at'], OfQ>> = {
  sprint: 'out',
  over: 'out',
  help: 'out',
  result: 'out',
  stop: 'out',
  answer: 'text',
  reject: 'text',
  rephrase: 'text',
  edit: 'text',
  explain: 'text',
  act: 'text',
  filter: 'text',
  goal: 'text',
  palette: 'text',
  // What may have been meant for something else decides nothing.
  arming: 'none',
  closed: 'none',
  decide: 'none',
  scope: 'none',
  batch: 'none',
  confirm: 'none',
  'act-sure': 'none',
};

const ofOverview: Readonly<Record<OverviewState['focus']['at'], OfQ>> = {
  lists: 'out',
  help: 'out',
  start: 'out',
  result: 'out',
  filter: 'text',
  palette: 'text',
};

const sprintPlaces = [
  ...sprintCases,
  ...pastCases,
  ...questionCases,
  ...callCases,
  ...paletteCases,
  ...otherCases,
]
  .map(({ given }) => given)
  // What is being stopped ends by itself, or at once with Ctrl+C.
  .filter(({ isStopping }) => !isStopping);
const overviewPlaces = overviewCases.map(({ given }) => given);

/** Ends a screen, or the run behind it. */
const ends: ReadonlySet<string> = new Set(['leave', 'stop']);

type Pressed<State> = { readonly state: State; readonly effects: readonly { readonly type: string }[] };

/** The screen after a key. */
function onSprint(before: ScreenState, key: string): Pressed<ScreenState> {
  const effects: Effect[] = [];
  const emit = (effect: Effect) => void (effect.type !== 'load' && effects.push(effect));
  const strokes = key === 'q' ? typed('q') : typed('', key);
  const pressed = stepScreen(before, { type: 'keys', strokes, room }, emit);
  return { state: pressed, effects };
}

function onOverview(before: OverviewState, key: string): Pressed<OverviewState> {
  const effects: OverviewEffect[] = [];
  const emit = (effect: OverviewEffect) => void effects.push(effect);
  const strokes = key === 'q' ? typed('q') : typed('', key);
  const pressed = stepOverview(before, { type: 'keys', strokes, room: overviewRoom }, emit);
  return { state: stepOverview(pressed, { type: 'armed', focus: pressed.focus }, emit), effects };
}

/** The same, with the new place seen long enough for the next key. */
function onSprintArmed(before: ScreenState, key: string): Pressed<ScreenState> {
  const { state, effects } = onSprint(before, key);
  return { state: stepScreen(state, { type: 'armed', focus: state.focus }, () => undefined), effects };
}

/** A text is typed that keys are to have in them: letters are part of it. */
const isFinding = ({ focus }: { readonly focus: { readonly at: string; readonly isFinding?: boolean } }) =>
  focus.isFinding === true;

/** Presses q where it leads out, and else Esc, until the screen ends; the places on the way, where it does not. */
function wayOut<State extends { readonly focus: { readonly at: string; readonly isFinding?: boolean } }>(
  given: State,
  press: (before: State, key: string) => Pressed<State>,
  of: Readonly<Record<string, OfQ>>,
): readonly string[] | 'out' {
  const way: string[] = [];
  let state = given;
  for (let presses = 0; presses < 6; presses += 1) {
    const { at } = state.focus;
    way.push(at);
    const pressed = press(state, of[at] === 'out' && !isFinding(state) ? 'q' : 'escape');
    if (pressed.effects.some(({ type }) => ends.has(type))) return 'out';
    ({ state } = pressed);
  }
  return way;
}

describe('q, or Esc where it is a letter,', () => {
  it('leads out of each place of a sprint within six keys', () => {
    expect(new Set(sprintPlaces.map(({ focus: { at } }) => at))).toEqual(new Set(Object.keys(ofSprint)));
    for (const given of sprintPlaces) expect(wayOut(given, onSprintArmed, ofSprint)).toBe('out');
  });

  it('leads out of each place of the overview', () => {
    expect(new Set(overviewPlaces.map(({ focus: { at } }) => at))).toEqual(new Set(Object.keys(ofOverview)));
    for (const given of overviewPlaces) expect(wayOut(given, onOverview, ofOverview)).toBe('out');
  });
});

const textOf = ({ focus, filter }: OverviewState) => {
  if (focus.at === 'help') return focus.find.text;
  return focus.at === 'palette' ? focus.draft.text : filter.text;
};

/** What a q did, by what came of it: a letter of the text, a step away, or none of them. */
function didOf(text: string, left: boolean, { effects }: Pick<Pressed<unknown>, 'effects'>): string {
  if (effects.some(({ type }) => ends.has(type)) || (left && !text.includes('q'))) return 'out';
  if (effects.length > 0) return `effects: ${effects.map(({ type }) => type).join()}`;
  return text.includes('q') ? 'text' : 'none';
}

/** A card that is not decided waits again until it was seen for a moment: that is no step. */
const cardOr = (at: string) => (at === 'arming' ? 'decide' : at);

/** Where the answers to a form are looked at there are no words that a letter could be of. */
const isReviewed = (state: ScreenState) => {
  const form = currentForm(state);
  return form !== undefined && !form.shown;
};

describe('q by itself', () => {
  it.each(Object.entries(ofSprint))('at %s of a sprint: %s', (at, does) => {
    for (const given of sprintPlaces.filter(({ focus }) => focus.at === at)) {
      const pressed = onSprint(given, 'q');
      expect(
        didOf(currentDraft(pressed.state).text, cardOr(pressed.state.focus.at) !== cardOr(at), pressed),
      ).toBe(isReviewed(given) ? 'none' : isFinding(given) ? 'text' : does);
    }
  });

  it.each(Object.entries(ofOverview))('at %s of the overview: %s', (at, does) => {
    for (const given of overviewPlaces.filter(({ focus }) => focus.at === at)) {
      const pressed = onOverview(given, 'q');
      expect(didOf(textOf(pressed.state), pressed.state.focus.at !== at, pressed)).toBe(
        isFinding(given) ? 'text' : does,
      );
    }
  });
});
