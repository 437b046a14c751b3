import { diffArrays } from 'diff/lib/diff/array.js';
import type { ChangedLine } from './compare-lines.ts';
import { stretchesOf } from './folded-lines.ts';

/** A part of a line. Marked: it is not in the lines that stand in the place of this one on the other side. */
export type DiffPiece = { readonly text: string; readonly isMarked: boolean };

/** Its number before and after, from 1; `undefined`: it is not there, or nobody knows where the change stands. */
export type RowNumbers = { readonly before: number | undefined; readonly after: number | undefined };

/** A line of a change as it is shown. All of its pieces together are its text. */
export type DiffRow = ChangedLine & RowNumbers & { readonly pieces: readonly DiffPiece[] };

/** The numbers of the first line, from 1. */
type First = { readonly before: number; readonly after: number };

/**
 * The lines of a change with their numbers.
 *
 * @param first - `undefined`: nobody knows where in a file these lines stand.
 */
function numberedLines<L extends Pick<ChangedLine, 'is'>>(
  lines: readonly L[],
  first: First | undefined,
): readonly (L & RowNumbers)[] {
  if (first === undefined) return lines.map((line) => ({ ...line, before: undefined, after: undefined }));
  let { before, after } = first;
  return lines.map((line) => ({
    ...line,
    before: line.is === 'added' ? undefined : before++,
    after: line.is === 'removed' ? undefined : after++,
  }));
}

/**
 * The lines of a change, with their numbers and with the words marked by which they differ.
 *
 * @param first - `undefined`: nobody knows where in a file these lines stand.
 */
export function diffRows(lines: readonly ChangedLine[], first: First | undefined): readonly DiffRow[] {
  return stretchesOf(numberedLines(lines, first)).flatMap((block) => {
    const pieces = piecesOf(block);
    return block.map((line, at) => ({
      ...line,
      pieces: pieces[at] ?? [{ text: line.text, isMarked: false }],
    }));
  });
}

/** The pieces of the lines of a block; none where there is nothing to mark. */
function piecesOf(block: readonly ChangedLine[]): readonly (readonly DiffPiece[] | undefined)[] {
  const textOf = (is: ChangedLine['is']) =>
    block
      .filter((line) => line.is === is)
      .map(({ text }) => text)
      .join('\n');
  const [old, now] = [wordsOf(textOf('removed')), wordsOf(textOf('added'))];
  if (old.length === 0 || now.length === 0 || old.length + now.length > MOST_WORDS) return [];
  const parts = diffArrays(old, now, { maxEditLength: MOST_EDITS }) as
    | ReturnType<typeof diffArrays<string>>
    | undefined;
  if (!parts) return [];
  const side = (other: 'added' | 'removed') =>
    piecesOfLines(
      parts
        .filter((part) => !part[other])
        .flatMap(({ value, added, removed }) => value.map((text) => ({ text, isMarked: added || removed }))),
    );
  const left = { removed: side('added'), added: side('removed') };
  return block.map(({ is }) => (is === 'kept' ? undefined : left[is].shift()));
}

/** With more, finding the words that differ would be felt, and who reads would not see them for marks. */
const MOST_WORDS = 4_000;
const MOST_EDITS = 600;

/**
 * A text as words, blanks and single signs. Marks on letters stay with each other: how many are heaped is looked at in the
 * pieces.
 */
function wordsOf(text: string): string[] {
  return text.match(/\n|[^\S\n]+|[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
}

function piecesOfLines(words: readonly DiffPiece[]): (readonly DiffPiece[] | undefined)[] {
  const lines: DiffPiece[][] = [[]];
  for (const word of words)
    if (word.text === '\n') lines.push([]);
    else lines.at(-1)?.push(word);
  return lines.map((line) => {
    const joined = joinedPieces(line);
    return isTelling(joined) ? joined : undefined;
  });
}

/**
 * Pieces that are marked alike are one; blanks between two that are marked are marked, too. Those that begin a line are only where
 * nothing else of it is.
 */
function joinedPieces(words: readonly DiffPiece[]): readonly DiffPiece[] {
  const pieces: DiffPiece[] = [];
  const isMarkedBehind = words.slice(1).some((word) => word.isMarked);
  words.forEach(({ text, isMarked: isWord }, at) => {
    const isBlank = text.trim() === '';
    const last = pieces.at(-1);
    const isBetween = isBlank && last?.isMarked === true && words[at + 1]?.isMarked === true;
    const isMarked = isBetween || (isWord && !(at === 0 && isBlank && isMarkedBehind));
    if (last && last.isMarked === isMarked) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ text, isMarked });
  });
  return pieces;
}

/** Share of a line that has to be on both sides, for the rest of it to be worth a mark. */
const LEAST_SAME = 0.3;

function isTelling(pieces: readonly DiffPiece[]): boolean {
  const lengthOf = (some: readonly DiffPiece[]) =>
    some.reduce((sum, { text }) => sum + text.trim().length, 0);
  const same = lengthOf(pieces.filter(({ isMarked }) => !isMarked));
  return pieces.some(({ isMarked }) => isMarked) && same >= LEAST_SAME * lengthOf(pieces);
}
