import type { Span } from '../../tui/text/spans.ts';
import type { Cli } from '../cli.ts';
import type { Style } from '../printer.ts';

/** The looks of the screen, as they are printed. */
const styles = {
  plain: undefined,
  dim: 'dim',
  bold: 'bold',
  italic: 'italic',
  heading: ['bold', 'underline'],
  code: 'green',
  name: 'cyan',
  text: 'green',
  literal: 'magenta',
  lit: 'inverse',
  added: 'green',
  removed: 'red',
  'added line': 'green',
  'removed line': 'red',
  'added word': ['green', 'underline'],
  'removed word': ['red', 'underline'],
  warning: ['yellow', 'bold'],
  danger: ['red', 'bold'],
  chosen: ['cyan', 'bold'],
} as const satisfies Record<Span['style'], Style | undefined>;

/** A row of the screen as a line to be printed: without the blanks at its end that only fill it. */
export function spanText(row: readonly Span[], style: Cli['style']): string {
  const last = row.at(-1);
  const isFilled = last !== undefined && fillers.has(last.style);
  const shown = isFilled ? [...row.slice(0, -1), { ...last, text: last.text.trimEnd() }] : row;
  return shown
    .map((span) => {
      const look = styles[span.style];
      return look === undefined || span.text === '' ? span.text : style(look, span.text);
    })
    .join('');
}

/** Where each blank counts, as in arguments, it stays. */
const fillers: ReadonlySet<Span['style']> = new Set(['dim', 'added line', 'removed line']);
