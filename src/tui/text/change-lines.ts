import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { CallChange } from '../../views/calls/call-changes.ts';
import { changeSizeOf } from '../../views/changes/change-size.ts';
import { diffRows, type DiffPiece, type DiffRow } from '../../views/changes/diff-rows.ts';
import { patchesShown } from '../../views/calls/patches-shown.ts';
import { foldedLines, type FoldedLines } from '../../views/changes/folded-lines.ts';
import { unifiedLines } from '../../views/changes/unified-lines.ts';
import { numberSpans } from './number-spans.ts';
import type { Span, SpanLine } from './spans.ts';

const marks = { added: '+ ', removed: '- ', kept: '  ' } as const;
const styles = { added: 'added line', removed: 'removed line', kept: 'dim' } as const;
const unifiedStyles = { added: 'added line', removed: 'removed line', kept: 'plain', head: 'dim' } as const;
const wordStyles = { added: 'added word', removed: 'removed word', kept: 'dim' } as const;

/** How many lines come and go: ` (+3 −1)`; of a file that is written anew, how many it has. */
export function changeSize(change: Pick<CallChange, 'how' | 'lines' | 'over' | 'leadsTo'>): string {
  const { lines, said } = changeSizeOf(change);
  const counts = lines && `+${lines.added} −${lines.removed}`;
  const all = [counts, said].filter((text) => text !== undefined);
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

type Shown = Pick<CallChange, 'lines' | 'how' | 'firstLine' | 'places'>;

/**
 * What a call makes of a file: every line of it, so that nothing of it is seen only by whoever runs it. With their numbers,
 * where the rows, of `width` cells, have room.
 *
 * @param unfold - The file has the unchanged ones, and this is the key that shows all of them; `''`: none does.
 */
export function changedLines(
  { lines, how, firstLine, places }: Shown,
  { width, unfold }: { readonly width: number; readonly unfold?: string | undefined },
): SpanLine[] {
  const first = firstLine ?? (how === 'edit' ? undefined : 1);
  const numbered = diffRows(lines, first === undefined ? undefined : { before: first, after: first });
  const numbersOf = numberSpans(numbered, width);
  const shown = unfold === undefined ? numbered : foldedLines(numbered);
  return [
    ...places.map((place): SpanLine => ({
      indent: 2,
      spans: [{ text: escapeAgentLine(place), style: 'dim' }],
    })),
    ...shown.map((line) =>
      line.is === 'folded' ? foldLine(line, unfold) : changedLine(line, numbersOf(line)),
    ),
  ];
}

/** The texts of arguments that are shown line by line: among those they need not stand once more. */
export function textsShown(changes: readonly CallChange[], inCall: FilesInCall): ReadonlySet<string> {
  const texts = changes.flatMap((change) => change.texts).filter((text) => text.includes('\n'));
  return new Set([...texts, ...patchesShown(inCall, changes)]);
}

function changedLine({ is, pieces }: DiffRow, numbers: readonly Span[]): SpanLine {
  const style = styles[is];
  const cells = numbers.reduce((sum, span) => sum + span.text.length, 0);
  return {
    indent: 2,
    hang: 2 + cells,
    spans: [...numbers, ...wordSpans(marks[is], is, pieces)],
    ...(is !== 'kept' && { fill: style }),
  };
}

/** A line of a difference behind its sign, the words marked by which it differs from the one in its place. */
export function wordSpans(sign: string, is: DiffRow['is'], pieces: readonly DiffPiece[]): Span[] {
  const [first, ...others] = pieces;
  const isJoined = first?.isMarked === false;
  const joined: readonly DiffPiece[] = isJoined
    ? [{ ...first, text: sign + first.text }, ...others]
    : [{ text: sign, isMarked: false }, ...pieces];
  return joined.map(({ text, isMarked }) => ({
    text: escapeAgentLine(text),
    style: isMarked ? wordStyles[is] : styles[is],
  }));
}

function foldLine({ count: left }: FoldedLines, unfold = ''): SpanLine {
  const how = unfold === '' ? '' : `: ${unfold} shows them`;
  return { indent: 2, spans: [{ text: `… ${left} unchanged lines${how}`, style: 'name' }] };
}

/** A unified diff, or words. */
export function unifiedSpans(change: string): SpanLine[] {
  return unifiedLines(change).map(({ is, text }) => {
    const style = unifiedStyles[is];
    const isChanged = is === 'added' || is === 'removed';
    return { indent: 2, spans: [{ text: escapeAgentLine(text), style }], ...(isChanged && { fill: style }) };
  });
}
