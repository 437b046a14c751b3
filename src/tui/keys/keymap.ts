import { paletteKey, paletteKeys, resultKeys } from '../palette/palette-keys.ts';
import { goalKeys, intoPastKeys, nothingToDecide, pastKeys } from '../past/past-keys.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { actKeys, beginKey, reasonKeys, sureKeys } from './act-keys.ts';
import type { Act, Action, Binding, KeyName, Scrollable, Situation } from './binding.ts';
import { browseKeys, keysOfHelp, paneFilterKeys, paneKeys } from './browse-keys.ts';
import { batchKeys, decideKeys, editKeys, explainKeys, scopeKeys } from './call-keys.ts';
import { actionFor, hintsFor, only, usable } from './find-binding.ts';
import { closedKeys } from './closed-keys.ts';
import { stopKeys, suspendKey } from './leave-keys.ts';
import { backToSummary, overKeys } from './over-keys.ts';
import { paneFindKeys } from './pane-find.ts';
import { answerKeys, confirmKeys, rejectKeys, rephraseKeys } from './question-keys.ts';

/** In the past there is nothing to decide. */
const isNow = ({ state }: Situation) => !state.past;
const beginNow = only(isNow, beginKey);
/** In the order of their hints: where to look comes before what ends something. */
const nowKeys = [backToSummary, ...intoPastKeys, ...actKeys].map((binding) => only(isNow, binding));

/**
 * The keys, by where they go. The first binding of a key that applies counts.
 *
 * @internal for the test that presses each of them
 */
export const keymap: Readonly<Record<ScreenState['focus']['at'], readonly Binding[]>> = {
  sprint: [...pastKeys, ...paneFindKeys, beginNow, ...browseKeys, ...nowKeys, paletteKey, nothingToDecide],
  palette: paletteKeys,
  result: resultKeys,
  over: [...overKeys, ...paneKeys, ...intoPastKeys, paletteKey],
  filter: paneFilterKeys,
  goal: goalKeys,
  help: keysOfHelp,
  arming: [{ keys: ['ctrl+c'], action: 'force' }],
  closed: closedKeys,
  answer: answerKeys,
  reject: rejectKeys,
  rephrase: rephraseKeys,
  decide: decideKeys,
  batch: batchKeys,
  explain: explainKeys,
  edit: editKeys,
  scope: scopeKeys,
  act: reasonKeys,
  'act-sure': sureKeys,
  stop: stopKeys,
  confirm: confirmKeys,
};

/** The action of a key where the focus is, if it has one there. */
export function actionOf(key: string, situation: Situation): Action | Act | undefined {
  return actionFor([...keymap[situation.state.focus.at], suspendKey], key, situation);
}

/** The bindings that do something now, each key by the first. */
export function usableAt(situation: Situation): readonly Binding[] {
  return usable([...keymap[situation.state.focus.at], suspendKey], situation);
}

/** What the hint line says now. */
export function hintsOf(situation: Situation, room: Scrollable): KeyName[] {
  return hintsFor(keymap[situation.state.focus.at], situation, room);
}
