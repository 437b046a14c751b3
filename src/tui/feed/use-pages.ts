import { helpSections } from '../keys/help-sections.ts';
import { pageOf, type Page } from '../panes/page-pane.tsx';
import { useResultRows } from '../palette/result-pane.tsx';
import { helpRows } from '../text/help-rows.ts';
import type { Span } from '../text/spans.ts';
import { summaryRows, type SummaryRow } from '../text/summary-rows.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { helpInWords, KeyWordsContext } from '../keys/key-words.ts';
import { useContext } from 'react';

/** Header, rule and hints. */
const CHROME_ROWS = 3;

/** What is shown in place of the panes, as far as it is. */
export type Pages = {
  readonly help: Page<readonly Span[]>;
  readonly result: Page<readonly Span[]>;
  readonly summary: Page<SummaryRow>;
};

type PageSize = { readonly columns: number; readonly rows: number; readonly remarkLines: number };

/** What there is to show in place of the panes. */
export function usePages(state: ScreenState, { columns, rows, remarkLines }: PageSize): Pages {
  const { focus, summary, sprint, titles } = state;
  const isInWords = useContext(KeyWordsContext);
  const width = columns - 2;
  const height = rows - CHROME_ROWS;
  return {
    help: pageOf(
      focus.at === 'help'
        ? helpRows(helpInWords(helpSections({ state }, focus.find.text), isInWords), width, height)
        : [],
      height,
    ),
    result: pageOf(useResultRows(state, width), height),
    // What there is to say stands below it.
    summary: pageOf(
      focus.at === 'over' && summary ? summaryRows(summary, { sprint, titles, width }) : [],
      height - remarkLines,
    ),
  };
}
