import { useMemo } from 'react';
import type { DetailView } from '../panes/detail.tsx';
import type { Cursor } from '../panes/list-row.tsx';
import { hasCursor, type PaneContent, type PaneLine } from '../panes/pane.ts';
import type { AgentOutput, TaskOutput } from '../text/agent-output.ts';
import { litLine } from '../text/lit-line.ts';
import { matching } from '../text/matching.ts';
import { cursorAt, indexAt, paneWindow, type PaneWindow, type WindowRow } from '../text/pane-window.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { rowsOf, type SpanLine } from '../text/spans.ts';
import { silentTask } from '../text/silent-task.ts';
import {
  contentKey,
  currentPane,
  paneFilter,
  placeKey,
  shownTask,
  wholeKey,
  type DetailRoom,
} from '../screen/browsing.ts';
import { useGoneAgents } from '../terminal/clock.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Cells that hold no text: a blank on each side. */
const MARGIN = 2;
/** Cells of the mark of the cursor. */
const CURSOR = 2;

/** The pane beside the tasks as it is to be drawn, and what keys can move in. */
export type ShownDetail = {
  /** The task that it is about. */
  readonly task: string | undefined;
  readonly view: DetailView;
  readonly room: DetailRoom | undefined;
};

function cursorOf({ browsing, focus }: ScreenState): Cursor {
  const isThere = browsing.area === 'detail' && (focus.at === 'sprint' || focus.at === 'filter');
  return isThere ? 'here' : 'elsewhere';
}

/** What the pane beside the tasks shows at this size, in cells and rows. */
export function useDetail(
  state: ScreenState,
  output: AgentOutput,
  width: number,
  height: number,
): ShownDetail {
  const { browsing } = state;
  const pane = currentPane(state);
  const isLive = pane.isLive === true && !state.past;
  const written = useWritten(state, output, isLive);
  const task = shownTask(state);
  const key = placeKey(pane.id, task);
  const text = width - MARGIN;
  const content = browsing.content?.key === contentKey(state, task) ? browsing.content.content : undefined;
  const lineWidth = hasCursor(pane.kind) ? text - CURSOR : text;
  const all = useMemo(() => written?.lines ?? content?.lines(lineWidth) ?? [], [written, content, lineWidth]);
  const filter = paneFilter(state);
  const hits = useMemo(() => hitsIn(all, filter.text), [all, filter.text]);
  const opened = browsing.opened.get(key);
  const whole = useWhole(all, opened, text);

  const isTyped = state.focus.at === 'filter' && browsing.area === 'detail';
  const isFiltered = (isTyped || filter.text !== '') && !whole;
  const picked = filter.text === '' ? undefined : browsing.found.get(key);
  const gone = useGoneAgents();
  const silent = pane.isLive ? silentOf(state, { output, content, task, gone }) : undefined;
  const page = height - (isFiltered ? 1 : 0);
  const shown = whole
    ? ({ key: wholeKey(key), kind: 'text', lines: whole, page: height } as const)
    : { key, kind: pane.kind, lines: picked === undefined ? hits : all, page };
  const place = browsing.places.get(shown.key);
  const isBack = shown.kind === 'log' && place !== undefined;
  const isList = hasCursor(shown.kind);
  const { kind, lines } = shown;
  const room = Math.max(1, shown.page - (isBack || silent ? 1 : 0));
  const rows = isList ? listRows(lines.length, room) : room;
  const preview = usePreview(lines[isList ? cursorAt(lines, kind, place) : -1], room - rows - 1, text);
  const lit = whole ? '' : filter.text;
  const window = useMemo(
    () =>
      lines.length === 0
        ? undefined
        : paneWindow(lit === '' ? lines : litLines(lines, lit), {
            kind,
            place,
            picked,
            width: isList ? text - CURSOR : text,
            height: rows,
          }),
    [lines, lit, kind, place, picked, isList, text, rows],
  );
  return {
    task,
    room: window && { ...shown, all, hits, page: rows, lastTop: window.lastTop },
    view: {
      window,
      empty: all.length > 0 ? 'Nothing has this in it' : emptyText(state, content),
      rows,
      cursor: isList ? cursorOf(state) : 'none',
      preview,
      newer: isBack ? (window?.newer ?? 0) : 0,
      extent: window && extentOf(window, lines.length),
      part: window && shown.kind !== 'log' ? partOf(window, lines.length) : '',
      filter: isFiltered ? { text: filter, isTyped, count: countOf(hits, all, picked) } : undefined,
      silent: isBack ? undefined : silent,
    },
  };
}

/**
 * What the agents of the task that is shown have written: the one that keys act on, whoever wrote last. As old as what the
 * screen was told of.
 */
function useWritten(state: ScreenState, output: AgentOutput, isLive: boolean): TaskOutput | undefined {
  const { outputVersion } = state;
  const shown = shownTask(state);
  return useMemo(
    () => (isLive ? output.read(shown) : undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- it counts what is read
    [isLive, output, shown, outputVersion],
  );
}

function hitsIn(lines: readonly PaneLine[], text: string): readonly PaneLine[] {
  return matching(lines, text, ({ line }) => [line.spans.map((span) => span.text).join('')]);
}

/** What is looked for is lit in the lines that are drawn. */
function litLines(lines: readonly PaneLine[], text: string): readonly PaneLine[] {
  return lines.map((each) => ({
    at: each.at,
    isHeading: each.isHeading ?? false,
    get line() {
      return litLine(each.line, text);
    },
  }));
}

/** A line of a list that is shown in place of it. */
function useWhole(
  lines: readonly PaneLine[],
  opened: number | undefined,
  width: number,
): readonly PaneLine[] | undefined {
  return useMemo(() => {
    const whole = opened === undefined ? undefined : lines.find(({ at }) => at === opened)?.whole?.(width);
    return whole && asRows(whole, width);
  }, [lines, opened, width]);
}

/** Of so many lines, those that are out of sight; `undefined`: none are. */
function extentOf({ above, newer: below }: PaneWindow, lines: number): DetailView['extent'] {
  return above + below === 0 ? undefined : { above, shown: Math.max(1, lines - above - below), below };
}

/** Which lines are in sight, of how many; `''`: all are. */
function partOf({ above, newer }: PaneWindow, lines: number): string {
  return above + newer === 0 ? '' : `${above + 1}–${Math.max(above + 1, lines - newer)} of ${lines}`;
}

/** Rows of a preview that are worth a line above it. */
const LEAST_PREVIEW = 6;

/** Rows of a pane that is high enough to show a preview below a long list. */
const TALL = 22;

/** How many rows a list takes: in a tall pane half of it at most, else all it needs, and a preview is there where it leaves room. */
function listRows(count: number, room: number): number {
  if (room >= TALL) return Math.min(Math.max(1, count), room >> 1);
  return count > 0 && room - count - 1 >= LEAST_PREVIEW ? count : room;
}

/** What the line at the cursor of a list has more to say, as far as there is room below the list. */
function usePreview(
  line: PaneLine | undefined,
  height: number,
  width: number,
): readonly WindowRow[] | undefined {
  return useMemo(() => {
    if (height < LEAST_PREVIEW || !line?.whole) return undefined;
    const rows: WindowRow[] = [];
    const lines = line.whole(width);
    let taken = 0;
    for (; taken < lines.length && rows.length <= height; taken += 1)
      rows.push(...rowsOf(lines[taken] ?? { spans: [] }, width).map((spans) => ({ spans, isPicked: false })));
    if (rows.length <= height) return rows;
    const left = Math.max(1, lines.length - taken);
    const more = { text: `↓ ${count(left, 'line')} more: Enter`, style: 'dim' } as const;
    return [...rows.slice(0, height - 1), { spans: [more], isPicked: false }];
  }, [line, height, width]);
}

/** How many lines are left of how many; which of them is gone to. */
function countOf(hits: readonly PaneLine[], all: readonly PaneLine[], picked: number | undefined): string {
  if (picked === undefined) return `${hits.length} of ${all.length}`;
  const at = indexAt(hits, picked);
  return `${hits[at]?.at === picked ? `${at + 1} of ` : ''}${hits.length} in ${all.length}`;
}

/** What stands in a pane that has nothing to show. */
function emptyText(state: ScreenState, content: PaneContent | undefined): string {
  if (state.past || !currentPane(state).isLive) return content?.empty ?? 'Reading…';
  if (state.isOwner && state.sprint.version === 0) return 'Preparing the sprint…';
  const shown = shownTask(state);
  const { worker, ran } = state.sprint.tasks.find(({ id }) => id === shown) ?? {};
  if (worker !== undefined) return `No output here: worker ${visibleLine(worker)} keeps it`;
  if (ran?.endedAt !== undefined) return 'No output here: none was written, or on another machine';
  return 'No output yet';
}

/** A line that is taller than the pane has to be read, too: each row is one by itself. */
function asRows(lines: readonly SpanLine[], width: number): readonly PaneLine[] {
  return lines.flatMap((line) => rowsOf(line, width)).map((spans, at) => ({ at, line: { spans } }));
}

/** The task that is shown, where it seems to stand still. An agent that is gone is not waited for. */
function silentOf(
  { sprint, past }: ScreenState,
  {
    output,
    content,
    task,
    gone,
  }: {
    readonly output: AgentOutput;
    readonly content: PaneContent | undefined;
    readonly task: string | undefined;
    readonly gone: ReadonlySet<string>;
  },
): DetailView['silent'] {
  const shown = sprint.tasks.find(({ id }) => id === task);
  if (!shown || gone.has(shown.id)) return undefined;
  if (past) return content?.isSilent === true ? silentTask(shown, undefined) : undefined;
  return silentTask(shown, output.wroteAt(shown.id));
}
