import { othersText, ruleJson } from '../../gateway/backtest/rule-text.ts';
import { humansWord, type RecordedCall } from '../../gateway/backtest/recorded-call.ts';
import { suggestRules, type SuggestedRule } from '../../gateway/backtest/suggest-rules.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Cli } from '../cli.ts';
import { findMcpPlace } from '../mcp/mcp-place.ts';
import { callRecord } from './call-record.ts';
import { hanging } from '../text/paragraph.ts';
import { writeRules } from './write-rules.ts';
import { callsIn, groundOf, policyInFile } from './policy-in-question.ts';

export type PolicySuggestOptions = {
  readonly sprint?: string;
  readonly json?: true;
  readonly write?: true;
  readonly yes?: true;
};

/**
 * Prints the rules that would have given the answers of humans: what is printed is a file for `policy test --rules`. With
 * `write` they are put into `mcp.json`.
 *
 * @throws {CliffordError} `NO_PROJECT`, `POLICY_UNREADABLE`, `SPRINT_UNKNOWN`, `NO_HISTORY`, and as {@link writeRules}.
 */
export async function policySuggest(
  cli: Cli,
  { sprint, json, write, yes }: PolicySuggestOptions,
): Promise<void> {
  const place = await findMcpPlace(cli);
  const policy = policyInFile(place);
  const calls = await callsIn(cli, sprint);
  const suggested = suggestRules({ calls, policy, ground: groundOf(cli, place) });
  if (json) return cli.printJson({ rules: suggested.map(ruleRecord), ...groundsOf(calls) });
  if (suggested.length === 0) return whyNone(groundsOf(calls)).forEach(cli.note);
  if (write) {
    for (const rule of suggested)
      cli.print(hanging(cli, '', visibleLine(`${ruleJson(rule)}: ${matchTexts(rule).join(' ')}`)));
    return writeRules(cli, place, suggested, { yes: yes === true });
  }
  cli.printLines(fileLines(suggested));
  return cli.note('nothing was written: put the rules you want into the policy of mcp.json, or add --write');
}

/** What rules could be made from: how many calls there are, how many humans answered, and of how many nobody was asked. */
type Grounds = { readonly calls: number; readonly answered: number; readonly unattended: number };

function groundsOf(calls: readonly RecordedCall[]): Grounds {
  return {
    calls: calls.length,
    answered: calls.filter((call) => humansWord(call) !== undefined).length,
    unattended: calls.filter(({ outcome }) => outcome.is === 'unattended').length,
  };
}

/** Why there is no rule, and what would make one, a line each. */
function whyNone({ calls, answered, unattended }: Grounds): string[] {
  const asked = 'a rule needs three or more calls of one kind that were all answered the same way';
  const silent = `${count(unattended, 'call')} ran or ${unattended === 1 ? 'was' : 'were'} denied without a human, since "ask" is "nothing"`;
  if (calls === 0)
    return ['no rule is suggested: the log has no calls of agents, so there are no answers to go by'];
  return [
    answered === 0
      ? `no rule is suggested: no human has answered any of ${count(calls, 'call')}, so there are no answers to go by`
      : `no rule is suggested beyond what the policy already says: the log has ${count(answered, 'answer')}, and ${asked}`,
    ...(unattended === 0 ? [] : [silent]),
    ...(answered > 0
      ? []
      : [
          `${asked}. ${unattended === 0 ? 'Answer what agents ask' : 'Have agents ask, with "ask": "what-matters" in the policy of mcp.json, and answer'}; or try rules of your own on this log: clifford policy test --log --rules <file>`,
        ]),
  ];
}

function ruleRecord({ list, rule, decision, answers, others }: SuggestedRule): object {
  const records = { answers: answers.map(callRecord), others: others.map(callRecord) };
  return { list, rule: { ...rule, decision }, ...records };
}

/** As in `mcp.json`, with a comment in front of each rule. */
function fileLines(suggested: readonly SuggestedRule[]): string[] {
  const inList = (list: SuggestedRule['list'], indent: string) => {
    const rules = suggested.filter((rule) => rule.list === list);
    if (rules.length === 0) return undefined;
    const lines = rules.flatMap((rule, at) => [
      ...matchTexts(rule).map((text) => `${indent}  // ${visibleLine(text)}`),
      `${indent}  ${ruleJson(rule)}${at < rules.length - 1 ? ',' : ''}`,
    ]);
    return [`${indent}"rules": [`, ...lines, `${indent}]`].join('\n');
  };
  const agents = inList('agents.rules', '      ');
  const parts = [inList('rules', '    '), agents && `    "agents": {\n${agents}\n    }`].filter(
    (part) => part !== undefined,
  );
  return ['{', '  "policy": {', ...(parts.length === 0 ? [] : [parts.join(',\n')]), '  }', '}'].flatMap(
    (text) => text.split('\n'),
  );
}

function matchTexts(rule: SuggestedRule): string[] {
  const did = rule.decision === 'allow' ? 'allowed' : 'denied';
  return [
    `humans ${did} ${count(rule.answers.length, 'call')} of this shape;`,
    `it would have matched ${othersText(rule)}`,
  ];
}
