import { Box, Text } from 'ink';
import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { AnswerBox } from '../panes/answer-box.tsx';
import { Rule } from '../panes/rule.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { colors } from '../screen/theme.ts';
import type { Span } from '../text/spans.ts';
import type { PaletteItem } from './find-items.ts';
import type { PaletteOpen } from './palette-state.ts';

/** Rows that hold no item: the rule, and the box with its border. */
const FRAME_ROWS = 4;

type PalettePaneProps = {
  readonly focus: PaletteOpen<unknown>;
  /** Those that match what was typed. */
  readonly items: readonly PaletteItem[];
  readonly placeholder: string;
  /** Of tasks, by their ids. */
  readonly titles?: ReadonlyMap<string, string>;
  readonly width: number;
  readonly height: number;
};

const none: ReadonlyMap<string, string> = new Map();

/** What can be done now, and the box in which it is looked for. */
export function PalettePane({ focus, items, placeholder, titles = none, width, height }: PalettePaneProps) {
  const room = Math.max(1, height - FRAME_ROWS);
  const at = Math.min(focus.picked, Math.max(0, items.length - 1));
  const top = Math.max(0, Math.min(at - room + 1, items.length - room));
  const note = items.length > room ? `${at + 1} of ${items.length}` : undefined;
  const shown = items.slice(top, top + room).map((item) => cellsOfItem(item, titles));
  const leads = Math.max(0, ...shown.map(({ lead }) => cellsOf(lead)));
  const told = shown.filter(({ about }) => about !== '');
  const labels = Math.min(WIDEST_LABEL, Math.max(0, ...told.map(({ label }) => cellsOf(label))));
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Rule width={width} title="Commands" note={note} />
      <AnswerBox
        draft={focus.draft}
        isFocused
        color={colors.focus}
        placeholder={placeholder}
        width={width}
        rows={1}
      />
      {items.length === 0 && <Text dimColor>{'   Nothing here matches that'}</Text>}
      {shown.map((cells, index) => (
        <SpanRow
          key={top + index}
          spans={rowOf(cells, { isPicked: top + index === at, width, leads, labels })}
          barWidth={top + index === at ? width : undefined}
        />
      ))}
    </Box>
  );
}

/** A key takes so many cells at most: what is longer says what a command does. */
const WIDEST_KEY = 8;
/** Cells of the column of what has more said about it, at most. */
const WIDEST_LABEL = 32;
/** Cells before the first column. */
const CURSOR_WIDTH = 3;

/** An item in columns: the key that does the same or what it is, its name, and what there is to say of it. */
type Cells = { readonly lead: string; readonly label: string; readonly about: string };

function cellsOfItem(item: PaletteItem, titles: ReadonlyMap<string, string>): Cells {
  const { label, name } = item;
  if (item.is === 'key') return { lead: fit(name, WIDEST_KEY), label, about: '' };
  if (item.is === 'command') return { lead: '', label, about: name };
  // `task login`
  const title = item.is === 'task' ? visibleLine(titles.get(item.task) ?? '') : '';
  return { lead: item.is, label: label.slice(item.is.length + 1), about: title === '' ? name : title };
}

function rowOf({ lead, label, about }: Cells, { isPicked, width, leads, labels }: RowLook): Span[] {
  const room = width - CURSOR_WIDTH - leads - 3;
  const text =
    about === '' ? fit(label, room) : fill(label, Math.min(room, Math.max(labels, cellsOf(label))));
  const rest = room - cellsOf(text) - 2;
  return [
    { text: isPicked ? ' › ' : '   ', style: 'plain' },
    { text: `${fill(lead, leads)}  `, style: 'name' },
    { text, style: 'plain' },
    ...(about !== '' && rest > 3 ? [{ text: `  ${fit(about, rest)}`, style: 'dim' as const }] : []),
  ];
}

type RowLook = {
  readonly isPicked: boolean;
  readonly width: number;
  /** Cells of the first two columns. */
  readonly leads: number;
  readonly labels: number;
};
