import { mayStart } from '../../views/who-runs.ts';
import type { HelpSection } from '../keys/keymap.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import {
  currentArea,
  pickedItem,
  pickedRow,
  shownInbox,
  shownRows,
  type OverviewEffect,
  type OverviewRoom,
  type OverviewState,
} from './overview-state.ts';

/** What a key can look at, and where what it wants done goes. */
export type OverviewContext = {
  readonly room: OverviewRoom;
  readonly emit: (effect: OverviewEffect) => void;
};

/** Keys of one action, and how the hint line and the help name them. */
type OverviewBinding = {
  readonly keys: readonly string[];
  readonly action: (state: OverviewState, context: OverviewContext) => OverviewState;
  /** Without one, the line does not mention it. */
  readonly hint?: readonly [keys: string, what: string];
  /** How the help names it, where the line has no room: it goes first there. */
  readonly help?: readonly [keys: string, what: string];
  /** When it can be used; always, when absent. */
  readonly when?: (state: OverviewState) => boolean;
};

type Move = (at: number, page: number, count: number) => number;

const moves = {
  up: (at) => at - 1,
  down: (at) => at + 1,
  'page-up': (at, page) => at - page,
  'page-down': (at, page) => at + page,
  start: () => 0,
  end: (_at, _page, count) => count - 1,
} as const satisfies Record<string, Move>;

const isInInbox = (state: OverviewState) => currentArea(state) === 'inbox';
const hasInbox = (state: OverviewState) => shownInbox(state).length > 0;
const isInSprints = (state: OverviewState) => !isInInbox(state) && pickedRow(state) !== undefined;
const isRunAtOnce = (state: OverviewState) => {
  const row = pickedRow(state);
  return isInSprints(state) && row !== undefined && mayStart(row.runs) === 'at-once';
};
const isRunnable = (state: OverviewState) => {
  const row = pickedRow(state);
  return isInSprints(state) && row !== undefined && mayStart(row.runs) !== 'no';
};
const isFiltered = ({ filter }: OverviewState) => filter.text !== '';
const isArmed = ({ focus }: OverviewState) => focus.at === 'start' && focus.isArmed;
/** Of what the log has not seen there is nothing to look at. */
const mayLook = (state: OverviewState) => !isInInbox(state) && pickedRow(state)?.sprint.inLog === true;

const moveKeys: readonly OverviewBinding[] = [
  { keys: ['up', 'k'], action: moveBy('up'), hint: ['↑/↓', 'move'] },
  { keys: ['down', 'j'], action: moveBy('down') },
  { keys: ['home', 'g'], action: moveBy('start'), help: ['Home/End', 'the first, the last'] },
  { keys: ['end', 'G'], action: moveBy('end') },
  { keys: ['pagedown'], action: moveBy('page-down'), help: ['PgUp/PgDn', 'a page'] },
  { keys: ['pageup'], action: moveBy('page-up') },
];

const leave: OverviewBinding = {
  keys: ['ctrl+c'],
  action: (state, { emit }) => {
    emit({ type: 'leave' });
    return state;
  },
};

const lists: readonly OverviewBinding[] = [
  ...moveKeys,
  {
    keys: ['enter', 'right', 'l'],
    action: enterItem,
    hint: ['Enter', 'look'],
    help: ['Enter', 'to what waits, on the screen of its sprint'],
    when: isInInbox,
  },
  {
    keys: ['enter'],
    action: offerRun,
    hint: ['Enter', 'run it…'],
    help: ['Enter', 'run a sprint that nobody runs, which is asked first'],
    when: isRunAtOnce,
  },
  {
    keys: ['enter'],
    action: enterSprint,
    hint: ['Enter', 'go in'],
    help: ['Enter', 'go into any other sprint: Esc or q comes back'],
    when: mayLook,
  },
  {
    keys: ['right', 'l'],
    action: enterSprint,
    help: ['→', 'go into a sprint, without starting anything'],
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
    when: isRunnable,
  },
  {
    keys: ['/'],
    action: (state) => ({ ...state, focus: { at: 'filter' } }),
    hint: ['/', 'filter'],
  },
  {
    keys: ['escape'],
    action: (state) => ({ ...state, filter: emptyBuffer }),
    hint: ['Esc', 'show all'],
    when: isFiltered,
  },
  { keys: ['?'], action: (state) => ({ ...state, focus: { at: 'help', top: 0 } }), hint: ['?', 'help'] },
  { ...leave, keys: ['q'], hint: ['q', 'leave'], help: ['q, ^C', 'leave: what runs goes on'] },
  leave,
];

const filter: readonly OverviewBinding[] = [
  { keys: ['enter'], action: toLists, hint: ['Enter', 'keep it'] },
  {
    keys: ['escape'],
    action: (state) => toLists({ ...state, filter: emptyBuffer }),
    hint: ['Esc', 'show all'],
  },
  { keys: ['up'], action: moveBy('up'), hint: ['↑/↓', 'move'] },
  { keys: ['down'], action: moveBy('down') },
  leave,
];

const start: readonly OverviewBinding[] = [
  { keys: ['enter', 'y'], action: run, hint: ['Enter', 'run it'], when: isArmed },
  { keys: ['w'], action: enterSprint, hint: ['w', 'only look at it'], when: mayLook },
  { keys: ['escape', 'n', 'q'], action: toLists, hint: ['Esc', 'back'] },
  leave,
];

const help: readonly OverviewBinding[] = [
  { keys: ['?', 'escape', 'q', 'enter'], action: toLists, hint: ['Esc', 'back'] },
  { keys: ['down', 'j'], action: scrollHelp(1), hint: ['↑/↓', 'more'] },
  { keys: ['up', 'k'], action: scrollHelp(-1) },
  { keys: ['pagedown'], action: scrollHelp(10) },
  { keys: ['pageup'], action: scrollHelp(-10) },
  leave,
];

const keymap: Readonly<Record<OverviewState['focus']['at'], readonly OverviewBinding[]>> = {
  lists,
  filter,
  start,
  help,
};

/** The action of a key where the focus is, if it has one there. The first binding that applies counts. */
export function overviewAction(key: string, state: OverviewState): OverviewBinding['action'] | undefined {
  return keymap[state.focus.at].find(({ keys, when }) => keys.includes(key) && (when?.(state) ?? true))
    ?.action;
}

/** What the hint line says now: the keys that are of use, in the order of the keymap. */
export function overviewHints(state: OverviewState): (readonly [keys: string, what: string])[] {
  const said = keymap[state.focus.at].flatMap(({ hint, when }) =>
    hint && (when?.(state) ?? true) ? [hint] : [],
  );
  // The first binding of a key is what it does; of two keys that do the same one says it.
  return said.filter(
    ([keys, what], at) => said.findIndex(([other, does]) => other === keys || does === what) === at,
  );
}

/** All keys of the overview. */
export function overviewHelp(): HelpSection[] {
  const of = (title: string, bindings: readonly OverviewBinding[]): HelpSection => {
    const named = bindings.flatMap(({ hint, help: name = hint }) => (name ? [name] : []));
    // Some are bound twice, for what they do then.
    return { title, keys: [...new Map(named.map((each) => [each.join(' '), each])).values()] };
  };
  return [
    of('In both lists', lists),
    of('While a filter is typed', filter),
    of('Before a sprint is run', start),
  ];
}

function moveBy(move: keyof typeof moves): OverviewBinding['action'] {
  return (state, { room }) => {
    const to = (at: number, page: number, count: number) =>
      Math.max(0, Math.min(moves[move](Math.max(0, at), Math.max(1, page - 1), count), count - 1));
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

function run(state: OverviewState, { emit }: OverviewContext): OverviewState {
  if (state.focus.at === 'start') emit({ type: 'run', sprint: state.focus.sprint });
  return toLists(state);
}

function toLists(state: OverviewState): OverviewState {
  return { ...state, focus: { at: 'lists' } };
}

function scrollHelp(by: number): OverviewBinding['action'] {
  return (state, { room }) =>
    state.focus.at === 'help'
      ? { ...state, focus: { at: 'help', top: Math.max(0, Math.min(state.focus.top + by, room.helpMax)) } }
      : state;
}
