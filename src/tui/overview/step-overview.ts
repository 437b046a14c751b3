import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { withoutHiddenButJoiners } from '../../lib/text/hidden-characters.ts';
import { mayStart, type WhoRuns } from '../../views/sprints/who-runs.ts';
import { edit } from '../keys/edit-keys.ts';
import { helpWith } from '../keys/help-focus.ts';
import { enterTooSoon, isEnter, takeLines, type Stroke } from '../keys/strokes.ts';
import { withSaid } from '../palette/palette-state.ts';
import { insert, type TextBuffer } from '../text/text-buffer.ts';
import { pointAt } from './point-at.ts';
import type { OverviewContext } from './overview-binding.ts';
import { overviewAction } from './overview-keys.ts';
import {
  currentArea,
  disarmed,
  pickedItem,
  pickedRow,
  shownInbox,
  shownRows,
  type OverviewEffect,
  type OverviewEvent,
  type OverviewState,
} from './overview-state.ts';

/** The overview after an event. Where the person goes from it is said to `emit`. */
export function stepOverview(
  state: OverviewState,
  event: OverviewEvent,
  emit: (effect: OverviewEffect) => void,
): OverviewState {
  switch (event.type) {
    case 'news':
      return withoutVainOffer(staying(state, { ...state, overview: event.overview }));
    case 'taken-apart':
      return { ...state, commands: new Map([...state.commands, ...event.commands]) };
    case 'compared-files':
      return {
        ...state,
        files: new Map([...state.files, ...event.files]),
        folded: new Set([...state.folded].filter((id) => !event.files.has(id)).concat(...event.foldable)),
      };
    case 'agents':
      return { ...state, agentless: event.agentless };
    case 'keys':
      return takeKeys(state, event, emit);
    case 'mouse':
      return pointAt(state, event.pointed, { room: event.room, emit });
    case 'paste':
      return paste(state, event.text);
    case 'unseen':
      return state.focus.at === 'start' ? { ...state, focus: disarmed(state.focus) } : state;
    case 'armed':
      // The focus may have moved on while the timer ran.
      return state.focus === event.focus ? armed(state) : state;
    case 'said':
      return { ...state, palette: withSaid(state.palette, event) };
  }
}

/** The overview once what is asked takes a yes. */
export function armed(state: OverviewState): OverviewState {
  const { focus } = state;
  return focus.at === 'start' ? { ...state, focus: { ...focus, isArmed: true } } : state;
}

function takeKeys(
  state: OverviewState,
  { strokes, isTogether, areLines, room }: Extract<OverviewEvent, { type: 'keys' }>,
  emit: (effect: OverviewEffect) => void,
): OverviewState {
  const areSeveral = isTogether === true || strokes.length > 1;
  const pressIt = (now: OverviewState, stroke: Stroke) =>
    areSeveral && isEnter(stroke) && isTyping(now)
      ? { ...now, notice: enterTooSoon }
      : press(now, stroke, { room, emit });
  if (state.focus.at === 'start') {
    // One deliberate key confirms. Several at once are text that was meant for something else.
    if (areLines) return paste(state, '');
    if (areSeveral) return state;
  }
  return areLines
    ? takeLines(state, strokes, { isTyping, press: pressIt, paste })
    : strokes.reduce(pressIt, state);
}

/** Whether a key by itself begins a run, or does what is typed. */
export function decidesAlone(state: OverviewState, stroke: Stroke): boolean {
  return state.focus.at === 'start' || (isEnter(stroke) && isTyping(state));
}

function press(state: OverviewState, stroke: Stroke, context: OverviewContext): OverviewState {
  if (isTyping(state) && 'text' in stroke) return inserting(state, stroke.text);
  const key = 'key' in stroke ? stroke.key : stroke.text;
  const action = overviewAction(key, state);
  if (action) return action({ ...state, notice: undefined }, context);
  return typing(state, (buffer) => edit(buffer, key));
}

function paste(state: OverviewState, text: string): OverviewState {
  // It was meant for something else: so is what is typed behind it.
  if (state.focus.at === 'start') return { ...state, focus: disarmed(state.focus) };
  const line = withoutHiddenButJoiners(text).trim().replaceAll(/\s+/g, ' ');
  return inserting(state, line);
}

/** The overview with this typed, or a word that it does not fit. */
function inserting(state: OverviewState, text: string): OverviewState {
  const next = typing({ ...state, notice: undefined }, (buffer) => insert(buffer, text));
  if (text === '' || typedText(next) !== typedText(state)) return next;
  const most = MAX_TEXT_LENGTH.toLocaleString('en');
  return { ...state, notice: { tone: 'warning', text: `Too long: ${most} characters fit` } };
}

function typedText({ focus, filter }: OverviewState): string {
  if (focus.at === 'help') return focus.find.text;
  return focus.at === 'palette' ? focus.draft.text : filter.text;
}

function isTyping({ focus }: OverviewState): boolean {
  return focus.at === 'filter' || focus.at === 'palette' || (focus.at === 'help' && focus.isFinding);
}

/** The overview with what is typed changed so; as it was, where nothing is. */
function typing(state: OverviewState, change: (buffer: TextBuffer) => TextBuffer): OverviewState {
  const { focus, filter } = state;
  if (focus.at === 'filter') return { ...state, filter: change(filter) };
  if (focus.at === 'help')
    return focus.isFinding ? { ...state, focus: helpWith(focus, change(focus.find)) } : state;
  if (focus.at !== 'palette') return state;
  const typed: OverviewState['focus'] = {
    ...focus,
    draft: change(focus.draft),
    picked: 0,
    recalled: undefined,
  };
  return { ...state, notice: undefined, focus: typed };
}

/** Each cursor stays on what it is on, wherever that has moved to; on what has its place, where it is gone. */
function staying(before: OverviewState, after: OverviewState): OverviewState {
  const sprintOf = ({ sprint }: { readonly sprint: { readonly id: string } }) => sprint.id;
  const requestOf = ({ id }: { readonly id: string }) => id;
  return {
    ...after,
    area: currentArea(after),
    sprint: kept(
      shownRows(before).map(sprintOf),
      pickedRow(before)?.sprint.id,
      shownRows(after).map(sprintOf),
    ),
    request: kept(
      shownInbox(before).map(requestOf),
      pickedItem(before)?.id,
      shownInbox(after).map(requestOf),
    ),
  };
}

function kept(
  before: readonly string[],
  picked: string | undefined,
  after: readonly string[],
): string | undefined {
  if (picked === undefined || after.includes(picked)) return picked;
  return after[Math.min(before.indexOf(picked), after.length - 1)];
}

const whyNot: Partial<Record<WhoRuns['is'], string>> = {
  running: 'A runner is at work on it now',
  queued: 'It waits in the queue for a worker now',
};

/** Somebody else was faster, or the sprint is over: there is nothing to start any more. */
function withoutVainOffer(state: OverviewState): OverviewState {
  const { focus, overview } = state;
  const offer = focus.at === 'help' ? focus.back : focus;
  if (offer.at !== 'start') return state;
  const row = overview.rows.find(({ sprint }) => sprint.id === offer.sprint);
  if (row && mayStart(row.runs) !== 'no') return state;
  const text = (row && whyNot[row.runs.is]) ?? 'It cannot be run any more';
  return { ...state, focus: { at: 'lists' }, notice: { tone: 'info', text } };
}
