import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { type ScreenState, canEdit, currentQuestion, hidesPart } from '../screen/screen-state.ts';
import { currentDraft, isTyping } from '../screen/drafts.ts';
import type { WideScope } from '../screen/focus.ts';
import { actKeys, reasonKeys, sureKeys } from './act-keys.ts';
import { optionKeys } from './answer-keys.ts';
import { backToSummary, overKeys } from './over-keys.ts';
import type { Act, Action, Binding, Situation } from './binding.ts';
import {
  browseKeys,
  commonKeys,
  detailKeys,
  filterKeys,
  helpKeys,
  questionKeys,
  taskKeys,
  toOverview,
} from './browse-keys.ts';
import type { Area } from '../screen/browsing.ts';
import { goalKeys, intoPastKeys, pastKeys } from '../past/past-keys.ts';
import { asks, asksAboutCall, asksMore, dismiss, isBelow, owns, reject, watches } from './shared-keys.ts';

const isArmed = ({ state: { focus } }: Situation) =>
  (focus.at === 'confirm' || focus.at === 'stop') && focus.isArmed;
const mayChoose = ({ state: { focus } }: Situation) => focus.at === 'scope' && focus.isArmed;
const mayChooseScope = (scope: WideScope) => (now: Situation) =>
  mayChoose(now) && currentQuestion(now.state)?.scopes.includes(scope) === true;
const hasPicked = ({ state: { focus } }: Situation) => focus.at === 'scope' && focus.picked !== undefined;
const mayAllow = (now: Situation) => now.state.mayApprove && hasReadCall(now);
const mayEdit = (now: Situation) => mayAllow(now) && canEdit(now.state);
const hasSame = ({ state: { sprint, current } }: Situation) => alikeIn(sprint.open, current).length > 1;
const isListed = ({ state: { focus } }: Situation) => focus.at === 'batch' && focus.isArmed;
const mayAllowSame = (now: Situation) => isListed(now) && mayAllow(now);
const isOfBatch = ({ state: { focus } }: Situation) => focus.at === 'reject' && focus.back === 'batch';
const deniesOne = (now: Situation) => asksAboutCall(now) && !isOfBatch(now);
const hasTyped = ({ state }: Situation) => isTyping(state) && currentDraft(state).text !== '';
const mayReveal = ({ state }: Situation) => state.mayApprove && hidesPart(state);
const scrollQuestion: readonly Binding[] = [
  {
    keys: ['pagedown'],
    action: 'question-down',
    hint: ['PgDn', 'more'],
    when: (now) => now.canScrollQuestion,
  },
  { keys: ['pageup'], action: 'question-up' },
];
const scrollCall: readonly Binding[] = [
  {
    keys: ['down'],
    action: 'line-down',
    hint: ['↓/PgDn', 'more'],
    when: (now) => now.canScrollQuestion,
  },
  { keys: ['up'], action: 'line-up' },
  { keys: ['pagedown'], action: 'question-down' },
  { keys: ['pageup'], action: 'question-up' },
  { keys: ['end'], action: 'question-end' },
  { keys: ['home'], action: 'question-start' },
];
/** It closes the box, too, once nothing is typed in it: Esc is named for that. */
const closing: readonly Binding[] = [
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'clear'], when: hasTyped },
  { keys: ['ctrl+c'], action: 'force' },
];
/** What every place has. */
const everywhere: readonly Binding[] = [{ keys: ['ctrl+z'], action: 'suspend' }];
const newline: Binding = {
  keys: ['alt+enter', 'ctrl+j'],
  action: 'newline',
  hint: ['Alt+Enter', 'line'],
};
const interrupt: readonly Binding[] = [
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'clear'], when: hasTyped },
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'stop'], when: owns },
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'leave'], when: watches },
];

/** In the past there is nothing to decide. */
function ofNow(binding: Binding): Binding {
  return { ...binding, when: (now) => !now.state.past && applies(binding, now) };
}

/** The keys, by where they go. The first binding of a key that applies counts. */
const keymap: Readonly<Record<ScreenState['focus']['at'], readonly Binding[]>> = {
  sprint: [...pastKeys, ...browseKeys, ...[backToSummary, ...actKeys, ...intoPastKeys].map(ofNow)],
  over: [...overKeys, ...intoPastKeys],
  filter: filterKeys,
  goal: goalKeys,
  help: helpKeys,
  arming: [{ keys: ['ctrl+c'], action: 'force' }],
  answer: [
    { keys: ['enter'], action: 'submit', hint: ['Enter', 'answer'] },
    ...optionKeys,
    { keys: ['tab'], action: 'next-question', hint: ['Tab', 'next'], when: asksMore },
    { keys: ['shift+tab'], action: 'previous-question', when: asksMore },
    ...scrollQuestion,
    reject,
    dismiss,
    { keys: ['escape'], action: 'leave-box', hint: ['Esc', 'leave'] },
    ...interrupt,
    newline,
  ],
  reject: [
    { keys: ['enter'], action: 'send-same', hint: ['Enter', 'deny all'], when: isOfBatch },
    { keys: ['enter'], action: 'send-reason', hint: ['Enter', 'reject'], when: asks },
    { keys: ['enter'], action: 'send-reason', hint: ['Enter', 'deny'], when: deniesOne },
    { keys: ['escape'], action: 'leave-reason', hint: ['Esc', 'back'] },
    ...scrollQuestion,
    ...closing,
    newline,
  ],
  decide: [
    {
      keys: ['y', 'Y', 'a', 'A', 'e', 'E', 'x', 'X', 's', 'S'],
      action: 'refuse-agent',
      when: ({ state }) => !state.mayApprove,
    },
    {
      keys: ['y', 'Y'],
      action: 'allow',
      hint: ['Y', 'once'],
      help: ['Y', 'allow this call, once'],
      when: mayAllow,
    },
    {
      keys: ['n', 'N'],
      action: 'deny',
      hint: ['N', 'deny'],
      help: ['N', 'deny it, with a reason if you like'],
    },
    {
      keys: ['a', 'A'],
      action: 'choose-scope',
      hint: ['A', 'always…'],
      help: ['A', 'allow calls like it: in its task, in its sprint, or always'],
      when: mayAllow,
    },
    {
      keys: ['e', 'E'],
      action: 'edit',
      hint: ['E', 'edit…'],
      help: ['E', 'change it, and allow it so'],
      when: mayEdit,
    },
    {
      keys: ['r', 'R'],
      action: 'reveal',
      hint: ['R', 'reveal'],
      help: ['R', 'show what is hidden of it'],
      when: mayReveal,
    },
    { keys: ['y', 'Y', 'a', 'A', 'e', 'E'], action: 'read-first', when: (now) => !hasReadCall(now) },
    ...scrollCall,
    {
      keys: ['x', 'X'],
      action: 'explain',
      hint: ['X', 'ask'],
      help: ['X', 'send it back with a question to the agent'],
    },
    {
      keys: ['s', 'S'],
      action: 'list-same',
      hint: ['S', 'same…'],
      help: ['S', 'decide all that wait and are alike'],
      when: hasSame,
    },
    { keys: ['tab'], action: 'next-question', hint: ['Tab', 'next'], when: asksMore },
    { keys: ['shift+tab'], action: 'previous-question', when: asksMore },
    { keys: ['escape'], action: 'leave-box', hint: ['Esc', 'leave'] },
    ...interrupt,
  ],
  batch: [
    { keys: ['y', 'Y'], action: 'allow-same', hint: ['Y', 'allow all'], when: mayAllowSame },
    { keys: ['n', 'N'], action: 'deny-same', hint: ['N', 'deny all'], when: isListed },
    ...scrollCall,
    { keys: ['escape'], action: 'leave-card-box', hint: ['Esc', 'back'] },
    ...closing,
  ],
  explain: [
    { keys: ['enter'], action: 'send-question', hint: ['Enter', 'ask the agent'] },
    { keys: ['escape'], action: 'leave-card-box', hint: ['Esc', 'back'] },
    ...scrollQuestion,
    ...closing,
    newline,
  ],
  edit: [
    { keys: ['enter'], action: 'send-edit', hint: ['Enter', 'allow as changed'] },
    { keys: ['escape'], action: 'leave-card-box', hint: ['Esc', 'back'] },
    ...scrollQuestion,
    ...closing,
    newline,
  ],
  scope: [
    { keys: ['1'], action: 'scope-task', hint: ['1', 'task'], when: mayChooseScope('task') },
    { keys: ['2'], action: 'scope-sprint', hint: ['2', 'sprint'], when: mayChooseScope('sprint') },
    { keys: ['3'], action: 'scope-always', hint: ['3', 'always'], when: mayChooseScope('always') },
    { keys: ['down'], action: 'scope-down', hint: ['↑/↓', 'pick'], when: mayChoose },
    { keys: ['up'], action: 'scope-up', when: mayChoose },
    { keys: ['enter'], action: 'scope-picked', hint: ['Enter', 'allow'], when: hasPicked },
    ...scrollQuestion,
    { keys: ['escape'], action: 'leave-scope', hint: ['Esc', 'back'] },
    ...closing,
  ],
  act: reasonKeys,
  'act-sure': sureKeys,
  stop: [
    { keys: ['q'], action: 'stop-surely', hint: ['q', 'stop it'], when: isArmed },
    { keys: ['g'], action: 'detach', hint: ['g', 'go on without the screen'], when: isArmed },
    { keys: ['n', 'escape'], action: 'go-on', hint: ['Esc', 'stay'] },
    { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'stop it'] },
  ],
  confirm: [
    { keys: ['y'], action: 'confirm', hint: ['y', 'dismiss'], when: isArmed },
    { keys: ['n', 'escape'], action: 'refuse', hint: ['n', 'keep'] },
    { keys: ['ctrl+c'], action: 'force' },
  ],
};

/** Whether nothing of a tool call is below what was seen: an end that is out of sight may be what matters. */
export function hasReadCall({
  state,
  canScrollQuestion,
}: Pick<Situation, 'state' | 'canScrollQuestion'>): boolean {
  return !canScrollQuestion || (state.current !== undefined && state.readToEnd.has(state.current));
}

/** The action of a key where the focus is, if it has one there. */
export function actionOf(key: string, situation: Situation): Action | Act | undefined {
  return [...keymap[situation.state.focus.at], ...everywhere].find(
    (binding) => binding.keys.includes(key) && applies(binding, situation),
  )?.action;
}

/** What the hint line says now: the keys that are of use, in the order of the keymap. */
export function hintsOf(situation: Situation): (readonly [keys: string, what: string])[] {
  return keymap[situation.state.focus.at].flatMap((binding) =>
    binding.hint && applies(binding, situation) ? [binding.hint] : [],
  );
}

/** The keys of one place, as the help lists them. */
export type HelpSection = {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
};

/** All keys that a person may want to know of, where keys move first. */
export function helpSections({ state }: Pick<Situation, 'state'>): HelpSection[] {
  const { past, browsing, focus } = state;
  const here = past ? 'time' : focus.at === 'over' ? 'over' : browsing.area;
  return places
    .toSorted((one, other) => Number(other.at === here) - Number(one.at === here))
    .map(({ title, bindings }) => ({ title, keys: helpOf(bindings, othersThan(state)) }));
}

/**
 * The same, whatever the screen shows.
 *
 * @internal for docs/tui.md
 */
export function allKeys(): HelpSection[] {
  return places.map(({ title, bindings }) => ({ title, keys: helpOf(bindings) }));
}

type Place = {
  readonly title: string;
  readonly bindings: readonly Binding[];
  /** Where keys move for it to come first. */
  readonly at?: Area | 'time' | 'over';
};

const places: readonly Place[] = [
  { title: 'In the list of tasks', bindings: taskKeys, at: 'tasks' },
  { title: 'In the pane beside it', bindings: detailKeys, at: 'detail' },
  { title: 'While a filter is typed', bindings: filterKeys },
  { title: 'While a question waits', bindings: questionKeys, at: 'question' },
  { title: 'To decide about the sprint and the task that is picked', bindings: actKeys },
  { title: 'When the run is over', bindings: [...overKeys, backToSummary], at: 'over' },
  { title: 'Everywhere', bindings: [toOverview, ...commonKeys] },
  { title: 'In time', bindings: [...intoPastKeys, ...pastKeys], at: 'time' },
  { title: 'In the box of a question', bindings: keymap.answer },
  { title: 'On the card of a call', bindings: keymap.decide },
];

/** The conditions of keys that are of no use on this screen. */
function othersThan(state: ScreenState): readonly Binding['when'][] {
  return [owns({ state }) ? watches : owns, ...(state.isBelow ? [] : [isBelow])];
}

function helpOf(bindings: readonly Binding[], others: readonly Binding['when'][] = []): HelpSection['keys'] {
  const used = bindings.filter(({ when }) => !others.includes(when));
  const byKeys = Map.groupBy(
    used.flatMap(({ hint, help }) =>
      (help ?? hint) ? [{ text: help ?? hint ?? ['', ''], isHelp: help !== undefined }] : [],
    ),
    ({ text: [keys] }) => keys,
  );
  // What the last line says of a key in different situations is one line here.
  return [...byKeys].map(([keys, all]) => {
    const helps = all.filter(({ isHelp }) => isHelp);
    const texts = (helps.length > 0 ? helps : all).map(({ text: [, what] }) => what);
    return [keys, [...new Set(texts)].join(', or ')];
  });
}

function applies({ when }: Binding, situation: Situation): boolean {
  return when === undefined || when(situation);
}
