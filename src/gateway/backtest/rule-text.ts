import { count } from '../../lib/text/count.ts';
import type { CallOutcome, RecordedCall } from './recorded-call.ts';
import type { SuggestedRule } from './suggest-rules.ts';

/** What became of calls, for people. */
export const outcomeText: Readonly<Record<CallOutcome['is'], string>> = {
  approved: 'a human allowed',
  denied: 'a human denied',
  ran: 'a rule let run',
  stopped: 'a rule denied',
  unattended: 'nobody was there to be asked about',
  undecided: 'nobody decided',
  unasked: 'an agent made, asking nobody',
};

/** A rule as it stands in `mcp.json`, on one line. */
export function ruleJson({ rule, decision }: Pick<SuggestedRule, 'rule' | 'decision'>): string {
  return JSON.stringify({ ...rule, decision }, null, 1).replaceAll(/\n */g, ' ');
}

/** What a rule would have matched besides the calls that it is made from: `no other call`, `2 others: 2 a rule let run`. */
export function othersText({ others }: Pick<SuggestedRule, 'others'>): string {
  if (others.length === 0) return 'no other call';
  return `${count(others.length, 'other call')}: ${outcomesText(others)}`;
}

/** `3 a human allowed, 1 nobody decided`. */
function outcomesText(calls: readonly RecordedCall[]): string {
  const found = Map.groupBy(calls, ({ outcome }) => outcome.is);
  return [...found].map(([is, { length }]) => `${length} ${outcomeText[is]}`).join(', ');
}

/** What the card of a call offers: the rule, what else it would have matched in this log, and how to take it. */
export function offerLines(offer: SuggestedRule): readonly string[] {
  const { answers, decision, list, rule } = offer;
  const isAllowed = decision === 'allow';
  const isWholeTool = list === 'rules' && rule.args === undefined;
  const [did, never] = isAllowed ? ['allowed', 'denied'] : ['denied', 'allowed'];
  return [
    `humans ${did} ${count(answers.length, 'call')} like it, and ${never} none. The rule:`,
    ruleJson(offer),
    `it would have matched ${othersText(offer)} in this log`,
    'to have it in mcp.json: clifford policy suggest --write',
    ...(isAllowed && isWholeTool ? ['or allow this call always, until the tool is defined anew'] : []),
  ];
}
