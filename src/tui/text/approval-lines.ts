import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { rulesAskingNow } from '../../views/requests/asking-rule.ts';
import type { Approval } from '../../events/approval.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import { callCard, type Revealed } from '../../views/calls/call-card.ts';
import { changedLines, textsShown } from './change-lines.ts';
import {
  aboutHidden,
  commandLines,
  definitionLines,
  explanationLines,
  fileLine,
  fittedRows,
  kindLines,
  label,
  labelled,
  levelOf,
  plain,
  warning,
} from './call-lines.ts';
import { jsonLines } from './json-lines.ts';
import { callChanges } from '../../views/calls/call-changes.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import type { Span, SpanLine } from './spans.ts';

/** What is known of a call beside what its request says: all of its arguments, and the rule that is offered, in lines. */
type Beside = {
  readonly revealed?: Revealed | undefined;
  readonly offer?: readonly string[] | undefined;
  /** The command taken apart, with what is said of each part. */
  readonly command?: CommandParts | undefined;
  /** What stands now in the files that it would change. Default: nobody has looked. */
  readonly files?: FilesNow | undefined;
  /** The key that shows unchanged lines which are left out. Default: all lines are shown. */
  readonly unfold?: string | undefined;
};

/**
 * Everything a human has to see of a call to decide about it, escaped, as rows of `width` cells: what it is in few rows, then
 * what it would do, then its arguments. What is hidden of those is said, unless they are `revealed`.
 */
export function approvalRows(
  approval: Approval,
  width: number,
  { revealed, offer = [], command, files, unfold }: Beside = {},
): Span[][] {
  const inCall = filesInCall((revealed ?? approval).args);
  const card = callCard(approval, revealed, { inCall, changes: callChanges(inCall, files) });
  const { args, explanation, changes } = card;
  const shown = textsShown(changes, inCall);
  const askingNow = rulesAskingNow(command?.parts ?? [], card.rule);
  const lines: SpanLine[] = [
    ...(card.change === undefined ? [] : [warning('Its definition has changed: see below')]),
    ...kindLines(card, { width, level: levelOf(approval), askingNow }).flat(),
    ...aboutHidden(card),
    ...(explanation ? explanationLines(explanation) : []),
    ...(command ? commandLines(command) : []),
    ...changes.flatMap((change) => [fileLine(change), ...changedLines(change, { width, unfold })]),
    { spans: [label('Arguments')] },
    ...jsonLines(args, { indent: 2, isRevealed: revealed !== undefined, shown }),
    ...definitionLines(card),
    ...offer.map((line, at) => labelled(at === 0 ? 'Offer' : '', plain(line))),
  ];
  return fittedRows(lines, width);
}
