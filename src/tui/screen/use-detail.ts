import { useMemo } from 'react';
import { outputLines } from '../panes/output-pane.ts';
import type { DetailView } from '../panes/detail.tsx';
import { hasCursor, type PaneContent, type PaneLine } from '../panes/pane.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import { matching } from '../text/matching.ts';
import { paneWindow } from '../text/pane-window.ts';
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
} from './browsing.ts';
import type { ScreenState } from './screen-state.ts';

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

/** What the pane beside the tasks shows at this size, in cells and rows. */
export function useDetail(
  state: ScreenState,
  output: AgentOutput,
  width: number,
  height: number,
): ShownDetail {
  const { browsing } = state;
  const pane = currentPane(state);
  // Output is that of the task that wrote last, until one is picked.
  const isLive = pane.isLive === true && !state.past;
  const written = isLive ? (output.read(browsing.task) ?? output.read(shownTask(state))) : undefined;
  const task = written?.task ?? shownTask(state);
  const key = placeKey(pane.id, task);
  const text = width - MARGIN;
  const content = browsing.content?.key === contentKey(state, task) ? browsing.content.content : undefined;
  const lineWidth = hasCursor(pane.kind) ? text - CURSOR : text;
  const loaded = useMemo(() => content?.lines(lineWidth) ?? [], [content, lineWidth]);
  const lines = written ? outputLines(written) : loaded;
  const filter = paneFilter(state);
  const hits = matching(lines, filter.text, ({ line }) => [line.spans.map(({ text }) => text).join('')]);
  const opened = browsing.opened.get(key);
  const whole = opened === undefined ? undefined : lines.find(({ at }) => at === opened)?.whole?.();

  const isTyped = state.focus.at === 'filter' && browsing.area === 'detail';
  const isFiltered = (isTyped || filter.text !== '') && !whole;
  const silent = !isLive ? undefined : silentOf(state, output, task);
  const shown: DetailRoom = whole
    ? {
        key: wholeKey(key),
        kind: 'text',
        lines: asRows(whole, text),
        page: height,
        lastTop: 0,
      }
    : { key, kind: pane.kind, lines: hits, page: height - (isFiltered ? 1 : 0), lastTop: 0 };
  const place = browsing.places.get(shown.key);
  const isBack = shown.kind === 'log' && place !== undefined;
  const rows = Math.max(1, shown.page - (isBack || silent ? 1 : 0));
  const isList = hasCursor(shown.kind);
  const window =
    shown.lines.length === 0
      ? undefined
      : paneWindow(shown.lines, {
          kind: shown.kind,
          place,
          width: isList ? text - CURSOR : text,
          height: rows,
        });
  return {
    task,
    room: window && { ...shown, page: rows, lastTop: window.lastTop },
    view: {
      window,
      empty: lines.length > 0 ? 'Nothing has this in it' : emptyText(state, content),
      rows,
      hasCursor: isList,
      newer: isBack ? (window?.newer ?? 0) : 0,
      filter: isFiltered ? { text: filter, isTyped, hits: hits.length, of: lines.length } : undefined,
      silent: isBack ? undefined : silent,
    },
  };
}

/** What stands in a pane that has nothing to show. */
function emptyText(state: ScreenState, content: PaneContent | undefined): string {
  if (state.past || !currentPane(state).isLive) return content?.empty ?? 'Reading…';
  return state.isOwner && state.sprint.version === 0 ? 'Preparing the sprint…' : 'No output yet';
}

/** A line that is taller than the pane has to be read, too: each row is one by itself. */
function asRows(lines: readonly SpanLine[], width: number): readonly PaneLine[] {
  return lines.flatMap((line) => rowsOf(line, width)).map((spans, at) => ({ at, line: { spans } }));
}

function silentOf(state: ScreenState, output: AgentOutput, task: string | undefined): DetailView['silent'] {
  const { browsing, sprint } = state;
  const silent = silentTask(sprint.tasks, output.wroteAt);
  if (!silent || (browsing.task !== undefined && silent.id !== browsing.task)) return undefined;
  return { ...silent, isNamed: silent.id !== task };
}
