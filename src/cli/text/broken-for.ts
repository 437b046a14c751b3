import { cellsOf, wrap } from '../../lib/text/cells.ts';

/** Lines of less than this many cells are nothing to read. */
export const NARROWEST = 40;

/** A line for this stream: on a terminal broken between words, what goes on two cells further in than it begins. */
export function brokenFor(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, line: string): string {
  const width = Math.max(NARROWEST, stream.columns ?? 80);
  if (!stream.isTTY || line.includes('\n') || cellsOf(line) <= width) return line;
  const indent = (/^ */.exec(line)?.[0].length ?? 0) + 2;
  return wrap(line, width - indent)
    .map((part, index) => (index === 0 ? part : ' '.repeat(indent) + part))
    .join('\n');
}
