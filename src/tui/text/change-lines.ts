import { count } from '../../lib/text/count.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { CallChange, ChangedLine } from '../../views/call-changes.ts';
import { foldedLines, type FoldedLines } from '../../views/folded-lines.ts';
import type { Span, SpanLine } from './spans.ts';

const marks = { added: '+ ', removed: '- ', kept: '  ' } as const;
const styles = { added: 'added line', removed: 'removed line', kept: 'dim' } as const;

/** How many lines come and go: ` (+3 -1)`; of a file that is written anew, how many it has. */
export function changeSize({ isEdit, lines }: Pick<CallChange, 'isEdit' | 'lines'>): string {
  const of = (is: ChangedLine['is']) => lines.filter((line) => line.is === is).length;
  return isEdit ? ` (+${of('added')} -${of('removed')})` : ` (${count(lines.length, 'line')}, whole)`;
}

/**
 * What a call makes of a file: every line of it, so that nothing of it is seen only by whoever runs it. `unfold`: the file has
 * the unchanged ones, and this is the key that shows all of them.
 */
export function changedLines({ lines }: Pick<CallChange, 'lines'>, unfold?: string): SpanLine[] {
  return (unfold === undefined ? lines : foldedLines(lines)).map((line) =>
    line.is === 'folded' ? foldLine(line, unfold) : changedLine(line),
  );
}

function changedLine({ is, text }: ChangedLine): SpanLine {
  const style = styles[is];
  return {
    indent: 2,
    hang: 2,
    spans: [{ text: marks[is] + escapeAgentLine(text), style }],
    ...(is !== 'kept' && { fill: style }),
  };
}

function foldLine({ count: left }: FoldedLines, unfold = ''): SpanLine {
  return { indent: 2, spans: [{ text: `… ${left} unchanged lines: ${unfold} shows them`, style: 'name' }] };
}

/** A unified diff, or words. */
export function unifiedLines(change: string): SpanLine[] {
  return change.split('\n').map((line, at) => {
    const style = styleOf(line, at);
    const isChanged = style === 'added line' || style === 'removed line';
    return { indent: 2, spans: [{ text: escapeAgentLine(line), style }], ...(isChanged && { fill: style }) };
  });
}

function styleOf(line: string, at: number): Span['style'] {
  const names = at < 2 && /^(?:---|\+\+\+) /.test(line);
  if (names || line.startsWith('@@')) return 'dim';
  if (line.startsWith('+')) return 'added line';
  return line.startsWith('-') ? 'removed line' : 'plain';
}
