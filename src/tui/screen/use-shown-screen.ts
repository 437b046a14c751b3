import { PAST_BAR_ROWS } from '../past/past-bar.tsx';
import { useMemo } from 'react';
import { allPanes } from '../panes/all-panes.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import { listWidthOf } from '../text/list-width.ts';
import { currentPane } from './browsing.ts';
import { currentQuestion } from './current-question.ts';
import { isActing, type Focus } from './focus.ts';
import { remarkRows, type Remark } from '../text/remark.ts';
import { askedContents } from '../feed/asked-contents.ts';
import { useSecondsTo } from '../terminal/clock.ts';
import { divide, layOut, mostRemarks, type Layout, type Reading } from '../terminal/layout.ts';
import { remarksOf } from './remarks.ts';
import type { Room } from '../terminal/room.ts';
import { withRead, type ScreenState } from './screen-state.ts';
import type { ScreenSize } from '../terminal/screen-size.ts';
import { useScreenSize } from '../terminal/use-screen-size.ts';
import { useAsked, type Asked } from '../feed/use-asked.ts';
import { useDetail, type ShownDetail } from '../feed/use-detail.ts';
import { usePages, type Pages } from '../feed/use-pages.ts';

/** All that is drawn of a screen, at the size that its terminal has, and what keys can move in. */
export type ShownScreen = {
  readonly state: ScreenState;
  readonly size: ScreenSize;
  readonly layout: Layout;
  readonly asked: Asked;
  readonly remarks: readonly Remark[];
  readonly detail: ShownDetail;
  readonly pages: Pages;
  readonly room: Room;
  /** The end of a call is in sight, which had to be scrolled to. */
  readonly isAtEnd: boolean;
};

/** The screen in this state, at the size of its terminal. */
export function useShownScreen(state: ScreenState, output: AgentOutput): ShownScreen {
  const size = useScreenSize();
  const { columns, rows } = size;
  const reading = useReadingOf(state);
  const { boxWidth } = divide(columns, reading);
  const asked = useAsked(state, boxWidth);
  const secondsLeft = useSecondsTo(state.isStopping ? state.endsAt : undefined);
  const said = remarksOf(state, secondsLeft);
  const remarks = remarkRows(said, { columns, most: mostRemarks(rows) });
  const layout = layOut({
    columns,
    rows,
    tasks: state.sprint.tasks.length,
    reading,
    ...askedContents(state, asked, { width: boxWidth, rows }),
    remarkLines: remarks.length + (state.past ? PAST_BAR_ROWS : 0),
  });
  const detail = useDetail(state, output, detailWidth(state, layout, asked), layout.bodyRows);
  const pages = usePages(state, { columns, rows, remarkLines: remarks.length });
  const shown = { state, size, layout, asked, remarks, detail, pages };
  const room = roomOf(shown);
  const isAtEnd = isAtEndOfCall(shown, room);
  // It says what counts once it is painted.
  return { ...shown, state: isAtEnd ? withRead(state) : state, room, isAtEnd };
}

/** Cells of the pane that is picked: beside what agents write, where both are there. */
function detailWidth(
  state: ScreenState,
  { outputWidth, besideWidth }: Layout,
  { question, act }: Asked,
): number {
  const isBeside = besideWidth > 0 && !question && !act && currentPane(state) !== allPanes[0];
  return isBeside ? besideWidth : outputWidth;
}

/** The pane that keys move in is read, or else a question that waits, or else the output. */
function useReadingOf(state: ScreenState): Reading {
  const { sprint, titles, browsing } = state;
  const { tasks } = sprint;
  const listWidth = useMemo(() => listWidthOf(tasks, titles), [tasks, titles]);
  const isActed = isActing(state.focus);
  const isAsked = isActed || currentQuestion(state) !== undefined;
  const isInPane = !isActed && browsing.area === 'detail';
  // A question takes the place of the second pane.
  const isBeside = isAsked ? !isInPane : isInPane && currentPane(state) !== allPanes[0];
  return { listWidth, column: isBeside ? 'beside' : 'output' };
}

/** What is shown in place of all else. */
const wholePages: ReadonlySet<Focus['at']> = new Set(['help', 'result', 'palette', 'over']);

function isAtEndOfCall(
  shown: Pick<ShownScreen, 'state' | 'layout' | 'asked'>,
  { isTooSmall, questionMax }: Room,
): boolean {
  const { state, asked } = shown;
  if (isTooSmall || state.past || wholePages.has(state.focus.at)) return false;
  if (!asked.question?.approval || !showsAsked(shown) || shown.layout.isFolded) return false;
  return questionMax > 0 && state.questionTop >= questionMax;
}

function roomOf(shown: Omit<ShownScreen, 'room' | 'isAtEnd'>): Room {
  const { size, layout, asked, detail, pages } = shown;
  const { isTooSmall } = size;
  const { help, result, summary } = pages;
  const { isNarrow, isFolded, questionRows, listRows } = layout;
  const lineCount = asked.act ? 0 : asked.rows.length;
  return {
    isNarrow,
    isTooSmall,
    hidesAsked: isFolded || !showsAsked(shown),
    questionPage: Math.max(1, questionRows - 1),
    questionMax: Math.max(0, lineCount - questionRows),
    tasksPage: listRows,
    detail: detail.room,
    helpMax: help.max,
    overMax: summary.max,
    result: { page: Math.max(1, result.height - 1), max: result.max },
  };
}

/** Whether the box of what is asked is seen: a narrow screen has it or the panes. */
export function showsAsked({
  state,
  layout,
  asked,
}: Pick<ShownScreen, 'state' | 'layout' | 'asked'>): boolean {
  if (asked.act) return true;
  return asked.question !== undefined && (!layout.isNarrow || state.browsing.area === 'question');
}
