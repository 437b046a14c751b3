import type { GateExplanation } from '../../gateway/policy/policy-gate.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Cli } from '../cli.ts';
import { wordStyles } from '../mcp/decisions.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';

/** What the policy makes of a call, by which rule and why, for people. */
export function decisionLines(
  cli: Pick<Cli, 'style' | 'stdout' | 'env'>,
  { decision, rule, reason }: Pick<GateExplanation, 'decision' | 'rule' | 'reason'>,
): string[] {
  const width = lineWidth(cli);
  return [
    `decision  ${cli.style(wordStyles[decision], decision)}`,
    ...paragraph('rule      ', visibleLine(rule), width),
    ...paragraph('reason    ', visibleLine(reason), width),
  ];
}
