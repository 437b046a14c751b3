import { Box, Text } from 'ink';
import type { TextBuffer } from '../text/text-buffer.ts';
import { rowsAround, textRows, type TextRow } from '../text/text-rows.ts';
import { colors } from '../terminal/theme.ts';

type AnswerBoxProps = {
  readonly draft: TextBuffer;
  readonly isFocused: boolean;
  /** Of the border and the prompt while keys go there. */
  readonly color: string;
  /** Stands in an empty box. */
  readonly placeholder: string;
  readonly width: number;
  readonly rows: number;
  /** Default: it has one. */
  readonly hasBorder?: boolean;
};

/** Cells of a row that hold no text: the border, a blank on each side, and the prompt. */
const FRAME_WIDTH = 6;

/** Rows that a text takes in a box of this width. */
export function answerRows(draft: TextBuffer, width: number): TextRow[] {
  return textRows(draft, width - FRAME_WIDTH);
}

/** The human's words. The border is bright while keys go there. */
export function AnswerBox(props: AnswerBoxProps) {
  const { draft, isFocused, color, placeholder, width, rows, hasBorder = true } = props;
  const shown = rowsAround(answerRows(draft, width), rows);
  return (
    <Box
      {...(hasBorder && { borderStyle: 'round', borderColor: isFocused ? color : colors.faint })}
      paddingX={hasBorder ? 1 : 2}
      width={width}
      height={rows + (hasBorder ? 2 : 0)}
    >
      <Box flexShrink={0}>
        <Text {...(isFocused ? { color } : { dimColor: true })}>{'> '}</Text>
      </Box>
      {draft.text === '' ? (
        <Text wrap="truncate">
          {isFocused && <Text inverse> </Text>}
          <Text dimColor>{placeholder}</Text>
        </Text>
      ) : (
        <Box flexDirection="column">
          {shown.map((row, at) => (
            <Row key={at} row={row} isFocused={isFocused} />
          ))}
        </Box>
      )}
    </Box>
  );
}

function Row({ row: { text, cursor }, isFocused }: { row: TextRow; isFocused: boolean }) {
  if (!cursor || !isFocused) return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
  return (
    <Text wrap="truncate">
      {cursor.before}
      <Text inverse>{cursor.at}</Text>
      {cursor.after}
    </Text>
  );
}
