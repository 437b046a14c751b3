import { seenLine } from '../../lib/text/sanitise.ts';

/**
 * What a line of an agent's output is: its own words, a call of a tool, what came of that, or what a program printed, each character
 * of which counts.
 */
export type OutputKind = 'said' | 'call' | 'result' | 'printed';

/** How a call ended, as it stands below it. */
export type CallEnding = {
  readonly word: 'done' | 'failed';
  readonly took: string | undefined;
  readonly why: string | undefined;
};

/** A line with what it is. `at`: its place among all. */
export type KindLine = {
  readonly at: number;
  readonly raw: string;
  readonly kind: OutputKind;
  /** Of a call: how it ended, where that stands right below it, and has no line of its own then. */
  readonly ending?: CallEnding;
};

const CALL = /^▸ \S/;
const RESULT =
  /^ {2}(?!-->)(?:it |done after |[-+@] ?|[^\s|^~=].{0,100}? (?:was |ran |failed(?:$|:| after )))|^✗ /;
/** What Clifford says among it: a call may go on below. */
const NOTICE = /^\[clifford: .*\]$/;
const ENDING = /^ {2}(?:it )?(done|failed)(?: after ([\d.]+ (?:ms|s|min|h)(?: \d+ (?:s|min))?))?(?:: (.*))?$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** Code, or a table: what stands in columns. */
const IN_COLUMNS = /^(?: {4}|\t|\s*\|)/;
/** Where an error came from: a line of its trace. */
const FRAME = /^(?: {3,}|\t)at \S.*(?:[)>]|:(?:line )?\d+)$|^ {2,3}File "[^"]+", line \d+/;
/** What a trace begins with, or one that it names as its cause. */
const TROUBLE =
  /^(?:Traceback \(|Caused by: |Uncaught |Exception in |(?:[\w$]+[.:])*[\w$]*(?:Error|Exception)\b(?: \[\w+\])?(?::|$))/;
/** So many lines its words have at most, before it says where it came from. */
const MOST_WORDS = 20;
const ESCAPE = '\u001B';

/**
 * Tells what lines are.
 *
 * @param speaks - They come from an agent whose words and calls are known from each other; else a program has printed them.
 */
export function outputKinds(lines: readonly string[], speaks: boolean): readonly KindLine[] {
  const rows: KindLine[] = [];
  let isFenced = false;
  let isBelowCall = false;
  let isBelowFrame = false;
  for (const [at, raw] of lines.entries()) {
    const text = seenLine(raw).trimEnd();
    const isFence = FENCE.test(text);
    const plain: OutputKind = speaks
      ? kindOf(text, raw, { isFenced: isFenced || isFence, isBelowCall })
      : 'printed';
    const isFrame = FRAME.test(text);
    if (speaks && isFrame) printTrouble(rows);
    // A trace goes on with the next one; one of Python ends with what was wrong.
    const isOfTrace: boolean = isFrame || (isBelowFrame && plain === 'said' && TROUBLE.test(text));
    const kind: OutputKind = isOfTrace ? 'printed' : plain;
    isBelowFrame = isFrame || (isBelowFrame && kind === 'printed');
    // A fence that nothing closes ends where its agent does something.
    if (kind === 'call') isFenced = false;
    else if (isFence && kind === 'printed') isFenced = !isFenced;
    const call = rows.at(-1);
    const ending = kind === 'result' && call?.kind === 'call' && !call.ending ? endingIn(text) : undefined;
    if (call && ending) rows[rows.length - 1] = { ...call, ending };
    else rows.push({ at, raw, kind });
    isBelowCall = kind === 'call' || kind === 'result' || (isBelowCall && NOTICE.test(text));
  }
  return rows;
}

/** The words of the error whose trace begins: they were printed with it, by the same program. */
function printTrouble(rows: KindLine[]): void {
  const words = rows.slice(-MOST_WORDS);
  const before = words.findLastIndex(({ raw, kind }) => kind !== 'said' || raw.trim() === '');
  const from = words.findLastIndex(({ raw }, at) => at > before && TROUBLE.test(raw));
  if (from < 0) return;
  const first = rows.length - words.length + from;
  const printed = rows.slice(first).map((row) => ({ ...row, kind: 'printed' as const }));
  rows.splice(first, printed.length, ...printed);
}

function kindOf(
  text: string,
  raw: string,
  { isFenced, isBelowCall }: { readonly isFenced: boolean; readonly isBelowCall: boolean },
): OutputKind {
  if (CALL.test(text)) return 'call';
  if (isFenced) return 'printed';
  if (isBelowCall && RESULT.test(text)) return 'result';
  return raw.includes(ESCAPE) || IN_COLUMNS.test(text) ? 'printed' : 'said';
}

function endingIn(text: string): CallEnding | undefined {
  const [, word, took, why] = ENDING.exec(text) ?? [];
  return word === 'done' || word === 'failed' ? { word, took, why } : undefined;
}
