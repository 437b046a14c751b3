import type { PolicyConfig, UnreadablePolicy } from '../../mcp/gateway/config/policy-config.ts';
import { labelOf, rulesOf } from '../../mcp/gateway/policy/policy-rule.ts';
import type { FileRule } from '../../mcp/gateway/policy/policy-rule.ts';
import type { GrantedRule } from '../../machines/project-state.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { columns } from '../text/columns.ts';
import { calendarDay, clockTime } from '../text/duration.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { shortId } from '../text/short-id.ts';
import { oneLine } from '../text/visible.ts';
import { findMcpPlace } from './mcp-place.ts';
import { onProject } from './on-project.ts';

/** Shows the rules of the policy, and what humans allowed for more than one call. */
export async function policyList(cli: Cli, { json }: { json?: true }): Promise<void> {
  const place = await findMcpPlace(cli);
  const granted = await onProject(cli, place, async ({ state }) => state.policyRules);
  const { policy } = place.reading;
  if ('unreadable' in policy) cli.endWith(exitCodes.failed);
  if (json) {
    const rules = 'unreadable' in policy ? [] : rulesOf(policy).map(jsonRule);
    const rest = 'unreadable' in policy ? policy : { default: policy.default };
    return cli.print(JSON.stringify({ ...rest, rules, granted: granted.map(jsonGrant) }, null, 2));
  }
  for (const line of [...policyLines(cli, policy), '', ...grantLines(granted)]) cli.print(line);
}

function jsonRule(rule: FileRule): object {
  return { ...rule, rule: labelOf(rule) };
}

function jsonGrant({ recordedIn: _where, ...grant }: GrantedRule): object {
  return grant;
}

function policyLines(cli: Pick<Cli, 'stdout'>, policy: PolicyConfig | UnreadablePolicy): string[] {
  const width = lineWidth(cli);
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

function grantLines(granted: readonly GrantedRule[]): string[] {
  if (granted.length === 0) return ['no human has allowed anything for more than one call'];
  const ids = granted.map(({ id }) => id);
  const rows = granted.map(({ id, server, tool, scope, by, at }) => [
    shortId(id, ids),
    oneLine(`${server}/${tool}`),
    oneLine(scopeText(scope)),
    oneLine(`${by}, ${calendarDay(at)} ${clockTime(at)}`),
  ]);
  return [
    ...columns([['GRANTED', 'TOOL', 'HOLDS', 'BY'], ...rows]),
    'to take one back: clifford mcp policy remove <id>',
  ];
}

function scopeText(scope: GrantedRule['scope']): string {
  switch (scope.kind) {
    case 'always':
      return 'always';
    case 'sprint':
      return `sprint ${scope.stream}`;
    case 'task':
      return `task ${scope.taskId} of ${scope.stream}`;
  }
}
