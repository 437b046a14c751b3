import { Box, Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';
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
  readonly width: number;
  readonly height: number;
};

/** What can be done now, and the box in which it is looked for. */
export function PalettePane({ focus, items, placeholder, width, height }: PalettePaneProps) {
  const room = Math.max(1, height - FRAME_ROWS);
  const at = Math.min(focus.picked, Math.max(0, items.length - 1));
  const top = Math.max(0, Math.min(at - room + 1, items.length - room));
  const note = items.length > room ? `${at + 1} of ${items.length}` : undefined;
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
      {items.length === 0 && <Text dimColor>{'   nothing here matches that'}</Text>}
      {items.slice(top, top + room).map((item, index) => (
        <SpanRow key={top + index} spans={rowOf(item, top + index === at, width)} />
      ))}
    </Box>
  );
}

/** Cells that a key takes at most: what is longer says what a command does. */
const SHORT_NAME = 8;

function rowOf({ label, name }: PaletteItem, isPicked: boolean, width: number): Span[] {
  const room = width - 4;
  // A key stays in sight: what it does can be told from its beginning.
  const kept = cellsOf(name) <= SHORT_NAME ? cellsOf(name) + 2 : 0;
  const shown = fit(label, room - kept);
  const rest = room - cellsOf(shown) - 2;
  return [
    { text: isPicked ? ' › ' : '   ', style: isPicked ? 'chosen' : 'plain' },
    { text: shown, style: isPicked ? 'chosen' : 'plain' },
    ...(kept > 0 || rest > 3 ? [{ text: `  ${fit(name, rest)}`, style: 'dim' as const }] : []),
  ];
}
