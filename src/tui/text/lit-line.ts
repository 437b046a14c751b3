import type { Span, SpanLine } from './spans.ts';

/** The line with what is looked for lit, wherever it stands, in whatever case. */
export function litLine(line: SpanLine, text: string): SpanLine {
  const wanted = text.trim().toLowerCase();
  const whole = line.spans
    .map((span) => span.text)
    .join('')
    .toLowerCase();
  const starts: number[] = [];
  if (wanted !== '')
    for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + wanted.length))
      starts.push(at);
  if (starts.length === 0) return line;
  const isLit = (at: number) => starts.some((start) => at >= start && at < start + wanted.length);
  const edges = starts.flatMap((start) => [start, start + wanted.length]);
  let from = 0;
  const spans = line.spans.flatMap((span): Span[] => {
    const begin = from;
    from += span.text.length;
    const cuts = [begin, ...edges.filter((edge) => edge > begin && edge < from), from];
    return cuts.slice(0, -1).map((cut, at) => {
      const part = span.text.slice(cut - begin, (cuts[at + 1] ?? from) - begin);
      return isLit(cut) ? { text: part, style: 'lit' } : { ...span, text: part };
    });
  });
  return { ...line, spans };
}
