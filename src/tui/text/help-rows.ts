import { cellsOf } from '../../lib/text/cells.ts';
import type { HelpSection } from '../keys/help-sections.ts';
import { rowsOf, type Span } from './spans.ts';

/** The keys there are, as rows of this width. */
export function helpRows(sections: readonly HelpSection[], width: number): readonly (readonly Span[])[] {
  const names = sections.flatMap(({ keys }) => keys.map(([name]) => cellsOf(name)));
  const column = Math.max(0, ...names) + 4;
  return sections.flatMap(({ title, keys }, at) => [
    ...(at === 0 ? [] : [[]]),
    [{ text: title, style: 'bold' as const }],
    ...keys.flatMap(([name, what]) =>
      rowsOf(
        {
          spans: [
            { text: `  ${name}`.padEnd(column), style: 'name' },
            { text: what, style: 'plain' },
          ],
          breaks: 'words',
          hang: column,
        },
        width,
      ),
    ),
  ]);
}
