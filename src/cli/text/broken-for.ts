import { cellsOf, wrap } from '../../lib/text/cells.ts';

/** Lines of less than this many cells are nothing to read. */
const NARROWEST = 40;

/** How wide a terminal is, in cells: 80 where it does not know, or says that it has none, as some pseudo terminals do. */
export function columnsOf({ columns }: { readonly columns?: number | undefined }): number {
  return Math.max(NARROWEST, columns || 80);
}

/** A line for this stream: on a terminal broken between words, what goes on two cells further in than it begins. */
export function brokenFor(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, line: string): string {
  const width = columnsOf(stream);
  if (!stream.isTTY || line.includes('\n') || cellsOf(line) <= width) return line;
  const indent = (/^ */.exec(line)?.[0].length ?? 0) + 2;
  return wrap(line, width - indent)
    .map((part, index) => (index === 0 ? part : ' '.repeat(indent) + part))
    .join('\n');
}
