import { count } from '../../lib/text/count.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import { paragraph } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { policyLines } from '../policy/policy-lines.ts';
import { rulesOf } from '../../gateway/policy/policy-rule.ts';
import { shownLines } from './shown-lines.ts';

/** All that a person has to see before they trust an `mcp.json`: what would be started and reached, and the policy. */
export function trustLines(reading: McpConfigReading, width: number): string[] {
  const { shown, misconfigured, problems, policy } = reading;
  const servers = shown.flatMap((server) => {
    const state = server.disabled
      ? ' (disabled)'
      : misconfigured.includes(server.id)
        ? ' (cannot be used as it is)'
        : '';
    return [`  ${visibleLine(server.id)}${state}`, ...shownLines(server, width)];
  });
  return [
    ...servers,
    '  policy',
    ...policyLines(policy, width - 4).map((line) => (line === '' ? '' : `    ${line}`)),
    ...problems.flatMap((problem) => paragraph('  note: ', visibleLine(problemText(problem)), width)),
  ];
}

/** A policy in a few words. */
export function policyText(policy: McpConfigReading['policy']): string {
  if ('unreadable' in policy) return 'it cannot be read, so every call is denied';
  const { length } = rulesOf(policy);
  const calls = length === 0 ? 'every call' : 'every other call';
  const otherwise = {
    allow: `${calls} runs without asking`,
    confirm: `a human is asked about ${calls}`,
    deny: `${calls} is denied`,
  }[policy.default];
  return `${length === 0 ? 'no rules' : count(length, 'rule')}; ${otherwise}`;
}
