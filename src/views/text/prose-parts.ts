/** A part of a line that looks the same. */
export type ProsePart = { readonly text: string; readonly style: 'plain' | 'bold' | 'code' | 'dim' };

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
export function proseParts(text: string): ProsePart[] {
  if (FENCE.test(text)) return [{ text, style: 'dim' }];
  const [marks = ''] = HEADING.exec(text) ?? [];
  const rest = text.slice(marks.length);
  if (marks === '') return inlineParts(rest, 'plain');
  return [{ text: marks, style: 'dim' }, ...inlineParts(rest, 'bold')];
}

function inlineParts(text: string, style: ProsePart['style']): ProsePart[] {
  const parts: ProsePart[] = [];
  let end = 0;
  const put = (part: string, how: ProsePart['style']) => {
    if (part !== '') parts.push({ text: part, style: how });
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
  return parts.length === 0 ? [{ text, style }] : parts;
}
