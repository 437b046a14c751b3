import { Box, Text } from 'ink';
import { memo } from 'react';
import { cellsOf, fill } from '../../lib/text/cells.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { sprintAmong } from '../../views/sprints/several-projects.ts';
import type { SprintRow } from '../../views/sprints/overview.ts';
import { colors, lookOfWord, WORD_WIDTH } from '../terminal/theme.ts';
import { ProgressBar } from '../panes/progress-bar.tsx';
import { visibleSlice } from '../text/visible-slice.ts';
import { ListRow, Part, type Cursor } from '../panes/list-row.tsx';
import { offeredRunTexts } from './offered-run.ts';
import type { OverviewState } from './overview-state.ts';

type SprintListProps = {
  readonly rows: readonly SprintRow[];
  /** Those that no run can begin for want of an agent, by id. */
  readonly agentless: OverviewState['agentless'];
  /** Id of the sprint that the cursor is on. */
  readonly picked: string | undefined;
  readonly cursor: Cursor;
  readonly width: number;
  readonly height: number;
  /** Stands there while there are none. */
  readonly empty: string;
};

/** Cells of the cursor, the mark and the blanks around the word. */
const MARK_WIDTH = 1 + 2 + 1;
const BAR_CELLS = 8;
/** Names have so many cells before there is a bar. */
const LEAST_NAME = 40;
/** `no runner`: who runs it is said in so many cells before a longer name is whole. */
const LEAST_RUN = 9;

/** The sprints, one per line. */
export const SprintList = memo(function SprintList({
  rows,
  agentless,
  picked,
  cursor,
  width,
  height,
  empty,
}: SprintListProps) {
  if (rows.length === 0) return <Text dimColor wrap="truncate">{` ${empty}`}</Text>;
  const { items } = visibleSlice(rows, height, ({ sprint }) => sprint.id === picked);
  const runTexts = (row: SprintRow) => offeredRunTexts(row.runs, agentless.has(row.sprint.id));
  const { hasBar, ...widths } = divide(needsOf(items, runTexts), width);
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {items.map((row) => (
        <SprintLine
          key={row.sprint.id}
          row={row}
          texts={runTexts(row)}
          cursor={row.sprint.id === picked ? cursor : 'none'}
          widths={widths}
          hasBar={hasBar}
          width={width}
        />
      ))}
    </Box>
  );
});

/** Cells of each part of a line. */
type Widths = Readonly<Record<'word' | 'name' | 'count' | 'failed' | 'waits' | 'run', number>>;

/** The most cells that each part of a line needs. */
type Needs = Omit<Widths, 'name'> & {
  /** The cells of each name. */
  readonly names: readonly number[];
  /** Who runs it in the fewest cells: where a runner is at work, none says so. */
  readonly leastRun: number;
};

/** Who runs it, and what a key would do about that: the fullest text first. */
type RunTexts = (row: SprintRow) => readonly string[];

type Division = Widths & { readonly hasBar: boolean };

/** The least of these widths of the list in which all names are whole that are so in the widest, beside who runs it if that is there. */
export function leastWidth(
  rows: readonly SprintRow[],
  agentless: SprintListProps['agentless'],
  { least, most }: { readonly least: number; readonly most: number },
): number {
  if (rows.length === 0) return least;
  const needs = needsOf(rows, (row) => offeredRunTexts(row.runs, agentless.has(row.sprint.id)));
  const widest = divide(needs, most);
  const longest = longestIn(needs.names, widest.name);
  const leastRun = widest.run < needs.run ? 0 : needs.run;
  for (let width = least; width < most; width += 1) {
    const { name, run } = divide(needs, width);
    if (name >= longest && run >= leastRun) return width;
  }
  return most;
}

function needsOf(rows: readonly SprintRow[], runTexts: RunTexts): Needs {
  const widest = (of: (row: SprintRow) => string) => Math.max(...rows.map((row) => cellsOf(of(row))));
  return {
    word: widest(({ sprint }) => sprint.word),
    names: rows.map((row) => cellsOf(nameOf(row))),
    count: widest(countOf),
    failed: widest(failedOf),
    waits: widest(waitsOf),
    run: widest((row) => runTexts(row).find((text) => cellsOf(text) <= LEAST_RUN) ?? ''),
    leastRun: widest((row) => (row.runs.is === 'running' ? '' : (runTexts(row).at(-1) ?? ''))),
  };
}

/** The longest of these that is whole in so many cells. */
function longestIn(names: readonly number[], cells: number): number {
  return Math.max(0, ...names.filter((name) => name <= cells));
}

/** Where there is a bar only then, the words for states have no more cells than they need. */
function divide(needs: Needs, width: number): Division {
  const roomy = divideBehind({ ...needs, word: WORD_WIDTH }, width);
  return roomy.hasBar ? roomy : divideBehind(needs, width);
}

/** A name first, then who runs it in few words, or in fewer for a name that is whole then, how far it is, and the rest of that. */
function divideBehind(needs: Needs, width: number): Division {
  const { word, names, count, failed, waits, run, leastRun } = needs;
  const name = Math.max(...names);
  // Blanks stand between them.
  const room = width - MARK_WIDTH - word - count - failed - waits - 3;
  const withBar = room - BAR_CELLS - 1;
  const hasBar = withBar - run >= Math.min(name, LEAST_NAME);
  const left = hasBar ? withBar : room;
  const nameWidth = Math.max(8, Math.min(name, left - run), longestIn(names, left - leastRun));
  return { word, name: nameWidth, count, failed, waits, run: Math.max(0, left - nameWidth), hasBar };
}

type SprintLineProps = {
  readonly row: SprintRow;
  readonly texts: readonly string[];
  readonly cursor: Cursor;
  readonly widths: Widths;
  readonly hasBar: boolean;
  readonly width: number;
};

function SprintLine({ row, texts, cursor, widths, hasBar, width }: SprintLineProps) {
  const { sprint, runs } = row;
  const { mark, word, color } = lookOfWord(sprint.word);
  const isOutside = runs.is === 'outside';
  const runText = texts.find((text) => cellsOf(text) <= widths.run) ?? '';
  const state = isOutside ? ' '.repeat(2 + widths.word) : `${mark} ${word.padEnd(widths.word)}`;
  const isOver = runs.is === 'over';
  const name = fill(nameOf(row), widths.name);
  const count = ` ${countOf(row).padStart(widths.count)} `;
  const failed = failedOf(row).padEnd(widths.failed);
  const waits = waitsOf(row).padEnd(widths.waits);
  const cells =
    cellsOf(`${state} ${name}${count}${failed}${waits} ${runText}`) + (hasBar ? 1 + BAR_CELLS : 0);
  return (
    <ListRow cursor={cursor} width={width} cells={cells}>
      <Part color={isOutside ? undefined : color} dim={sprint.state === 'pending'}>
        {`${state} `}
      </Part>
      <Part bold={cursor === 'here'} dim={isOver}>
        {name}
      </Part>
      {hasBar && ' '}
      {hasBar && <ProgressBar tasks={sprint.tasks} cells={BAR_CELLS} />}
      <Part dim={isOver}>{count}</Part>
      <Part color={colors.bad}>{failed}</Part>
      <Part bold color={colors.question}>
        {waits}
      </Part>
      <Part {...toneOf(row)}>{` ${runText}`}</Part>
    </ListRow>
  );
}

function nameOf({ sprint, runs }: SprintRow): string {
  const { project } = sprintAmong(sprint.id);
  const outside = project === undefined ? 'outside of sprints' : `${project}: outside of sprints`;
  return stripAgentLine(runs.is === 'outside' ? outside : sprint.name);
}

function countOf({ done, total }: SprintRow): string {
  return total === 0 ? '' : `${done}/${total}`;
}

/** With the blank behind it. Where there is a bar, a task of many may be less than a cell of that. */
function failedOf({ failed }: SprintRow): string {
  return failed === 0 ? '' : `✗${failed} `;
}

function waitsOf({ waiting }: SprintRow): string {
  return waiting.length === 0 ? '' : `?${waiting.length}`;
}

function toneOf({ runs }: SprintRow): { color?: string; dim?: boolean } {
  if (runs.is === 'deserted' || runs.is === 'paused') return { color: colors.warning };
  if (runs.is === 'unusable') return { color: colors.bad };
  return runs.is === 'running' ? {} : { dim: true };
}
