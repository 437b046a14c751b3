import { Box, Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { useMouseArea } from '../mouse/mouse-areas.ts';
import { colors } from '../terminal/theme.ts';
import { allPanes } from './all-panes.ts';
import type { Pane } from './pane.ts';
import { HEAVY, LIGHT, Rule } from './rule.tsx';

/** Cells of a line, at least, between the tabs and what the pane is about. */
const LEAST_LINE = 2;
/** Cells below which a name is not cut, but left out. */
const LEAST_NAME = 12;

const START = '┬';

type TabRuleProps = {
  /** The pane that is shown. */
  readonly pane: Pane;
  /** Those that can be shown here. */
  readonly tabs: readonly Pane[];
  /** What it is about. Stands at the right end, where there is room. */
  readonly about: string;
  /** Which of its lines are in sight; `''`: there is nothing to say about that. Stands behind it, where there is room for both. */
  readonly part?: string;
  /** The pane is the one that is picked: of two side by side, the one where keys move, or would. */
  readonly isPicked: boolean;
  /** Keys move in it. */
  readonly isFocused: boolean;
  readonly width: number;
};

/** The line above the pane beside the tasks: all panes with their numbers, the one that is picked in brackets. */
export function TabRule({
  pane,
  tabs: panes,
  about: task,
  part = '',
  isPicked,
  isFocused,
  width,
}: TabRuleProps) {
  const { tabs, between } = tabsFor({ pane, panes, isPicked }, width - 4);
  const room = width - 4 - cellsOfTabs(tabs, between);
  const most = room - LEAST_LINE - 3;
  const about = withPart(task, part, most);
  const name = cellsOf(about) <= most || most >= LEAST_NAME ? fit(about, most) : '';
  const stroke = isFocused ? HEAVY : LIGHT;
  const note = name === '' ? '' : ` ${name} ${stroke}`;
  const color = isFocused ? colors.focus : undefined;
  const ref = useMouseArea('tabs', ({ column }) => tabAt(tabs, { column, gap: between.length }));
  if (room < 0)
    return (
      <Rule
        width={width}
        title={pane.title}
        note={`1–${allPanes.length}`}
        start={START}
        isFocused={isFocused}
      />
    );
  return (
    <Box ref={ref}>
      <Text wrap="truncate">
        <Text dimColor={!isFocused}>{START + stroke}</Text>
        {tabs.map(({ text, isShown }, at) => (
          <Text key={text}>
            <Text dimColor>{at === 0 ? ' ' : between}</Text>
            <Text bold={isShown} dimColor={!isShown} {...(isShown && color ? { color } : {})}>
              {text}
            </Text>
          </Text>
        ))}
        <Text dimColor={!isFocused}>{` ${stroke.repeat(room - cellsOf(note))}`}</Text>
        <Text bold>{note.slice(0, -1)}</Text>
        <Text dimColor={!isFocused}>{note.slice(-1)}</Text>
      </Text>
    </Box>
  );
}

/** Both, where that many cells are enough. */
function withPart(task: string, part: string, cells: number): string {
  const both = [task, part].filter((text) => text !== '').join(' · ');
  return cellsOf(both) <= cells ? both : task;
}

type Tab = {
  readonly text: string;
  readonly isShown: boolean;
  /** `undefined`: it only says that there are more. */
  readonly pane: Pane | undefined;
};

/** Tabs, and what stands between two. */
type Tabs = { readonly tabs: readonly Tab[]; readonly between: string };

type NameOf = (pane: Pane) => string;

const cut: NameOf = ({ short }) => short.slice(0, 3);
const APART = '  ';
/** Where blanks would not be more than those within a tab. */
const DIVIDED = '│';

/**
 * What tabs are called where there is less and less room, and what stands between two: all of them are at one width, whichever is
 * shown, and whatever it is about.
 */
const names: readonly (readonly [nameOf: NameOf, between: string])[] = [
  [({ title }) => title, APART],
  [({ title }) => title, DIVIDED],
  [({ short }) => short, DIVIDED],
  [cut, DIVIDED],
];

/** All panes where there is room for their names, else only those around the one that is shown. */
function tabsFor(
  { pane, panes, isPicked }: Pick<TabRuleProps, 'pane' | 'isPicked'> & { readonly panes: readonly Pane[] },
  width: number,
): Tabs {
  const tabsOf = (some: readonly Pane[], nameOf: NameOf) =>
    some.map((each): Tab => {
      const name = `${allPanes.indexOf(each) + 1} ${nameOf(each)}`;
      const isShown = each === pane;
      return { isShown, text: isShown && isPicked ? `[${name}]` : name, pane: each };
    });
  const all = names.map(([nameOf, between]): Tabs => ({ tabs: tabsOf(panes, nameOf), between }));
  const some = partsAround(panes.indexOf(pane), panes.length).map(([first, end]): Tabs => ({
    tabs: [
      ...(first > 0 ? [more('‹')] : []),
      ...tabsOf(panes.slice(first, end), cut),
      ...(end < panes.length ? [more('›')] : []),
    ],
    between: DIVIDED,
  }));
  const ways = [...all, ...some];
  const fits = ({ tabs, between }: Tabs) => cellsOfTabs(tabs, between) <= width;
  return ways.find(fits) ?? ways.at(-1) ?? { tabs: [], between: DIVIDED };
}

/** From where to where a list is shown that has one place in it: the longest part first, then the one with most behind it. */
function partsAround(place: number, count: number): readonly (readonly [first: number, end: number])[] {
  const firsts = Array.from({ length: place + 1 }, (_, at) => place - at);
  const ends = Array.from({ length: count - place }, (_, at) => place + 1 + at);
  const parts = firsts.flatMap((first) => ends.map((end) => [first, end] as const));
  return parts.toSorted((one, other) => other[1] - other[0] - (one[1] - one[0]));
}

function more(text: string): Tab {
  return { text, isShown: false, pane: undefined };
}

/** The tab at a column: its number among all panes, from 0. */
function tabAt(
  tabs: readonly Tab[],
  { column, gap }: { readonly column: number; readonly gap: number },
): number | undefined {
  let end = START.length + LIGHT.length;
  for (const [at, { text, pane }] of tabs.entries()) {
    const begin = end + (at === 0 ? 1 : gap);
    end = begin + cellsOf(text);
    if (pane && column >= begin && column < end) return allPanes.indexOf(pane);
  }
  return undefined;
}

/** Cells that they take with this between two. */
function cellsOfTabs(tabs: readonly Tab[], between: string): number {
  return cellsOf(tabs.map(({ text }) => text).join(between));
}
