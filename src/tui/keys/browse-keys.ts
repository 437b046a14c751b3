import { allPanes } from '../panes/all-panes.ts';
import { hasCursor } from '../panes/pane.ts';
import {
  currentPane,
  placeKey,
  shownTask,
  taskFilter,
  withArea,
  withFilter,
  type Area,
} from '../screen/browsing.ts';
import type { Focus } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import type { Act, Binding, Situation } from './binding.ts';
import {
  canMoveIn,
  followWork,
  moveHere,
  moveInDetail,
  openLine,
  otherArea,
  pickTask,
  showPane,
  stepBack,
} from './browse.ts';
import { helpWith, type HelpFocus } from './help-focus.ts';
import { leaveKeys, suspendKey, toOverview } from './leave-keys.ts';
import { filterKeys, helpKeys, moveKeys, scrolled, type Move } from './list-keys.ts';
import { closeHelp, openHelp } from './open-help.ts';
import { sift } from './pane-find.ts';
import { questionKeys } from './question-keys.ts';
import { asks, followsWork } from './shared-keys.ts';

const filterHere: Act = (state) => ({ ...state, focus: { at: 'filter' } });
const isIn = (area: Area) => (now: Situation) => now.state.browsing.area === area;
const inTasks = isIn('tasks');
const inDetail = isIn('detail');
const hasPicked = (now: Situation) =>
  inTasks(now) && now.state.browsing.task !== undefined && followsWork(now);
const isFiltered = (now: Situation) => inTasks(now) && taskFilter(now.state).text !== '';
/** More than a glance takes in. */
const hasManyTasks = (now: Situation) => inTasks(now) && now.state.sprint.tasks.length > 9;

/** A line of a list is shown whole. */
const isOpened = ({ state }: Situation) =>
  state.browsing.opened.has(placeKey(state.browsing.pane, shownTask(state)));

const pick =
  (move: Move): Act =>
  (state, { room }) =>
    pickTask(state, move, room);
const moveInPane =
  (move: Move): Act =>
  (state, { room }) =>
    moveInDetail(state, move, room);
const moveInShown =
  (move: Move): Act =>
  (state, { room }) =>
    moveHere(state, move, room);
const toSprint = (state: ScreenState): ScreenState => ({ ...state, focus: { at: 'sprint' } });

/** Of a question that is seen whole nothing moves: the keys that would move it lead to the tasks. */
const mayLeaveQuestion = (now: Situation) => isIn('question')(now) && !now.canScrollQuestion;

const leaveQuestionKeys: readonly Binding[] = moveKeys(
  (move): Act =>
    (state, { room }) =>
      withArea(pickTask(state, move, room), 'tasks'),
  { lines: { hint: ['↑/↓', 'pick'] } },
  mayLeaveQuestion,
);

/** Keys in the list of tasks. */
export const taskKeys: readonly Binding[] = [
  ...moveKeys(
    pick,
    {
      lines: { hint: ['↑/↓', 'pick'], help: ['↑/↓', 'pick a task'] },
      ends: { help: ['Home/End', 'first, last task'] },
    },
    inTasks,
  ),
  {
    keys: ['enter', 'l'],
    action: (state) => withArea(state, 'detail'),
    hint: ['Enter', 'look into it'],
    when: (now) => inTasks(now) && !asks(now),
  },
  {
    keys: ['/'],
    action: filterHere,
    hint: ['/', 'filter'],
    help: ['/', 'list only tasks with this text in their id, title or state'],
    group: 'Show',
    when: hasManyTasks,
  },
  { keys: ['/'], action: filterHere, when: inTasks },
  { keys: ['escape'], action: followWork, hint: ['Esc', 'show all'], when: isFiltered },
  { keys: ['escape'], action: followWork, hint: ['Esc', 'follow the work'], when: hasPicked },
];

/** Keys in the pane beside them. */
export const detailKeys: readonly Binding[] = [
  ...moveKeys(
    moveInPane,
    {
      lines: {
        hint: ['↑/↓', 'move'],
        help: ['↑/↓', 'up or down a row, or a line of a list'],
        moves: ({ detail }) => detail !== undefined && canMoveIn(detail),
      },
      ends: { help: ['Home/End', 'its beginning, its end; at the end of output, follow it'] },
    },
    inDetail,
  ),
  {
    keys: ['enter'],
    action: (state, { room }) => openLine(state, room),
    hint: ['Enter', 'in full'],
    help: ['Enter', 'show the selected line in full'],
    when: (now) => inDetail(now) && hasCursor(currentPane(now.state).kind) && !isOpened(now),
  },
  {
    keys: ['l', ']'],
    action: (state) => showPane(state, 'next'),
    hint: ['h/l', 'pane'],
    help: ['h/l', 'the previous or next pane'],
    group: 'Show',
    when: inDetail,
  },
  { keys: ['h', '['], action: (state) => showPane(state, 'previous'), when: inDetail },
  {
    keys: ['/'],
    action: sift,
    hint: ['/', 'filter'],
    help: ['/', 'show only lines with this text'],
    group: 'Show',
    when: (now) => inDetail(now) && !isOpened(now),
  },
  {
    keys: ['escape'],
    action: (state, { room }) => stepBack(state, room),
    hint: ['Esc', 'back'],
    when: inDetail,
  },
];

/** Keys that lead into a pane: from the summary of a run, too. */
export const paneKeys: readonly Binding[] = allPanes.map(({ title, about }, at) => ({
  keys: [`${at + 1}`],
  action: (state) => showPane(toSprint(state), at + 1),
  help: [`${at + 1}`, `${title}: ${about}`],
  group: 'Show',
}));

/** Keys that are the same wherever one is. */
export const commonKeys: readonly Binding[] = [
  {
    keys: ['tab', 'v'],
    action: (state) => otherArea(state, 1),
    hint: ['Tab', 'switch'],
    help: ['Tab', 'the next part: question, tasks, pane'],
  },
  { keys: ['shift+tab'], action: (state) => otherArea(state, -1) },
  ...paneKeys,
  ...moveKeys(moveInPane, { pages: { help: ['PgUp/PgDn', 'a page of what is shown'] } }),
  openHelp,
  ...leaveKeys,
  suspendKey,
];

/** Keys while nothing is typed: those of the part that has them come before those of a question beside it. */
export const browseKeys: readonly Binding[] = [
  toOverview,
  ...taskKeys,
  ...detailKeys,
  ...questionKeys,
  ...leaveQuestionKeys,
  ...commonKeys,
];

/** Keys while a filter is typed. */
export const paneFilterKeys: readonly Binding[] = [
  ...filterKeys(toSprint, (state: ScreenState) => toSprint(withFilter(state, emptyBuffer)), moveInShown),
  { keys: ['ctrl+c'], action: 'force' },
];

const scrollHelp =
  (by: number): Act =>
  (state, { room }) =>
    state.focus.at === 'help'
      ? { ...state, focus: { ...state.focus, top: scrolled(state.focus.top, by, room.helpMax) } }
      : state;

const inHelp =
  (change: (focus: HelpFocus<Focus>) => HelpFocus<Focus>): Act =>
  (state) =>
    state.focus.at === 'help' ? { ...state, focus: change(state.focus) } : state;

/** Keys while the keys are listed. */
export const keysOfHelp: readonly Binding[] = [
  ...helpKeys<Situation, Act>({
    focusIn: ({ state: { focus } }) => (focus.at === 'help' ? focus : undefined),
    back: closeHelp,
    scroll: scrollHelp,
    find: inHelp((focus) => ({ ...focus, isFinding: true })),
    keep: inHelp((focus) => ({ ...focus, isFinding: false })),
    clear: inHelp((focus) => ({ ...helpWith(focus, emptyBuffer), isFinding: false })),
  }),
  { keys: ['ctrl+c'], action: 'force' },
];
