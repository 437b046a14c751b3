import type { Span } from './spans.ts';

/** Marks before a heading, and the blank behind them. */
const HEADING = /^#{1,6} +(?=\S)/;

/** What begins or ends a block of code. */
const FENCE = /^\s*(?:`{3,}|~{3,})/;

/** Code, or words that are to stand out: between marks that touch them, on one line. */
const MARKED = /(?<![`\\])(`{1,2})(?!`)([^`]+)\1(?!`)|(?<![*\w\\])\*\*(?=[^\s*])([^*]+)(?<=\S)\*\*(?![*\w])/g;

/**
 * A line that an agent wrote, most of which is markdown: what it marks stands out. Nothing is left out, not even the marks: it may as
 * well be a program's, of which each character counts.
 */
export function proseSpans(text: string): Span[] {
  if (FENCE.test(text)) return [{ text, style: 'dim' }];
  const [marks = ''] = HEADING.exec(text) ?? [];
  const rest = text.slice(marks.length);
  if (marks === '') return inlineSpans(rest, 'plain');
  return [{ text: marks, style: 'dim' }, ...inlineSpans(rest, 'bold')];
}

function inlineSpans(text: string, style: Span['style']): Span[] {
  const spans: Span[] = [];
  let end = 0;
  const put = (part: string, how: Span['style']) => {
    if (part !== '') spans.push({ text: part, style: how });
  };
  for (const { 0: whole, 1: ticks, 2: code, 3: strong = '', index } of text.matchAll(MARKED)) {
    put(text.slice(end, index), style);
    const mark = ticks ?? '**';
    put(mark, 'dim');
    put(code ?? strong, code === undefined ? 'bold' : 'code');
    put(mark, 'dim');
    end = index + whole.length;
  }
  put(text.slice(end), style);
  return spans.length === 0 ? [{ text, style }] : spans;
}
