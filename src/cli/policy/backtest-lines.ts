import type { Backtest, DecidedCall, DecidedOutcome } from '../../gateway/backtest/backtest.ts';
import { outcomeText } from '../../gateway/backtest/rule-text.ts';
import type { RecordedCall } from '../../gateway/backtest/recorded-call.ts';
import type { PolicyWord } from '../../gateway/config/policy-config.ts';
import { clip } from '../../lib/text/clip.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { calendarDay, clockTime } from '../../lib/time/clock-text.ts';
import { maskSecrets } from '../../views/calls/masked.ts';
import { columns } from '../text/columns.ts';
import { paragraph } from '../text/paragraph.ts';

/** What would become of a call. */
const fate: Readonly<Record<PolicyWord, string>> = {
  allow: 'would run',
  confirm: 'would be asked about',
  deny: 'would be denied',
};

/** So much is shown of the arguments of a call. */
const ARGS_LENGTH = 121;

/** What a policy would have made of the calls in a log, in lines. */
export function backtestLines(result: Backtest, width: number): string[] {
  const { judged, contradictions, changes, unjudged, unasked } = result;
  if (judged.length + unjudged.length + unasked === 0) return ['nothing to judge: the log has no calls'];
  return [
    ...(judged.length === 0 ? ['no call in the log can be judged'] : countLines(result)),
    ...listed('otherwise than a human decided:', contradictions.map(contradictionText), width),
    ...listed('otherwise than a rule decided:', changeTexts(changes), width),
    ...paragraphIf(
      unjudged.length,
      (calls) => `${calls} cannot be judged: the log has a part of it, without secrets`,
    ),
    ...paragraphIf(unasked, (calls) => `${calls} by agents that asked nobody: no policy has a say in that`),
    ...(judged.length === 0 ? [] : ['', summary(result)]),
  ];
}

function paragraphIf(number: number, text: (calls: string) => string): string[] {
  return number === 0 ? [] : ['', text(count(number, 'call'))];
}

function countLines({ judged, counts }: Backtest): string[] {
  const words = ['allow', 'confirm', 'deny'] as const;
  const outcomes = Object.keys(counts) as DecidedOutcome[];
  const rows = outcomes
    .filter((outcome) => words.some((word) => counts[outcome][word] > 0))
    .map((outcome) => [outcomeText[outcome], ...words.map((word) => String(counts[outcome][word]))]);
  return columns([[count(judged.length, 'call'), ...words.map((word) => fate[word])], ...rows]);
}

/** `these rules answer 3 of the 4 calls that humans decided, and contradict no human`. */
function summary({ answered, byHumans, contradictions }: Backtest): string {
  if (byHumans === 0) return 'no human decided about any of these calls';
  const against = contradictions.length === 0 ? 'no human' : `humans in ${contradictions.length}`;
  return `these rules answer ${answered} of ${count(byHumans, 'call')} that humans decided, and contradict ${against}`;
}

function contradictionText({ call, decision: { decision, rule } }: DecidedCall): string {
  const { at, outcome } = call;
  const by = 'by' in outcome ? outcome.by : '';
  const did = outcome.is === 'approved' ? 'allowed' : 'denied';
  return `${calendarDay(at)} ${clockTime(at)} ${by} ${did} ${callText(call)}: it ${fate[decision]} (${rule})`;
}

/** Those that are alike as one. */
function changeTexts(changes: readonly DecidedCall[]): string[] {
  const alike = Map.groupBy(changes, ({ call, decision: { decision, rule } }) => {
    const { server, tool, outcome } = call;
    const before = 'rule' in outcome ? outcome.rule : '';
    return `${server}/${tool}, which ${outcomeText[outcome.is]} (${before}), ${fate[decision]} (${rule})`;
  });
  return [...alike].map(([text, { length }]) => `${text}: ${count(length, 'call')}`);
}

/** A call on one line, what looks like a secret masked. */
function callText({ server, tool, args }: RecordedCall): string {
  return `${server}/${tool} ${clip(JSON.stringify(maskSecrets(args)), ARGS_LENGTH)}`;
}

function listed(heading: string, texts: readonly string[], width: number): string[] {
  if (texts.length === 0) return [];
  return ['', heading, ...texts.flatMap((text) => paragraph('  ', visibleLine(text), width))];
}
