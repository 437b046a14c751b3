import { diffArrays } from 'diff/lib/diff/array.js';
import { hiddenMark } from '../../events/secrets/hidden-mark.ts';

/** A line of a file as a call would leave it, or take it away. */
export type ChangedLine = { readonly is: 'added' | 'removed' | 'kept'; readonly text: string };

/** So many lines in and out of one change are looked for; with more, all of the old is out, and all of the new is in. */
export const MOST_EDITS = 2_000;

/**
 * What comparing lines of one call may cost, all of its changes together: it grows with the square of the lines in and out, and with
 * those that are alike. It is counted and not timed, so that the same call over the same files always shows the same.
 */
const MOST_WORK = MOST_EDITS ** 2;
/** How many lines that are alike cost as much as one step between two that are not. */
const ALIKE_PER_STEP = 8;

/** So many characters of a file that is looked through for a text cost as much as one step. */
const CHARACTERS_PER_STEP = 8;

/** Why lines were not compared: there are too many others in them, or in all of the call. */
export type Unlike = 'it' | 'the call';

/** Compares the lines of one change of a call after the other, as far as that may cost. */
export class LineComparison {
  #left = MOST_WORK;

  /**
   * Lines with what stands for a secret are never taken to stay: it does not say which one it stands for.
   *
   * @param isWhole - Nothing is hidden in either text: what looks so is written there. Default: something may be.
   */
  between(old: string, now: string, { isWhole = false } = {}): readonly ChangedLine[] | Unlike {
    const [before, after] = linesOfBoth(old, now);
    const least = leastEdits(before, after);
    if (least > MOST_EDITS) return 'it';
    // Nothing is in both.
    if (least === before.length + after.length) return replaced(old, now);
    const alike = Math.min(before.length, after.length) / ALIKE_PER_STEP;
    // The most edits for which edits * (edits + alike) is not more than what is left.
    const affordable = Math.floor((Math.sqrt(alike ** 2 + 4 * this.#left) - alike) / 2);
    if (least > affordable) return 'the call';
    const most = Math.min(affordable, MOST_EDITS);
    const parts = diffArrays(before, after, {
      maxEditLength: most,
      comparator: isWhole ? isEqual : isSurelyEqual,
    }) as ReturnType<typeof diffArrays<string>> | undefined;
    const lines = parts?.flatMap(({ added, removed, value }) =>
      asLines(added ? 'added' : removed ? 'removed' : 'kept', value),
    );
    const edits = lines ? lines.filter(({ is }) => is !== 'kept').length : most;
    this.#left -= edits * (edits + alike);
    return lines ?? (most === MOST_EDITS ? 'it' : 'the call');
  }

  /**
   * How often a text is in a file, twice at most, and with which line, from 1, it begins where that is once; `undefined`: looking costs
   * more than is left.
   *
   * @param isOfLines - It begins where a line does.
   */
  find(
    file: string,
    text: string,
    { isOfLines = false } = {},
  ): { count: number; line: number | undefined } | undefined {
    const work = (file.length + text.length) / CHARACTERS_PER_STEP;
    if (work > this.#left) return undefined;
    this.#left -= work;
    const [whole, wanted] = isOfLines ? [`\n${file}`, `\n${text}`] : [file, text];
    const first = whole.indexOf(wanted);
    if (first < 0) return { count: 0, line: undefined };
    if (whole.includes(wanted, first + 1)) return { count: 2, line: undefined };
    return { count: 1, line: lineAt(file, first) };
  }
}

/** With which line of a text a place in it is, from 1. */
function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** All of the old is out, and all of the new is in. */
export function replaced(old: string, now: string): readonly ChangedLine[] {
  const [before, after] = linesOfBoth(old, now);
  return [...asLines('removed', before), ...asLines('added', after)];
}

/** So many lines at least are in or out, wherever they stand: those that the other side does not have, or not as often. */
function leastEdits(before: readonly string[], after: readonly string[]): number {
  const more = new Map<string, number>();
  for (const line of before) more.set(line, (more.get(line) ?? 0) + 1);
  for (const line of after) more.set(line, (more.get(line) ?? 0) - 1);
  return [...more.values()].reduce((sum, each) => sum + Math.abs(each), 0);
}

const isEqual = (one: string, other: string) => one === other;
const isSurelyEqual = (one: string, other: string) => one === other && !hiddenMark.test(one);

function asLines(is: ChangedLine['is'], lines: readonly string[]): ChangedLine[] {
  return lines.map((text) => ({ is, text }));
}

/** The lines of both. Where only one of them ends its last line, that shows as an empty line below. */
function linesOfBoth(old: string, now: string): [string[], string[]] {
  const areAlike = old === '' || now === '' || old.endsWith('\n') === now.endsWith('\n');
  const linesOf = (text: string) =>
    text === '' ? [] : (areAlike ? text.replace(/\n$/, '') : text).split('\n');
  return [linesOf(old), linesOf(now)];
}
