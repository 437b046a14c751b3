import { shellWord } from '../../lib/text/shell-word.ts';
import { wrap } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Remark } from '../text/remark.ts';
import { colors } from '../terminal/theme.ts';
import type { OverviewState } from './overview-state.ts';

const MAX_LINES = 3;

/** What there is to say above the hints: what is asked, typed or was done, and what cannot be read. */
export function overviewRemarks(state: OverviewState, columns: number): Remark[] {
  const { focus, filter, notice, overview } = state;
  const lines = (text: string, color: string): Remark[] =>
    wrap(visibleLine(text), columns - 2)
      .slice(0, MAX_LINES)
      .map((line) => ({ text: line, color }));
  return [
    ...(focus.at === 'start' ? lines(askedToRun(focus.sprint, overview), colors.question) : []),
    ...(focus.at === 'filter' || filter.text !== '' ? [filterLine(state)] : []),
    ...(notice ? lines(notice.text, toneColors[notice.tone]) : []),
    ...overview.problems.slice(0, 1).flatMap((problem) => lines(problem, colors.warning)),
  ];
}

/** Options of the last run are not repeated. */
function askedToRun(id: string, { rows }: OverviewState['overview']): string {
  const { runOptions = [] } = rows.find(({ sprint }) => sprint.id === id)?.sprint ?? {};
  const asked = `Run ${id} here? Its agents start at once`;
  if (runOptions.length === 0) return `${asked}.`;
  return `${asked}, as the configuration says: without ${runOptions.map(shellWord).join(' ')} of the last run.`;
}

const toneColors = { ok: colors.ok, warning: colors.warning, info: colors.focus } as const;

function filterLine({ focus, filter: { text, cursor } }: OverviewState): Remark {
  const typed = focus.at === 'filter' ? `${text.slice(0, cursor)}▏${text.slice(cursor)}` : text;
  return { text: `/${typed}`, color: colors.focus };
}
