import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { callCard, type CallCard, type Revealed } from '../../views/calls/call-card.ts';
import { callChanges } from '../../views/calls/call-changes.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import type { CommandPart, CommandParts } from '../../workflow/policy/command-parts.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import {
  LABEL_WIDTH,
  aboutHidden,
  commandLines,
  definitionLines,
  explanationLines,
  fileLine,
  fittedRows,
  kindLines,
  levelOf,
  plain,
  sentence,
  warning,
  type KindLook,
} from './call-lines.ts';
import { joinedSpans, jsonLines, LISTED_ROWS } from './json-lines.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

/** A call that is decided together with others. */
type BatchedCall = Pick<Question, 'id' | 'asker' | 'task' | 'approval' | 'folder'>;

/** What is known of such calls beside what their requests say, by the ids of those. */
type BesideBatch = {
  readonly revealed: ReadonlyMap<string, Revealed>;
  readonly commands?: ReadonlyMap<string, CommandParts>;
  readonly files?: ReadonlyMap<string, FilesNow>;
};

/**
 * Several calls that are decided together: once what all of them share, then of each all that differs, its whole arguments, on a
 * row or two where they fit, what of its command is not to be overlooked, and which files it changes.
 */
export function batchRows(
  calls: readonly BatchedCall[],
  width: number,
  { revealed, commands, files }: BesideBatch,
): Span[][] {
  const cards = calls.map(({ id, approval, folder, ...asked }) => {
    const whole = revealed.get(id);
    const inCall = filesInCall((whole ?? approval)?.args);
    const card =
      approval && callCard(approval, whole, { inCall, changes: callChanges(inCall, files?.get(id)), folder });
    const kind = partsOf(card, { width, level: approval && levelOf(approval) });
    return {
      card,
      folder,
      isRevealed: whole !== undefined,
      command: commands?.get(id),
      parts: [whoLines(asked), ...kind],
    };
  });
  const [first] = cards;
  const isShared = (first?.parts ?? []).map((part, at) =>
    cards.every(({ parts }) => JSON.stringify(parts[at]) === JSON.stringify(part)),
  );
  const lines: SpanLine[] = (first?.parts ?? []).filter((_, at) => isShared[at]).flat();
  const each = cards.flatMap(({ card, folder, isRevealed, command, parts }, at) => [
    ...numberedLines(`${at + 1} of ${calls.length}`, card, { width, isRevealed }),
    ...parts.filter((_, part) => !isShared[part]).flat(),
    ...(command ? commandLines(command, { shown: command.parts.filter(isRisky) }) : []),
    ...(card?.changes ?? []).map((change) => fileLine(change, folder)),
    ...(card ? aboutHidden(card) : []),
    ...(card?.explanation ? explanationLines(card.explanation) : []),
  ]);
  return fittedRows([...lines, ...each], width);
}

function isRisky({ risks = [] }: CommandPart): boolean {
  return risks.length > 0;
}

/** What calls of a batch may have in common: always as many parts, some of them empty. */
function partsOf(card: CallCard | undefined, look: KindLook): SpanLine[][] {
  if (!card) return [[], [], [], []];
  const changed = card.change === undefined ? [] : [warning('Its definition has changed:')];
  return [...kindLines(card, look), [...changed, ...definitionLines(card)]];
}

function whoLines({ asker, task }: Pick<BatchedCall, 'asker' | 'task'>): SpanLine[] {
  return [sentence('Asked by', plain(`${asker}${task === undefined ? '' : ` about ${task}`}`))];
}

/** The arguments of a call, whole, behind its number. */
function numberedLines(
  number: string,
  card: CallCard | undefined,
  { width, isRevealed }: { readonly width: number; readonly isRevealed: boolean },
): SpanLine[] {
  const head: Span = { text: number.padEnd(LABEL_WIDTH), style: 'warning' };
  const lines = card ? jsonLines(card.args, { indent: 2, isRevealed }) : [];
  const listed = { spans: [head, ...joinedSpans(lines)], hang: LABEL_WIDTH };
  return rowsOf(listed, width).length <= LISTED_ROWS ? [listed] : [{ spans: [head] }, ...lines];
}
