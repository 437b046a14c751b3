import { backtest, type DecidedCall } from '../../gateway/backtest/backtest.ts';
import { decideBy } from '../../gateway/backtest/decide-by.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { findMcpPlace } from '../mcp/mcp-place.ts';
import { lineWidth } from '../text/paragraph.ts';
import { backtestLines } from './backtest-lines.ts';
import { callRecord } from './call-record.ts';
import { callsIn, groundOf, policyInFile, policyNamed } from './policy-in-question.ts';

export type PolicyBacktestOptions = {
  readonly log?: true;
  readonly rules?: string;
  readonly sprint?: string;
  readonly json?: true;
};

/**
 * Says what a policy would have made of the calls in the log. Ends with 1 when it contradicts a human.
 *
 * @throws {CliffordError} `NO_PROJECT`, `POLICY_UNREADABLE`, `SPRINT_UNKNOWN`, `NO_HISTORY`
 */
export async function policyBacktest(
  cli: Cli,
  { rules, sprint, json }: PolicyBacktestOptions,
): Promise<void> {
  const place = await findMcpPlace(cli);
  const calls = await callsIn(cli, sprint);
  const policy = rules === undefined ? policyInFile(place) : await policyNamed(cli, place, rules, calls);
  const result = backtest(calls, decideBy(policy, groundOf(cli, place)));
  const { judged, contradictions, changes, unjudged, ...rest } = result;
  if (contradictions.length > 0) cli.endWith(exitCodes.failed);
  if (!json) return cli.printLines(backtestLines(result, lineWidth(cli)));
  return cli.printJson({
    judged: judged.length,
    ...rest,
    contradictions: contradictions.map(judgedRecord),
    changes: changes.map(judgedRecord),
    unjudged: unjudged.map(callRecord),
  });
}

function judgedRecord({ call, decision: { decision, rule } }: DecidedCall): object {
  return { ...callRecord(call), decision, rule };
}
