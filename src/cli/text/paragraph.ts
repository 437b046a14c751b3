import { cellsOf, wrap } from '../../lib/text/cells.ts';
import type { Cli } from '../cli.ts';
import { columnsOf } from './broken-for.ts';

/** Lines are easier to read up to here, in cells, however wide the terminal is. */
const WIDEST = 100;

/** How wide the lines of a command may be, in cells: where there is no terminal as `COLUMNS` says, else 80. */
export function lineWidth({ stdout, env }: Pick<Cli, 'stdout' | 'env'>): number {
  const said = stdout.isTTY ? stdout : { columns: Number(env['COLUMNS']) };
  return Math.min(WIDEST, columnsOf(said));
}

/** Where lines are printed. */
export type Page = { readonly stdout: Pick<Cli['stdout'], 'isTTY' | 'columns'> };

/** A text as lines of this width, the first behind `lead`, the others below its beginning. */
export function paragraph(lead: string, text: string, width: number): string[] {
  const indent = cellsOf(lead);
  return wrap(text, Math.max(1, width - indent)).map(
    (line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line,
  );
}

/**
 * A line for whoever reads it. A terminal would break it inside a word: there it is lines, broken between words, the
 * later ones `indent` cells in. A pipe or a file gets it as it is, for programs that look for it.
 *
 * @param lead - How it begins: is not broken, may be coloured, and ends with a blank.
 * @param indent - In cells, no more than `lead` takes. Default: below the beginning of the text.
 */
export function hanging({ stdout }: Page, lead: string, text: string, indent = cellsOf(lead)): string {
  if (!stdout.isTTY) return lead + text;
  const width = columnsOf(stdout);
  const below = ' '.repeat(indent);
  if (cellsOf(lead) >= width)
    return [lead.trimEnd(), ...wrap(text, width - indent).map((line) => below + line)].join('\n');
  // What stands for the lead is a word as wide as it.
  const stand = 'x'.repeat(Math.max(0, cellsOf(lead) - indent - 1)) + (cellsOf(lead) > indent ? ' ' : '');
  return wrap(stand + text, width - indent)
    .map((line, index) => (index === 0 ? lead + line.slice(stand.length) : below + line))
    .join('\n');
}
