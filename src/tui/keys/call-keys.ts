import { alikeIn } from '../../gateway/permission/same-shape.ts';
import type { WideScope } from '../screen/focus.ts';
import { canEdit, currentQuestion, hidesPart } from '../screen/current-question.ts';
import { isCompared } from '../feed/is-compared.ts';
import type { Act, Binding, Situation } from './binding.ts';
import { openHelp, openHelpUnnamed } from './open-help.ts';
import { closing, closingCard, interruptingCard, scrollQuestion, toOthers } from './shared-keys.ts';
import { textKeys } from './text-keys.ts';

/** Whether nothing of a tool call is missing, or below what was seen: an end that is out of sight may be what matters. */
export function hasReadCall({
  state,
  canScrollQuestion,
}: Pick<Situation, 'state' | 'canScrollQuestion'>): boolean {
  if (!isCompared(state)) return false;
  return !canScrollQuestion || (state.current !== undefined && state.readToEnd.has(state.current));
}

const mayAllow = (now: Situation) => now.state.mayApprove && hasReadCall(now);
const mayEdit = (now: Situation) => mayAllow(now) && canEdit(now.state);
const mayReveal = ({ state }: Situation) => state.mayApprove && hidesPart(state);
const hasSame = ({ state: { sprint, current } }: Situation) => alikeIn(sprint.open, current).length > 1;

/** Shows the unchanged lines of a call that are left out. */
export const UNFOLD_KEY = 'U';

const hidesUnchanged = ({ state: { folded, current } }: Situation) =>
  current !== undefined && folded.has(current);

/** What stood above them stays where it is. */
const unfold: Act = (state) => ({
  ...state,
  folded: new Set([...state.folded].filter((id) => id !== state.current)),
});

const scrollCall: readonly Binding[] = [
  {
    keys: ['down'],
    action: 'line-down',
    hint: ['↓/PgDn', 'more'],
    help: ['↓/PgDn', 'scroll on, to the end of the call'],
    when: (now) => now.canScrollQuestion,
  },
  { keys: ['up'], action: 'line-up' },
  { keys: ['pagedown'], action: 'question-down' },
  { keys: ['pageup'], action: 'question-up' },
  { keys: ['end'], action: 'question-end' },
  { keys: ['home'], action: 'question-start' },
];

/**
 * Keys on the card of a call. A letter that ends, retries or tells something about a task is none of them: which of both has the
 * keys is one Tab away.
 */
export const decideKeys: readonly Binding[] = [
  {
    keys: ['y', 'Y', 'a', 'A', 'e', 'E', 'w', 'W', 's', 'S'],
    action: 'refuse-agent',
    when: ({ state }) => !state.mayApprove,
  },
  {
    keys: ['y', 'Y'],
    action: 'allow',
    hint: ['Y', 'allow once'],
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
    help: ['A', 'allow calls like it: in this task, in this sprint, or always'],
    when: mayAllow,
  },
  {
    keys: ['e', 'E'],
    action: 'edit',
    hint: ['E', 'edit…'],
    help: ['E', 'change it, and allow it as changed'],
    when: mayEdit,
  },
  {
    keys: ['s', 'S'],
    action: 'list-same',
    hint: ['S', 'same…'],
    help: ['S', 'decide all waiting calls that are alike'],
    when: hasSame,
  },
  {
    keys: ['h', 'H'],
    action: 'reveal',
    hint: ['H', 'reveal'],
    help: ['H', 'show what is hidden in it'],
    when: mayReveal,
  },
  {
    keys: ['u', UNFOLD_KEY],
    action: unfold,
    hint: [UNFOLD_KEY, 'unfold'],
    help: [UNFOLD_KEY, 'show the unchanged lines that are left out'],
    when: hidesUnchanged,
  },
  { keys: ['y', 'Y', 'a', 'A', 'e', 'E'], action: 'read-first', when: (now) => !hasReadCall(now) },
  ...scrollCall,
  {
    keys: ['w', 'W'],
    action: 'explain',
    hint: ['W', 'ask'],
    help: ['W', 'ask the agent why: the call is sent back with a question'],
  },
  ...toOthers,
  { keys: ['escape'], action: 'close-box', hint: ['Esc', 'back'] },
  openHelp,
  ...interruptingCard,
];

const isListed = ({ state: { focus } }: Situation) => focus.at === 'batch' && focus.isArmed;
const mayAllowSame = (now: Situation) => isListed(now) && mayAllow(now);

/** Keys while calls that are alike are listed. */
export const batchKeys: readonly Binding[] = [
  { keys: ['y', 'Y'], action: 'allow-same', hint: ['Y', 'allow all'], when: mayAllowSame },
  { keys: ['n', 'N'], action: 'deny-same', hint: ['N', 'deny all'], when: isListed },
  { keys: ['y', 'Y'], action: 'read-first', when: (now) => isListed(now) && !hasReadCall(now) },
  ...scrollCall,
  { keys: ['escape'], action: 'close-card-box', hint: ['Esc', 'back'] },
  openHelpUnnamed,
  closingCard,
];

/** Keys of a box on the card, before which stands what Enter does there. */
const inBox: readonly Binding[] = [
  { keys: ['escape'], action: 'close-card-box', hint: ['Esc', 'back'] },
  ...scrollQuestion,
  ...closing,
  ...textKeys,
];

/** Keys while a question to the agent is typed. */
export const explainKeys: readonly Binding[] = [
  { keys: ['enter'], action: 'send-question', hint: ['Enter', 'ask the agent'] },
  ...inBox,
];

/** Keys while the call is changed. */
export const editKeys: readonly Binding[] = [
  { keys: ['enter'], action: 'send-edit', hint: ['Enter', 'allow as changed'] },
  ...inBox,
];

const mayChoose = ({ state: { focus } }: Situation) => focus.at === 'scope' && focus.isArmed;
const mayChooseScope = (scope: WideScope) => (now: Situation) =>
  mayChoose(now) && currentQuestion(now.state)?.scopes.includes(scope) === true;
const hasPicked = (now: Situation) =>
  mayChoose(now) && now.state.focus.at === 'scope' && now.state.focus.picked !== undefined;

/** Keys while it is chosen which calls a yes is for. */
export const scopeKeys: readonly Binding[] = [
  { keys: ['1'], action: 'scope-task', hint: ['1', 'task'], when: mayChooseScope('task') },
  { keys: ['2'], action: 'scope-sprint', hint: ['2', 'sprint'], when: mayChooseScope('sprint') },
  { keys: ['3'], action: 'scope-always', hint: ['3', 'always'], when: mayChooseScope('always') },
  { keys: ['down'], action: 'scope-down', hint: ['↑/↓', 'pick'], when: mayChoose },
  { keys: ['up'], action: 'scope-up', when: mayChoose },
  { keys: ['enter'], action: 'scope-picked', hint: ['Enter', 'allow'], when: hasPicked },
  ...scrollQuestion,
  { keys: ['escape'], action: 'close-scope', hint: ['Esc', 'back'] },
  openHelpUnnamed,
  closingCard,
];
