import { visible } from '../../lib/text/visible.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { isNarrow } from '../terminal/layout.ts';
import { formLines } from './form-lines.ts';
import { isGap, markdownLines } from './markdown-lines.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

/** What of a question stands in its rows. */
type Said = Pick<Question, 'kind' | 'question' | 'options' | 'questions' | 'reason' | 'context'> &
  Partial<Pick<Question, 'earlierAnswer'>>;

/** Most rows of a reason above its question: behind a longer one the question would be out of sight. */
const MOST_REASON_ROWS = 3;
/** The same on a narrow terminal: there are few rows then, too, and none to say where it is. */
const MOST_REASON_ROWS_NARROW = 1;

/**
 * Everything an agent says with a question, escaped and wrapped: why it asks, the question, and what helps to decide. Behind that its
 * options, unless they stand elsewhere. The shell and the page have the same order, but for a long reason: that stands below the
 * question here.
 */
export function questionRows(question: Said, width: number, { withOptions = true } = {}): Span[][] {
  const { kind, options, questions = [], context, earlierAnswer } = question;
  const reason = question.reason === question.question ? undefined : question.reason;
  const asked = question.question.trim();
  // What a program prints is no markdown.
  const said = kind === 'prompt' ? plainLines(asked, 'bold') : askedLines(asked);
  const reasonLines = about('Reason', reason);
  const reasonRows = reasonLines.flatMap((line) => rowsOf(line, width)).length;
  const isBelow = reasonRows > (isNarrow(width) ? MOST_REASON_ROWS_NARROW : MOST_REASON_ROWS);
  const whereBelow = isNarrow(width) ? [] : about('Reason', `below, ${reasonRows} lines`);
  const parts = [
    isBelow ? whereBelow : reasonLines,
    said,
    isBelow ? reasonLines : [],
    [
      ...(kind === 'prompt' ? about : aboutAsRead)('Context', context),
      ...about('You answered before', earlierAnswer),
    ],
    formLines(questions),
    withOptions ? options.flatMap((option, at) => optionLine(option, at)) : [],
  ];
  return parts.flatMap((part) => part.flatMap((line) => rowsOf(line, width)));
}

/** An option behind its number. */
function optionLine(option: string, at: number): SpanLine[] {
  return plainLines(` ${at + 1}  ${option.trim()}`, 'name').map((line) => ({ ...line, hang: 4 }));
}

/** The words of a question, as markdown: what it asks stands out. */
export function askedLines(text: string): SpanLine[] {
  return emphasised(asRead(text));
}

/** Markdown, with the line breaks that were made. */
function asRead(text: string): SpanLine[] {
  return markdownLines(visible(text), { keepsBreaks: true });
}

/**
 * What is asked stands out: a short question as a whole, of a longer one the last paragraph that ends in a question mark, or else the
 * first.
 */
function emphasised(lines: readonly SpanLine[]): SpanLine[] {
  const isBlank = (line: SpanLine | undefined) => line === undefined || isGap(line);
  const isShort = !lines.some(isBlank);
  const found = lines.findLastIndex(({ spans }, at) => {
    const last = spans.at(-1);
    return isBlank(lines[at + 1]) && last?.style === 'plain' && ASKS.test(last.text);
  });
  const end = found < 0 ? lines.findIndex(isBlank) - 1 : found;
  const start = lines.slice(0, Math.max(0, end)).findLastIndex(isBlank) + 1;
  return lines.map((line, at) => ({
    ...line,
    spans: line.spans.map((span) =>
      (isShort || (at >= start && at <= end)) && span.style === 'plain' ? { ...span, style: 'bold' } : span,
    ),
  }));
}

/** How a paragraph ends that asks. */
const ASKS = /[?？؟]["'”’»)\]]*\s*$/u;

/** What is said beside a question, below or behind its label; none where nothing is. */
export function about(label: string, text = ''): SpanLine[] {
  return labelled(label, text.trim() === '' ? [] : plainLines(text.trim(), 'dim'));
}

/** The same of Markdown. */
export function aboutAsRead(label: string, text = ''): SpanLine[] {
  const lines = text.trim() === '' ? [] : asRead(text.trim());
  const dimmed = (span: Span): Span => (span.style === 'plain' ? { ...span, style: 'dim' } : span);
  return labelled(
    label,
    lines.map((line) => ({ ...line, spans: line.spans.map(dimmed) })),
  );
}

/** Several lines stand below their label, where they line up. */
function labelled(label: string, lines: readonly SpanLine[]): SpanLine[] {
  const [only, ...others] = lines;
  if (!only) return [];
  if (others.length === 0) return [{ ...only, spans: [{ text: `${label}: `, style: 'dim' }, ...only.spans] }];
  const indented = lines.map((line): SpanLine => {
    const { indent = 0, hang, spans } = line;
    if (spans.length === 0) return line;
    return { ...line, indent: indent + 2, ...(hang === undefined ? {} : { hang: hang + 2 }) };
  });
  return [...plainLines(`${label}:`, 'dim'), ...indented];
}

/** Text that is no markdown. */
export function plainLines(text: string, style: Span['style']): SpanLine[] {
  return visible(text)
    .split('\n')
    .map((line) => ({ spans: [{ text: line, style }], breaks: 'words' }));
}
