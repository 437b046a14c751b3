import { Box, Text } from 'ink';
import { useContext } from 'react';
import { rememberLast } from '../../lib/remember-last.ts';
import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { AnswerBox } from '../panes/answer-box.tsx';
import { keyInWords, KeyWordsContext } from '../keys/key-words.ts';
import { Rule } from '../panes/rule.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { colors } from '../terminal/theme.ts';
import type { Span } from '../text/spans.ts';
import type { PaletteItem } from './find-items.ts';
import { groupedRows, type PaletteRow } from './palette-groups.ts';
import type { PaletteOpen } from './palette-state.ts';
import { clamp } from '../text/clamp.ts';

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
  const isInWords = useContext(KeyWordsContext);
  const room = Math.max(1, height - FRAME_ROWS);
  const at = Math.min(focus.picked, Math.max(0, items.length - 1));
  const rows = rowsFor(items, focus.draft.text);
  const pickedRow = rows.findIndex((row) => 'at' in row && row.at === at);
  const top = clamp(pickedRow - room + 1, 0, rows.length - room);
  const note = rows.length > room ? `${at + 1} of ${items.length}` : undefined;
  const shown = rows
    .slice(top, top + room)
    .map((row) => ('heading' in row ? row : { ...cellsOfItem(row.item, { titles, isInWords }), at: row.at }));
  const cells = shown.flatMap((row) => ('heading' in row ? [] : [row]));
  const keys = Math.max(0, ...cells.map(({ key }) => cellsOf(key)));
  const told = cells.filter(({ about }) => about !== '');
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
      {shown.map((row, index) =>
        'heading' in row ? (
          <SpanRow key={top + index} spans={[{ text: ` ${row.heading}`, style: 'bold' }]} />
        ) : (
          <SpanRow
            key={top + index}
            spans={rowOf(row, { isPicked: row.at === at, width, keys, labels })}
            barWidth={row.at === at ? width : undefined}
          />
        ),
      )}
    </Box>
  );
}

/** Below headings, while nothing was typed: what matches a text stands in the order in which it does. */
const rowsFor = rememberLast(
  (items: readonly PaletteItem[], text: string): readonly PaletteRow<PaletteItem>[] =>
    text.trim() === '' ? groupedRows(items) : items.map((item, at) => ({ item, at })),
);

/** Keys stand no further from their names, on however wide a screen. */
const WIDEST_ROW = 100;
/** A key takes so many cells at most. */
const WIDEST_KEY = 8;
/** Cells of the column of what has more said about it, at most. */
const WIDEST_LABEL = 32;
/** Cells before the first column. */
const CURSOR_WIDTH = 3;

/** An item in columns: its name, what there is to say of it, and the key that does the same. */
type Cells = { readonly label: string; readonly about: string; readonly key: string };

function cellsOfItem(
  item: PaletteItem,
  { titles, isInWords }: { readonly titles: ReadonlyMap<string, string>; readonly isInWords: boolean },
): Cells {
  const { label, name } = item;
  if (item.is === 'key')
    return { label, about: '', key: fit(isInWords ? keyInWords(name) : name, WIDEST_KEY) };
  const title = item.is === 'task' ? visibleLine(titles.get(item.task) ?? '') : '';
  return { label, about: title === '' ? name : title, key: '' };
}

/** The name comes first: it is what is looked for. */
function rowOf({ label, about, key }: Cells, { isPicked, width, keys, labels }: RowLook): Span[] {
  const room = Math.min(width, WIDEST_ROW) - CURSOR_WIDTH - keys - 3;
  const text =
    about === '' ? fit(label, room) : fill(label, Math.min(room, Math.max(labels, cellsOf(label))));
  const left = room - cellsOf(text);
  const said = about !== '' && left > 5 ? `  ${fit(about, left - 2)}` : '';
  return [
    { text: isPicked ? ' › ' : '   ', style: 'plain' },
    { text, style: 'plain' },
    { text: fill(said, left), style: 'dim' },
    { text: `  ${' '.repeat(keys - cellsOf(key))}${key}`, style: 'name' },
  ];
}

type RowLook = {
  readonly isPicked: boolean;
  readonly width: number;
  /** Cells of the keys, and of names behind which more is said. */
  readonly keys: number;
  readonly labels: number;
};
