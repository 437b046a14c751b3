import { allPanes } from '../panes/all-panes.ts';
import { hasCursor } from '../panes/pane.ts';
import { currentPane, placeKey, shownTask, withArea, withFilter, type Area } from '../screen/browsing.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import type { Act, Binding, Situation } from './binding.ts';
import { followWork, moveInDetail, openLine, otherArea, pickTask, showPane, stepBack } from './browse.ts';
import { asks, asksAboutCall, asksMore, dismiss, isBelow, owns, reject, watches } from './shared-keys.ts';

const isIn = (area: Area) => (now: Situation) => now.state.browsing.area === area;
const inQuestion = isIn('question');
const inTasks = isIn('tasks');
const inDetail = isIn('detail');
const hasPicked = (now: Situation) => inTasks(now) && now.state.browsing.task !== undefined;

/** A line of a list is shown whole. */
const isOpened = ({ state }: Situation) =>
  state.browsing.opened.has(placeKey(state.browsing.pane, shownTask(state)));

/** Keys in the list of tasks. */
export const taskKeys: readonly Binding[] = [
  {
    keys: ['up', 'k'],
    action: (state, { room }) => pickTask(state, 'up', room),
    hint: ['↑/↓', 'pick a task'],
    when: inTasks,
  },
  { keys: ['down', 'j'], action: (state, { room }) => pickTask(state, 'down', room), when: inTasks },
  {
    keys: ['home', 'g'],
    action: (state, { room }) => pickTask(state, 'start', room),
    help: ['Home/End', 'first, last task'],
    when: inTasks,
  },
  { keys: ['end', 'G'], action: (state, { room }) => pickTask(state, 'end', room), when: inTasks },
  {
    keys: ['enter', 'l'],
    action: (state) => withArea(state, 'detail'),
    hint: ['Enter', 'look into it'],
    when: (now) => inTasks(now) && !asks(now),
  },
  { keys: ['escape'], action: followWork, hint: ['Esc', 'follow the work'], when: hasPicked },
];

/** Keys in the pane beside them. */
export const detailKeys: readonly Binding[] = [
  {
    keys: ['up', 'k'],
    action: (state, { room }) => moveInDetail(state, 'up', room),
    hint: ['↑/↓', 'move'],
    help: ['↑/↓', 'a row, or a line of a list, up or down'],
    when: inDetail,
  },
  { keys: ['down', 'j'], action: (state, { room }) => moveInDetail(state, 'down', room), when: inDetail },
  {
    keys: ['home', 'g'],
    action: (state, { room }) => moveInDetail(state, 'start', room),
    help: ['Home/End', 'its beginning, its end; at the end of output, follow it'],
    when: inDetail,
  },
  { keys: ['end', 'G'], action: (state, { room }) => moveInDetail(state, 'end', room), when: inDetail },
  {
    keys: ['enter'],
    action: (state, { room }) => openLine(state, room),
    hint: ['Enter', 'all of it'],
    help: ['Enter', 'all of the line of a list'],
    when: (now) => inDetail(now) && hasCursor(currentPane(now.state).kind),
  },
  {
    keys: ['l', ']'],
    action: (state) => showPane(state, 'next'),
    hint: ['h/l', 'pane'],
    help: ['h/l', 'the pane before, the next one'],
    when: inDetail,
  },
  { keys: ['h', '['], action: (state) => showPane(state, 'previous'), when: inDetail },
  {
    keys: ['/'],
    action: (state) => ({ ...state, focus: { at: 'filter' } }),
    hint: ['/', 'filter'],
    help: ['/', 'leave out what does not have a text in it'],
    when: (now) => inDetail(now) && !isOpened(now),
  },
  {
    keys: ['escape'],
    action: (state, { room }) => stepBack(state, room),
    hint: ['Esc', 'back'],
    when: inDetail,
  },
];

/** Keys that are the same wherever one is. */
export const commonKeys: readonly Binding[] = [
  {
    keys: ['tab', 'v'],
    action: (state) => otherArea(state, 1),
    hint: ['Tab', 'switch'],
    help: ['Tab', 'to the next part: question, tasks, pane'],
  },
  { keys: ['shift+tab'], action: (state) => otherArea(state, -1) },
  ...allPanes.map(({ title, about }, at): Binding => ({
    keys: [`${at + 1}`],
    action: (state) => showPane(state, at + 1),
    help: [`${at + 1}`, `${title}: ${about}`],
  })),
  {
    keys: ['pagedown'],
    action: (state, { room }) => moveInDetail(state, 'page-down', room),
    help: ['PgUp/PgDn', 'a page of what is shown'],
  },
  { keys: ['pageup'], action: (state, { room }) => moveInDetail(state, 'page-up', room) },
  { keys: ['?'], action: (state) => ({ ...state, focus: { at: 'help', top: 0 } }), hint: ['?', 'help'] },
  { keys: ['q'], action: 'stop', hint: ['q', 'stop'], when: owns },
  { keys: ['q'], action: 'stop', hint: ['q', 'leave'], when: watches },
  {
    keys: ['ctrl+c'],
    action: 'force',
    help: ['^C', 'clear what is typed, close a box; then stop, or leave'],
  },
  { keys: ['ctrl+z'], action: 'suspend', help: ['^Z', 'back to the shell, until fg'] },
];

/** Keys while a question waits whose box was left. */
export const questionKeys: readonly Binding[] = [
  { keys: ['i'], action: 'enter-box', hint: ['i', 'answer'], when: asks },
  { keys: ['enter'], action: 'enter-box', when: (now) => asks(now) && !inDetail(now) },
  { keys: ['i'], action: 'enter-box', hint: ['i', 'decide'], when: asksAboutCall },
  { keys: ['n'], action: 'next-question', hint: ['n/p', 'other question'], when: asksMore },
  { keys: ['p'], action: 'previous-question', when: asksMore },
  reject,
  dismiss,
  {
    keys: ['pagedown', 'down', 'j'],
    action: 'question-down',
    hint: ['PgDn', 'more'],
    when: (now) => inQuestion(now) && now.canScrollQuestion,
  },
  { keys: ['pageup', 'up', 'k'], action: 'question-up', when: inQuestion },
];

/** The way back to the overview of all sprints. */
export const toOverview: Binding = {
  keys: ['escape'],
  action: 'stop',
  hint: ['Esc', 'overview'],
  when: isBelow,
};

/** Keys while nothing is typed. */
export const browseKeys: readonly Binding[] = [
  toOverview,
  ...questionKeys,
  ...taskKeys,
  ...detailKeys,
  ...commonKeys,
];

/** Keys while a filter is typed: what is shown follows each of them. */
export const filterKeys: readonly Binding[] = [
  { keys: ['enter'], action: (state) => ({ ...state, focus: { at: 'sprint' } }), hint: ['Enter', 'keep it'] },
  {
    keys: ['escape'],
    action: (state) => ({ ...withFilter(state, emptyBuffer), focus: { at: 'sprint' } }),
    hint: ['Esc', 'show all'],
  },
  { keys: ['up'], action: (state, { room }) => moveInDetail(state, 'up', room), hint: ['↑/↓', 'move'] },
  { keys: ['down'], action: (state, { room }) => moveInDetail(state, 'down', room) },
  { keys: ['ctrl+c'], action: 'force' },
];

const scrollHelp =
  (by: number): Act =>
  (state, { room }) =>
    state.focus.at === 'help'
      ? { ...state, focus: { at: 'help', top: Math.max(0, Math.min(state.focus.top + by, room.helpMax)) } }
      : state;

/** Keys while the keys are listed. */
export const helpKeys: readonly Binding[] = [
  {
    keys: ['?', 'escape', 'q', 'enter'],
    action: (state) => ({ ...state, focus: { at: 'sprint' } }),
    hint: ['Esc', 'back'],
  },
  { keys: ['down', 'j'], action: scrollHelp(1), hint: ['↑/↓', 'more'] },
  { keys: ['up', 'k'], action: scrollHelp(-1) },
  { keys: ['pagedown'], action: scrollHelp(10) },
  { keys: ['pageup'], action: scrollHelp(-10) },
  { keys: ['ctrl+c'], action: 'force' },
];
