import { armed } from './armed.ts';
import { askToStart } from '../keys/act-keys.ts';
import { takeRecalled } from '../keys/recall-keys.ts';
import { pointAt } from '../mouse/point-at.ts';
import { count } from '../../lib/text/count.ts';
import { answerDrafts, currentForm } from '../drafts/form-state.ts';
import type { EndPart, ScreenEvent } from './screen-event.ts';
import { withRead, type ScreenState } from './screen-state.ts';
import type { Effect } from './screen-effect.ts';
import { currentDraft } from '../drafts/drafts.ts';
import { beneath, isActing, isWriting, type Focus } from './focus.ts';
import { takeKeys, takePaste, unseen } from './take-input.ts';
import { takeFiles } from '../feed/take-files.ts';
import { takeEdited } from '../drafts/edited-draft.ts';
import { withSaid } from '../palette/palette-state.ts';
import { textsTyped } from '../drafts/texts-typed.ts';
import { keepingWords, notSent } from '../drafts/unsent-words.ts';
import { takeMoment } from '../past/step-past.ts';
import { withArea, type Area } from './browsing.ts';
import { takeLoaded, withContent } from '../feed/pane-content.ts';
import { takeOutcome, takeUnrecorded, takeUnsent } from './take-outcome.ts';

type Event<T extends ScreenEvent['type']> = Extract<ScreenEvent, { type: T }>;

/** The screen after an event. What is to be done outside goes to `emit`. */
export function stepScreen(
  state: ScreenState,
  event: ScreenEvent,
  emit: (effect: Effect) => void,
): ScreenState {
  return withContent(step(state, event, emit), emit);
}

function step(state: ScreenState, event: ScreenEvent, emit: (effect: Effect) => void): ScreenState {
  switch (event.type) {
    case 'news':
      return takeNews(state, event);
    case 'processes':
      return { ...state, processes: event.processes };
    case 'keys':
      return takeKeys(state, event, emit);
    case 'mouse':
      return pointAt(state, event.pointed, { room: event.room, emit });
    case 'paste':
      return takePaste(state, event.text);
    case 'armed':
      // The focus may have moved on while the timer ran.
      return state.focus === event.focus ? armed(state) : state;
    case 'unseen':
      return unseen(state);
    case 'end-painted':
      return takeEndPainted(state, event);
    case 'recalled':
      return takeRecalled(state, event.id, event.answers);
    case 'draft-edited':
      return takeEdited(state, event.at, event.edited);
    case 'outcome':
      return takeOutcome(state, event);
    case 'unsent':
      return takeUnsent(state, event);
    case 'unrecorded':
      return takeUnrecorded(state, event);
    case 'unkept':
      return { ...state, unkept: event.why };
    case 'revealed':
      return takeRevealed(state, event);
    case 'offered':
      return { ...state, offers: new Map([...state.offers, ...event.offers]) };
    case 'titled':
      return { ...state, titles: new Map([...state.titles, ...event.titles]) };
    case 'taken-apart':
      return { ...state, commands: new Map([...state.commands, ...event.commands]) };
    case 'compared-files':
      return takeFiles(state, event);
    case 'moment':
      return takeMoment(state, event.arrived);
    case 'played':
      return state.past ? { ...state, past: { ...state.past, isPlaying: false } } : state;
    case 'compared':
      return takeCompared(state, event);
    case 'over':
      return takeOver(state, event);
    case 'runs':
      return { ...state, summary: undefined, focus: isIdle(state) ? { at: 'sprint' } : state.focus };
    case 'startable':
      return askToStart(state, event.starts);
    case 'stopping':
      return { ...state, endsAt: event.endsAt };
    case 'told':
      return { ...state, notice: event.notice };
    case 'said':
      return { ...state, palette: withSaid(state.palette, event) };
    case 'loaded':
      return takeLoaded(state, event);
  }
}

function takeCompared(state: ScreenState, { from, to, changes }: Event<'compared'>): ScreenState {
  if (!state.past) return state;
  const counted = changes.length > 1 ? ` ${count(changes.length, 'change')}` : '';
  const title = `From event ${from} to event ${to}:${counted}`;
  const lines = changes.length === 0 ? ['nothing has changed'] : changes;
  return { ...state, past: { ...state.past, changes: [title, ...lines.map((line) => `  ${line}`)] } };
}

/** Shows how the run ended, unless the person is at something else. */
function takeOver(state: ScreenState, { summary }: Event<'over'>): ScreenState {
  // In the past it is there after the way back.
  if (!isIdle(state) || state.past) return { ...state, summary };
  // What became of an answer or a call was said while it ran.
  const notice = state.notice?.tone === 'ok' ? undefined : state.notice;
  return { ...state, summary, notice, focus: { at: 'over', top: 0 } };
}

/** No box takes keys, and nothing is being read but what moves by itself. */
function isIdle({ focus }: ScreenState): boolean {
  return focus.at === 'sprint' || focus.at === 'stop' || focus.at === 'over';
}

function takeNews(
  state: ScreenState,
  { sprint, outputVersion, closed, trouble }: Event<'news'>,
): ScreenState {
  // The present goes on, unseen.
  if (state.past) return { ...state, outputVersion, trouble, past: { ...state.past, present: sprint } };
  const isOpen = new Set(sprint.open.map(({ id }) => id));
  const ofOpen = <T>(kept: ReadonlyMap<string, T>) => new Map([...kept].filter(([id]) => isOpen.has(id)));
  const lost = closed.find(({ id }) => id === state.current && !state.sending.has(id));
  const gone = state.sprint.open.filter(({ id }) => !isOpen.has(id) && !state.sending.has(id));
  const next: ScreenState = {
    ...keepingWords(
      state,
      gone.flatMap(({ id }) => textsTyped(state, id)),
    ),
    sprint,
    outputVersion,
    trouble,
    drafts: ofOpen(state.drafts),
    choices: ofOpen(state.choices),
    forms: ofOpen(state.forms),
    reasons: ofOpen(state.reasons),
    edits: ofOpen(state.edits),
    asks: ofOpen(state.asks),
    revealed: ofOpen(state.revealed),
    offers: ofOpen(state.offers),
    commands: ofOpen(state.commands),
    files: ofOpen(state.files),
    seen: ofOpen(state.seen),
    folded: new Set([...state.folded].filter((id) => isOpen.has(id))),
    sending: new Set([...state.sending].filter((id) => isOpen.has(id))),
    ...(lost ? { notice: { tone: 'warning', text: lost.how + aboutDraft(state, lost.id) } } : {}),
  };
  if (state.current !== undefined && isOpen.has(state.current)) return next;
  // Who had left the box did not ask for another one, nor who is deciding about something else.
  const hasLeft = isActing(beneath(state.focus)) || (lost !== undefined && state.focus.at === 'sprint');
  const focus = hasLeft ? state.focus : interrupted(state);
  return showFirst(next, { area: hasLeft ? state.browsing.area : 'question', focus });
}

/** Where keys go when a question is closed that words were being typed for; `undefined`: to what takes its place. */
function interrupted(state: ScreenState): Focus | undefined {
  const { focus, current, sending } = state;
  if (focus.at === 'closed') return focus;
  const isElsewhere = current !== undefined && !sending.has(current);
  const box = beneath(focus);
  // A question's own box is open by itself: who has typed nothing there was not interrupted.
  const isTyped = isWriting(box) && (box.at !== 'answer' || !isAnswerEmpty(state));
  return isElsewhere && isTyped ? { at: 'closed' } : undefined;
}

/** Nothing is typed, and nothing chosen, for the question that is shown. */
function isAnswerEmpty(state: ScreenState): boolean {
  const form = currentForm(state);
  if (!form) return currentDraft(state).text === '';
  return answerDrafts(form).every(({ chosen, words }) => chosen.length === 0 && words === '');
}

/** What was typed for the question that someone else closed has nowhere to go. */
function aboutDraft(state: ScreenState, id: string): string {
  const [words] = textsTyped(state, id);
  if (words !== undefined && !isActing(state.focus)) return ` (${notSent(words)})`;
  return isActing(state.focus) || isAnswerEmpty(state) ? '' : ' (your draft was not sent)';
}

/** The question that was shown is closed, or there was none: the first that waits takes its place. */
function showFirst(
  state: ScreenState,
  { area, focus: stays }: { area: Area; focus: Focus | undefined },
): ScreenState {
  const first = state.sprint.open[0];
  if (first) {
    const focus: Focus = stays ?? { at: 'arming', dropped: 0 };
    // Below a question that comes up by itself, what became of one before would be read as of this one.
    const notice = state.current === undefined ? undefined : state.notice;
    const shown = { ...state, current: first.id, questionTop: 0, focus, notice };
    return withArea(shown, area);
  }
  if (state.current === undefined) return state;
  const focus = stays ?? focusAfter(state);
  return withArea({ ...state, current: undefined, focus }, 'tasks');
}

/** Letters that were meant for a box that has just gone are no commands. */
function focusAfter(state: ScreenState): Focus {
  const isAtEase = state.focus.at === 'sprint' || state.sending.size > 0;
  return isAtEase ? { at: 'sprint' } : { at: 'arming', dropped: 0 };
}

const partsOfEnd: readonly EndPart[] = [
  'current',
  'focus',
  'questionTop',
  'revealed',
  'files',
  'folded',
  'past',
];

function takeEndPainted(state: ScreenState, { of }: Event<'end-painted'>): ScreenState {
  // It may be something else by now, or have been scrolled away from before it could be read.
  return partsOfEnd.every((part) => state[part] === of[part]) ? withRead(state) : state;
}

/** What is shown anew has to be read anew. */
function takeRevealed(state: ScreenState, { id, whole }: Event<'revealed'>): ScreenState {
  if (!whole) {
    const text = 'Not shown: the process that made the call is gone, or on another machine';
    return { ...state, notice: { tone: 'warning', text } };
  }
  const readToEnd = new Set(state.readToEnd);
  readToEnd.delete(id);
  const questionTop = state.current === id ? 0 : state.questionTop;
  return { ...state, revealed: new Map(state.revealed).set(id, whole), readToEnd, questionTop };
}
