import type { AgentPolicy, AgentRule, AskLevel } from '../../gateway/config/agent-policy.ts';
import type { PolicyConfig, UnreadablePolicy } from '../../gateway/config/policy-config.ts';
import { labelOf, rulesOf, type FileRule } from '../../gateway/policy/policy-rule.ts';
import { paragraph } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** A policy in full: each rule with its conditions, and what becomes of every other call. */
export function policyLines(policy: PolicyConfig | UnreadablePolicy, width: number): string[] {
  if ('unreadable' in policy)
    return paragraph('', `every call is denied: ${visibleLine(policy.unreadable)}`, width);
  const rules = rulesOf(policy);
  const lines = rules.flatMap((rule) => {
    const { decision, reason } = rule;
    const conditions = conditionsOf(rule);
    return [
      `${decision.padEnd(7)}  ${visibleLine(labelOf(rule))}`,
      ...conditions.flatMap((condition) => paragraph('           if ', visibleLine(condition), width)),
      ...(reason === undefined ? [] : paragraph('           since ', visibleLine(reason), width)),
    ];
  });
  const others = `${policy.default.padEnd(7)}  ${rules.length === 0 ? "every call of a server's tool" : 'every other call'}`;
  return [...lines, others, '', ...agentLines(policy.agents, width)];
}

/** What agents may do with their own tools. */
function agentLines({ ask, rules, unasked }: AgentPolicy, width: number): string[] {
  return [
    "agents' own tools, where they are spoken with over ACP",
    ...rules.flatMap((rule, index) => {
      const { decision, reason } = rule;
      return [
        `${decision.padEnd(7)}  agents.rules[${index}]`,
        ...agentConditions(rule).flatMap((condition) =>
          paragraph('           if ', visibleLine(condition), width),
        ),
        ...(reason === undefined ? [] : paragraph('           since ', visibleLine(reason), width)),
      ];
    }),
    ...paragraph(`${ask === 'nothing' ? 'allow' : 'confirm'}  `.padEnd(9), askText[ask], width),
    ...(unasked === undefined ? [] : [`${unasked.padEnd(7)}  an attempt whose agent acts without asking`]),
  ];
}

const askText: Readonly<Record<AskLevel, string>> = {
  everything: 'every other call',
  'what-matters': 'every other call, but those that only read or write files inside of the project',
  nothing: 'every other call: nobody is asked',
};

function agentConditions({ agent, kind, command, path, host, sprint, task }: AgentRule): string[] {
  const named = { agent, kind, host, sprint, task };
  return [
    ...Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [`the ${name} is ${value}`],
    ),
    ...Object.entries({ command, path }).flatMap(([name, condition = {}]) =>
      Object.entries(condition).map(([word, value]) => `${name} ${word} ${JSON.stringify(value)}`),
    ),
  ];
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
