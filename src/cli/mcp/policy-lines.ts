import type { PolicyConfig, UnreadablePolicy } from '../../gateway/config/policy-config.ts';
import { labelOf, rulesOf, type FileRule } from '../../gateway/policy/policy-rule.ts';
import { paragraph } from '../text/paragraph.ts';
import { oneLine } from '../../lib/text/visible.ts';

/** A policy in full: each rule with its conditions, and what becomes of every other call. */
export function policyLines(policy: PolicyConfig | UnreadablePolicy, width: number): string[] {
  if ('unreadable' in policy)
    return paragraph('', `every call is refused: ${oneLine(policy.unreadable)}`, width);
  const rules = rulesOf(policy);
  const lines = rules.flatMap((rule) => {
    const { decision, reason } = rule;
    const conditions = conditionsOf(rule);
    return [
      `${decision.padEnd(7)}  ${oneLine(labelOf(rule))}`,
      ...conditions.flatMap((condition) => paragraph('           if ', oneLine(condition), width)),
      ...(reason === undefined ? [] : paragraph('           since ', oneLine(reason), width)),
    ];
  });
  return [...lines, `${policy.default.padEnd(7)}  ${rules.length === 0 ? 'every call' : 'every other call'}`];
}

function conditionsOf({ args, annotations, sprint, task }: FileRule): string[] {
  return [
    ...Object.entries(args).map(([path, condition]) => {
      const [[kind, value] = ['', '']] = Object.entries(condition);
      return `${path} ${kind} ${JSON.stringify(value)}`;
    }),
    ...Object.entries(annotations).map(([hint, value]) => `${hint} is ${value}`),
    ...(sprint === undefined ? [] : [`the sprint is ${sprint}`]),
    ...(task === undefined ? [] : [`the task is ${task}`]),
  ];
}
