import { Box, Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { useMouseArea } from '../mouse/mouse-areas.ts';
import { colors } from '../screen/theme.ts';
import { allPanes } from './all-panes.ts';
import type { Pane } from './pane.ts';
import { Rule } from './rule.tsx';

/** Cells of a line, at least, between the tabs and what the pane is about. */
const LEAST_LINE = 2;
/** Cells below which a name is not cut, but left out. */
const LEAST_NAME = 12;

const START = '┬─';

type TabRuleProps = {
  /** The pane that is shown. */
  readonly pane: Pane;
  /** Those that can be shown here. */
  readonly tabs: readonly Pane[];
  /** What it is about. Stands at the right end, where there is room. */
  readonly about: string;
  /** Keys move in it. */
  readonly isFocused: boolean;
  readonly width: number;
};

/** The line above the pane beside the tasks: all panes with their numbers, the one that is shown in brackets. */
export function TabRule({ pane, tabs: panes, about, isFocused, width }: TabRuleProps) {
  const tabs = tabsFor(pane, panes, width - 4);
  const room = width - 4 - cellsOfTabs(tabs);
  const most = room - LEAST_LINE - 3;
  const name = cellsOf(about) <= most || most >= LEAST_NAME ? fit(about, most) : '';
  const note = name === '' ? '' : ` ${name} ─`;
  const color = isFocused ? colors.focus : undefined;
  const ref = useMouseArea('tabs', ({ column }) => tabAt(tabs, panes, column));
  if (room < 0)
    return <Rule width={width} title={pane.title} note={`1–${allPanes.length}`} start="┬" color={color} />;
  return (
    <Box ref={ref}>
      <Text wrap="truncate">
        <Text dimColor>{START}</Text>
        {tabs.map(({ text, isShown }) => (
          <Text key={text} bold={isShown} dimColor={!isShown} {...(isShown && color ? { color } : {})}>
            {` ${text}`}
          </Text>
        ))}
        <Text dimColor>{` ${'─'.repeat(room - cellsOf(note))}`}</Text>
        <Text bold>{note.slice(0, -1)}</Text>
        <Text dimColor>{note.slice(-1)}</Text>
      </Text>
    </Box>
  );
}

type Tab = { readonly isShown: boolean; readonly text: string };

/**
 * All names where there is room for them, else the one that is shown and short ones: those that are far from it become short, then
 * lose their names, first.
 */
function tabsFor(pane: Pane, panes: readonly Pane[], width: number): readonly Tab[] {
  const shown = panes.indexOf(pane);
  const withNames = (nameOf: (each: Pane, distance: number) => string) =>
    panes.map((each, at): Tab => {
      const name = `${allPanes.indexOf(each) + 1} ${nameOf(each, Math.abs(at - shown))}`.trimEnd();
      return { isShown: each === pane, text: each === pane ? `[${name}]` : name };
    });
  const reaches = panes.map((_, at) => panes.length - 1 - at);
  const ways = [
    ...reaches.map((reach) => withNames(({ title, short }, far) => (far <= reach ? title : short))),
    ...reaches.map((reach) =>
      withNames(({ title, short }, far) => (far === 0 ? title : far <= reach ? short : '')),
    ),
  ];
  return ways.find((tabs) => cellsOfTabs(tabs) <= width) ?? ways.at(-1) ?? [];
}

/** The tab at a column: its number among all panes, from 0. */
function tabAt(tabs: readonly Tab[], panes: readonly Pane[], column: number): number | undefined {
  let end = START.length;
  for (const [at, { text }] of tabs.entries()) {
    const begin = end + 1;
    end = begin + cellsOf(text);
    const pane = panes[at];
    if (pane && column >= begin && column < end) return allPanes.indexOf(pane);
  }
  return undefined;
}

function cellsOfTabs(tabs: readonly Tab[]): number {
  return cellsOf(tabs.map(({ text }) => text).join(' '));
}
