import { mayStart } from '../../views/sprints/who-runs.ts';
import type { KeyName } from '../keys/binding.ts';
import { actionFor, hintsFor, namesOf } from '../keys/find-binding.ts';
import { helpFrom, helpWith, type HelpFocus } from '../keys/help-focus.ts';
import { foundSections, type HelpSection } from '../keys/help-sections.ts';
import { filterKeys, helpKeys, moveKeys, scrolled, stepOf, type Move } from '../keys/list-keys.ts';
import type { PaletteItem } from '../palette/find-items.ts';
import { paletteKeyFor } from '../palette/keys-of-palette.ts';
import { clamp } from '../text/clamp.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import {
  emits,
  toLists,
  type OverviewAct,
  type OverviewBinding,
  type OverviewContext,
} from './overview-binding.ts';
import { intoPalette, itemsAmong, paletteKeysAmong, resultKeys } from './overview-palette.ts';
import {
  currentArea,
  disarmed,
  pickedItem,
  pickedRow,
  shownInbox,
  shownRows,
  type OverviewFocus,
  type OverviewRoom,
  type OverviewState,
} from './overview-state.ts';

const isInInbox = (state: OverviewState) => currentArea(state) === 'inbox';
const hasInbox = (state: OverviewState) => shownInbox(state).length > 0;
const isInSprints = (state: OverviewState) => !isInInbox(state) && pickedRow(state) !== undefined;
const mayStartPicked = (state: OverviewState) => {
  const row = pickedRow(state);
  return isInSprints(state) && row ? mayStart(row.runs) : 'no';
};
/** What has to be done before a run of it can begin; `undefined`: nothing. */
const missingOf = (state: OverviewState) => state.agentless.get(pickedRow(state)?.sprint.id ?? '');
const isRunAtOnce = (state: OverviewState) =>
  mayStartPicked(state) === 'at-once' && missingOf(state) === undefined;
const isRunnable = (state: OverviewState) => mayStartPicked(state) !== 'no' && missingOf(state) === undefined;
const lacksAgent = (state: OverviewState) => mayStartPicked(state) !== 'no' && missingOf(state) !== undefined;
const isFiltered = ({ filter }: OverviewState) => filter.text !== '';
const isArmed = ({ focus }: OverviewState) => focus.at === 'start' && focus.isArmed;
/** Of what the log has not seen there is nothing to look at. */
const mayLook = (state: OverviewState) => !isInInbox(state) && pickedRow(state)?.sprint.inLog === true;

const leave: OverviewBinding = { keys: ['ctrl+c'], action: emits('leave') };

/** What every place has. */
const suspend: OverviewBinding = {
  keys: ['ctrl+z'],
  action: emits('suspend'),
  help: ['^Z', 'back to the shell, until fg'],
};

/** Lists the keys: wherever none of them is text. */
const openHelp: OverviewBinding = {
  keys: ['?'],
  action: (state) => ({ ...state, focus: helpFrom(state.focus) }),
  hint: ['?', 'help'],
  group: 'Show',
};

const lists: readonly OverviewBinding[] = [
  ...moveKeys(moveBy, {
    lines: { hint: ['↑/↓', 'move'] },
    ends: { help: ['Home/End', 'the first, the last'] },
    pages: { help: ['PgUp/PgDn', 'a page'] },
  }),
  {
    keys: ['enter', 'right', 'l'],
    action: enterItem,
    hint: ['Enter', 'look'],
    help: ['Enter', 'open what waits, on the screen of its sprint'],
    when: isInInbox,
  },
  {
    keys: ['enter'],
    action: offerRun,
    hint: ['Enter', 'run it…'],
    help: ['Enter', 'run a sprint that nobody runs, after a confirmation'],
    when: isRunAtOnce,
  },
  {
    keys: ['enter'],
    action: enterSprint,
    hint: ['Enter', 'go in'],
    help: ['Enter', 'open any other sprint: Esc or q comes back'],
    when: mayLook,
  },
  {
    keys: ['right', 'l'],
    action: enterSprint,
    help: ['→', 'open a sprint without starting anything'],
    when: mayLook,
  },
  {
    keys: ['tab', 'shift+tab'],
    action: otherList,
    hint: ['Tab', 'sprints'],
    help: ['Tab', 'the other list'],
    when: isInInbox,
  },
  {
    keys: ['tab', 'shift+tab'],
    action: otherList,
    hint: ['Tab', 'waiting'],
    help: ['Tab', 'the other list'],
    when: hasInbox,
  },
  {
    keys: ['r'],
    action: offerRun,
    hint: ['r', 'run it…'],
    help: ['r', 'run a sprint, also one that has failed'],
    group: 'Act',
    when: isRunnable,
  },
  {
    keys: ['enter', 'r'],
    action: sayMissing,
    when: lacksAgent,
  },
  {
    keys: ['/'],
    action: (state) => ({ ...state, focus: { at: 'filter' } }),
    hint: ['/', 'filter'],
    group: 'Show',
  },
  {
    keys: ['escape'],
    action: (state) => ({ ...state, filter: emptyBuffer }),
    hint: ['Esc', 'show all'],
    when: isFiltered,
  },
  paletteKeyFor(intoPalette),
  openHelp,
  { ...leave, keys: ['q'], hint: ['q', 'leave'], help: ['q, ^C', 'leave: runs go on'] },
  leave,
];

const filter: readonly OverviewBinding[] = [
  ...filterKeys(toLists, (state: OverviewState) => toLists({ ...state, filter: emptyBuffer }), moveBy),
  leave,
];

const start: readonly OverviewBinding[] = [
  { keys: ['enter', 'y'], action: run, hint: ['Enter', 'run it'], when: isArmed },
  { keys: ['w'], action: enterSprint, hint: ['w', 'only look at it'], when: mayLook },
  { keys: ['escape', 'n', 'q'], action: toLists, hint: ['Esc', 'back'] },
  // The line of hints has what is confirmed, and the way out.
  { keys: openHelp.keys, action: openHelp.action },
  leave,
];

const inHelp =
  (change: (focus: HelpFocus<OverviewFocus>) => HelpFocus<OverviewFocus>): OverviewAct =>
  (state) =>
    state.focus.at === 'help' ? { ...state, focus: change(state.focus) } : state;

const help: readonly OverviewBinding[] = [
  ...helpKeys<OverviewState, OverviewAct>({
    focusIn: ({ focus }) => (focus.at === 'help' ? focus : undefined),
    back: closeHelp,
    scroll: scrollHelp,
    find: inHelp((focus) => ({ ...focus, isFinding: true })),
    keep: inHelp((focus) => ({ ...focus, isFinding: false })),
    clear: inHelp((focus) => ({ ...helpWith(focus, emptyBuffer), isFinding: false })),
  }),
  leave,
];

const result: readonly OverviewBinding[] = [...resultKeys, openHelp];

/** What the palette knows of keys. */
const found = [...lists, suspend];
const palette = paletteKeysAmong(found);

/** @internal for the test that presses each of them */
export const keymap: Readonly<Record<OverviewState['focus']['at'], readonly OverviewBinding[]>> = {
  lists,
  filter,
  start,
  help,
  palette,
  result,
};

/** The action of a key where the focus is, if it has one there. */
export function overviewAction(key: string, state: OverviewState): OverviewAct | undefined {
  return actionFor([...keymap[state.focus.at], suspend], key, state);
}

/** The items of the palette that match what was typed, the best first. */
export function overviewItems(state: OverviewState): readonly PaletteItem[] {
  return itemsAmong(found, state);
}

/** What the hint line says now. Of two keys that do the same it names one. */
export function overviewHints(state: OverviewState, room: OverviewRoom): KeyName[] {
  const hints = hintsFor(keymap[state.focus.at], state, room);
  return hints.filter(([, what], at) => hints.findIndex(([, other]) => other === what) === at);
}

type Place = HelpSection & { readonly at: OverviewFocus['at'] };

const places: readonly Place[] = [
  { at: 'lists', title: 'In both lists', keys: namesOf([...lists, suspend]) },
  { at: 'filter', title: 'While a filter is typed', keys: namesOf(filter) },
  { at: 'help', title: 'While keys are listed', keys: namesOf(help) },
  { at: 'start', title: 'Before a sprint is run', keys: namesOf(start) },
  { at: 'palette', title: 'Among the commands', keys: namesOf(palette) },
  { at: 'result', title: 'While a command shows what it says', keys: namesOf(result) },
];

/** The keys that have this text in them; without one, those of where they were asked for, and of the lists. */
export function overviewHelp({ back, find: { text } }: HelpFocus<OverviewFocus>): HelpSection[] {
  if (text !== '') return foundSections(places, text);
  return places
    .filter(({ at }) => at === back.at || at === 'lists')
    .toSorted((one, other) => Number(other.at === back.at) - Number(one.at === back.at));
}

/**
 * All keys of the overview.
 *
 * @internal for docs/tui.md
 */
export function allOverviewKeys(): readonly HelpSection[] {
  return places;
}

function moveBy(move: Move): OverviewAct {
  return (state, { room }) => {
    const to = (at: number, page: number, count: number) =>
      clamp(Math.max(0, at) + stepOf(move, page, count), 0, count - 1);
    if (currentArea(state) === 'inbox') {
      const items = shownInbox(state);
      const at = items.findIndex(({ id }) => id === pickedItem(state)?.id);
      return { ...state, request: items[to(at, room.inboxPage, items.length)]?.id };
    }
    const rows = shownRows(state);
    const at = rows.findIndex(({ sprint }) => sprint.id === pickedRow(state)?.sprint.id);
    return { ...state, sprint: rows[to(at, room.sprintsPage, rows.length)]?.sprint.id };
  };
}

function otherList(state: OverviewState): OverviewState {
  return { ...state, area: currentArea(state) === 'inbox' ? 'sprints' : 'inbox' };
}

function enterItem(state: OverviewState, { emit }: OverviewContext): OverviewState {
  const item = pickedItem(state);
  if (item) emit({ type: 'enter', sprint: item.sprint, question: item.id });
  return state;
}

function enterSprint(state: OverviewState, { emit }: OverviewContext): OverviewState {
  const row = pickedRow(state);
  if (row) emit({ type: 'enter', sprint: row.sprint.id });
  return toLists(state);
}

function offerRun(state: OverviewState): OverviewState {
  const row = pickedRow(state);
  return row ? { ...state, focus: { at: 'start', sprint: row.sprint.id, isArmed: false } } : state;
}

function sayMissing(state: OverviewState): OverviewState {
  const text = `No agent is configured. ${missingOf(state)}`;
  return { ...state, notice: { tone: 'warning', text } };
}

function run(state: OverviewState, { emit }: OverviewContext): OverviewState {
  if (state.focus.at === 'start') emit({ type: 'run', sprint: state.focus.sprint });
  return toLists(state);
}

/** Back to where they were asked for. What is confirmed there is looked at again first. */
function closeHelp(state: OverviewState): OverviewState {
  return state.focus.at === 'help' ? { ...state, focus: disarmed(state.focus.back) } : state;
}

function scrollHelp(by: number): OverviewAct {
  return (state, { room }) =>
    state.focus.at === 'help'
      ? { ...state, focus: { ...state.focus, top: scrolled(state.focus.top, by, room.helpMax) } }
      : state;
}
