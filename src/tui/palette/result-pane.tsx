import { useMemo } from 'react';
import { PagePane, type Page } from '../panes/page-pane.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { OutputLine } from '../text/output-line.ts';
import type { OwnStyle } from '../../lib/text/own-style.ts';
import { rowsOf, type Span } from '../text/spans.ts';
import type { CommandResult, PaletteState } from './palette-state.ts';

/** What a command has said, in rows of this width: with its colours, and nothing that acts on a terminal. */
export function useResultRows(
  { focus, palette }: { readonly focus: { readonly at: string }; readonly palette: PaletteState },
  width: number,
): readonly Span[][] {
  const isShown = focus.at === 'result';
  const { text = '', end } = palette.result ?? {};
  return useMemo(() => {
    if (!isShown) return [];
    let style: OwnStyle | undefined;
    const rows = text
      .replace(/\n$/, '')
      .split('\n')
      .flatMap((raw) => {
        const line = new OutputLine(raw, style);
        style = line.next;
        return rowsOf(line.line, width);
      });
    return end ? [...rows, [], [{ text: end, style: 'dim' as const }]] : rows;
  }, [isShown, text, end, width]);
}

type ResultPaneProps = {
  readonly result: CommandResult | undefined;
  readonly page: Page<readonly Span[]>;
  readonly top: number;
  readonly width: number;
};

/** What a command has said, in place of everything else. */
export function ResultPane({ result, ...shown }: ResultPaneProps) {
  return (
    <PagePane {...shown} title={result?.title ?? ''} note={result?.end === undefined ? 'runs' : undefined}>
      {(spans) => <SpanRow spans={spans} />}
    </PagePane>
  );
}
