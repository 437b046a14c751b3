import { Box, Text } from 'ink';
import type { AgentView } from '../../views/sprints/describe-sprint.ts';
import { useMouseArea } from '../mouse/mouse-areas.ts';
import { useSince } from '../terminal/clock.ts';
import { colors } from '../terminal/theme.ts';
import type { PaneWindow, WindowRow } from '../text/pane-window.ts';
import type { Extent } from '../text/scroll-cells.ts';
import { progressText, type SilentTask } from '../text/silent-task.ts';
import type { TextBuffer } from '../text/text-buffer.ts';
import type { Cursor } from './list-row.tsx';
import { ScrollBar } from './scroll-bar.tsx';
import { SpanRows } from './span-row.tsx';

/** What is drawn of the pane beside the tasks. */
export type DetailView = {
  /** `undefined`: it has nothing to show. */
  readonly window: PaneWindow | undefined;
  /** Stands there then. */
  readonly empty: string;
  /** Rows for lines: what is left is for what stands below them. */
  readonly rows: number;
  /** The beginning of what Enter shows of the line at the cursor, where a list leaves room below it. */
  readonly preview: readonly WindowRow[] | undefined;
  /** What the line is to the keys that is picked; `none`: it is no list. */
  readonly cursor: Cursor;
  /** Lines that are out of sight below, where that is worth saying. */
  readonly newer: number;
  /** `undefined`: all lines are in sight. */
  readonly extent: Extent | undefined;
  /** Which lines are, for the line above it: `12–40 of 120`; `''`: all, or the end of what goes on. */
  readonly part: string;
  readonly filter:
    | { readonly text: TextBuffer; readonly isTyped: boolean; readonly count: string }
    | undefined;
  readonly silent: SilentTask | undefined;
};

/** The pane beside the tasks: the rows that fit, and below them what there is to say about them. */
export function Detail({
  view,
  width,
  height,
  beside,
}: {
  view: DetailView;
  width: number;
  height: number;
  /** Id of the pane, where no key moves in it. */
  beside?: string;
}) {
  const ref = useMouseArea(beside === undefined ? 'detail' : 'beside', () => beside);
  const { window, empty, cursor, preview, newer, filter, silent, extent, rows } = view;
  return (
    <Box ref={ref} width={width} height={height} overflow="hidden">
      <Box flexDirection="column" flexShrink={0} paddingLeft={1} width={width - 1} height={height}>
        {window && <SpanRows rows={window.rows} cursor={cursor} width={width - 2} />}
        {preview && <Preview rows={preview} width={width - 2} />}
        {!window && !silent && <Text dimColor>{empty}</Text>}
        {newer > 0 && <Text color={colors.warning}>{`▼ ${newer} newer`}</Text>}
        {filter && <Filter {...filter} />}
        {silent && <Progress {...silent} />}
      </Box>
      {extent && <ScrollBar extent={extent} rows={rows} />}
    </Box>
  );
}

function Preview({ rows, width }: { rows: readonly WindowRow[]; width: number }) {
  return (
    <>
      <Text dimColor>{'─'.repeat(width)}</Text>
      <SpanRows rows={rows} cursor="none" width={width} />
    </>
  );
}

function Filter({ text: { text, cursor }, isTyped, count }: NonNullable<DetailView['filter']>) {
  return (
    <Text wrap="truncate" color={colors.focus}>
      {`/${text.slice(0, cursor)}`}
      {isTyped && <Text inverse>{text.slice(cursor, cursor + 1) || ' '}</Text>}
      {text.slice(isTyped ? cursor + 1 : cursor)}
      <Text dimColor>{`  ${count}`}</Text>
    </Text>
  );
}

/** How far an agent is that has written nothing yet. */
function Progress({ agent }: { agent: AgentView }) {
  const since = useSince(agent.connectedAt ?? agent.startedAt);
  return (
    <Text dimColor wrap="truncate">
      {progressText(agent, since)}
    </Text>
  );
}
