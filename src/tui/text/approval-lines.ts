import { commandField } from '../../events/call-fields.ts';
import { filesInCall, type FilesInCall } from '../../events/call-files/files-in-call.ts';
import { rulesAskingNow } from '../../views/requests/asking-rule.ts';
import type { Approval } from '../../events/approval.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import { withoutChanges, withoutField } from '../../views/calls/args-besides.ts';
import { callCard, type CallCard, type Revealed } from '../../views/calls/call-card.ts';
import { changedLines, textsShown } from './change-lines.ts';
import {
  aboutHidden,
  commandLines,
  commandTextLines,
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
import { joinedSpans, jsonLines, LISTED_ROWS } from './json-lines.ts';
import { callChanges } from '../../views/calls/call-changes.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

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
  /** Where its agent works: its files are named from there. Default: as they were named. */
  readonly folder?: string | undefined;
  /** It is as it was then. What the policy said of each command nobody has kept: nothing is said of that. Default: it waits now. */
  readonly isPast?: boolean;
};

/**
 * Everything a human has to see of a call to decide about it, escaped, as rows of `width` cells: what it is in few rows, then
 * what it would do, then those of its arguments that are not all of that. What is hidden of those is said, unless they are
 * `revealed`.
 */
export function approvalRows(
  approval: Approval,
  width: number,
  { revealed, offer = [], command, files, unfold, folder, isPast = false }: Beside = {},
): Span[][] {
  const inCall = filesInCall((revealed ?? approval).args);
  const card = callCard(approval, revealed, { inCall, changes: callChanges(inCall, files), folder });
  const { explanation, changes } = card;
  const line = lineOf(card);
  const askingNow = isPast ? [] : rulesAskingNow(command?.parts ?? [], card.rule);
  const lines: SpanLine[] = [
    ...(card.change === undefined ? [] : [warning('Its definition has changed: see below')]),
    ...kindLines(card, { width, level: levelOf(approval), command, askingNow }).flat(),
    ...aboutHidden(card),
    ...(explanation ? explanationLines(explanation) : []),
    ...(line === undefined ? [] : commandTextLines(line)),
    ...(command && !saysNoMore(command, { line, isPast }) ? commandLines(command, { isPast }) : []),
    ...changes.flatMap((change) => [fileLine(change, folder), ...changedLines(change, { width, unfold })]),
    ...argumentLines(card, { inCall, width, isRevealed: revealed !== undefined }),
    ...definitionLines(card),
    ...offer.map((line, at) => labelled(at === 0 ? 'Offer' : '', plain(line))),
  ];
  return fittedRows(lines, width);
}

/** The argument that is a command line, as it is written. */
function lineOf({ args, agent, tool }: CallCard): string | undefined {
  return commandField(agent === undefined ? undefined : tool, args)?.command;
}

/** Whether a command taken apart is the line itself, of which there is nothing to say but that it is asked about. */
function saysNoMore(
  { parts, writes, doubt }: CommandParts,
  { line, isPast }: { readonly line: string | undefined; readonly isPast: boolean },
): boolean {
  const [only, ...others] = parts;
  if (!only || others.length > 0 || writes.length > 0 || doubt !== undefined) return false;
  const isAsked = isPast || only.decision === 'confirm';
  return only.text === line && isAsked && !only.risks && !only.isOpen;
}

type HowShown = { readonly inCall: FilesInCall; readonly width: number; readonly isRevealed: boolean };

/** The arguments as JSON, without a command and changes that stand above: what is left of them on a row or two, where it fits. */
function argumentLines(card: CallCard, { inCall, width, isRevealed }: HowShown): SpanLine[] {
  const { args, agent, tool, changes, unclear } = card;
  const kind = agent === undefined ? undefined : tool;
  const others = withoutField(args, commandField(kind, args)?.name);
  // What the fields of a server's tool mean, only the server knows, and of an unclear call nobody does.
  const isKnown = agent !== undefined && unclear === undefined;
  const left = isKnown ? withoutChanges(others, changes, inCall) : others;
  if (left === undefined) return [];
  const lines = jsonLines(left, { indent: 2, isRevealed, shown: textsShown(changes, inCall) });
  const row = labelled('Arguments', ...joinedSpans(lines));
  const isShort = left !== args && rowsOf(row, width).length <= LISTED_ROWS;
  return isShort ? [row] : [{ spans: [label('Arguments')] }, ...lines];
}
