import { maskOf, saysSecret } from '../../views/calls/masked.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { Span, SpanLine } from './spans.ts';

type Place = {
  readonly indent: number;
  /** Stands before the value in its first line. */
  readonly before?: readonly Span[];
  /** Stands behind it in its last. */
  readonly after?: string;
  /** A name above says that strings are secret. */
  readonly isSecret?: boolean;
  /** Nothing is masked. */
  readonly isRevealed?: boolean;
  /** How lines that have no room go on. Default: at any character, each blank of which can be seen. */
  readonly breaks?: SpanLine['breaks'];
  /** Texts that stand elsewhere, whole. */
  readonly shown?: ReadonlySet<string> | undefined;
};

const STEP = 2;

/**
 * JSON of an agent as indented lines with a style for each token, escaped. Strings below a name that says they
 * are secret are masked where they look so. Inside a string, a new line begins behind each `\n`.
 */
export function jsonLines(value: unknown, place: Place): SpanLine[] {
  const { indent, before = [], after = '', isSecret = false, isRevealed = false, shown, breaks } = place;
  const inside = { indent: indent + STEP, isSecret, isRevealed, shown, ...(breaks && { breaks }) };
  const block = (brackets: string, lines: SpanLine[]): SpanLine[] => [
    { indent, spans: [...before, dim(brackets.charAt(0))] },
    ...lines,
    { indent, spans: [dim(brackets.charAt(1) + after)] },
  ];
  if (Array.isArray(value) && value.length > 0) {
    const items: readonly unknown[] = value;
    const lines = items.flatMap((item, at) => jsonLines(item, { ...inside, after: comma(at, items) }));
    return block('[]', lines);
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length > 0) {
    const lines = members.flatMap(([name, item]: [string, unknown], at) =>
      jsonLines(item, {
        ...inside,
        before: [{ text: quoted(name), style: 'name' }, dim(': ')],
        after: comma(at, members),
        isSecret: !isRevealed && (isSecret || saysSecret(name)),
      }),
    );
    return block('{}', lines);
  }
  return scalarLines(value, place);
}

/** Rows that arguments may take one behind the other: of longer ones each value has a row. */
export const LISTED_ROWS = 2;

/** Such lines one behind the other, a blank where one ended that a value has not ended in itself. */
export function joinedSpans(lines: readonly SpanLine[]): Span[] {
  return lines.flatMap(({ spans, isContinued }, at) =>
    at === 0 || isContinued ? spans : [{ text: ' ', style: 'plain' } as const, ...spans],
  );
}

function scalarLines(
  value: unknown,
  { indent, before = [], after = '', isSecret, shown, breaks }: Place,
): SpanLine[] {
  const mask = isSecret && typeof value === 'string' ? maskOf(value) : undefined;
  const isElsewhere = typeof value === 'string' && shown?.has(value) === true;
  const stand = mask ?? (isElsewhere ? '[shown above]' : undefined);
  // Without quotes: no string of an agent looks like it.
  const spans: Span[] = stand === undefined ? scalarSpans(value) : [dim(stand)];
  return spans.map((span, at) => ({
    indent,
    spans: [...(at === 0 ? before : []), span, ...(at === spans.length - 1 ? [dim(after)] : [])],
    isContinued: at > 0,
    ...(breaks && { breaks }),
  }));
}

/** One for each line. */
function scalarSpans(value: unknown): Span[] {
  if (typeof value !== 'string') return [{ text: JSON.stringify(value), style: 'literal' }];
  const text = quoted(value).replaceAll(/\\[^]/g, (escape) => (escape === '\\n' ? '\\n\n' : escape));
  // What ends with a newline does not leave a line for its last quote.
  const lines = text.replace(/\n"$/, '"').split('\n');
  return lines.map((line) => ({ text: line, style: 'text' }));
}

function quoted(text: string): string {
  return escapeAgentLine(JSON.stringify(text));
}

function dim(text: string): Span {
  return { text, style: 'dim' };
}

function comma(at: number, { length }: readonly unknown[]): string {
  return at < length - 1 ? ',' : '';
}
