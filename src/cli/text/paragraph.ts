import { cellsOf, wrap } from '../../tui/cells.ts';
import type { Cli } from '../cli.ts';

/** Lines are easier to read up to here, in cells, however wide the terminal is. */
const WIDEST = 100;
const NARROWEST = 40;

/** How wide the lines of a command may be, in cells: 80 where there is no terminal. */
export function lineWidth({ stdout }: Pick<Cli, 'stdout'>): number {
  return Math.min(WIDEST, Math.max(NARROWEST, stdout.columns ?? 80));
}

/** A text as lines of this width, the first behind `lead`, the others below its beginning. */
export function paragraph(lead: string, text: string, width: number): string[] {
  const indent = cellsOf(lead);
  return wrap(text, Math.max(1, width - indent)).map(
    (line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line,
  );
}
