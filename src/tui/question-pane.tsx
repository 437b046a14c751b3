import { Box, Text } from 'ink';
import { colors } from './theme.ts';
import type { QuestionLine } from './question-lines.ts';

type QuestionPaneProps = {
  readonly lines: readonly QuestionLine[];
  /** Lines above the first that is shown. */
  readonly top: number;
  readonly width: number;
  readonly rows: number;
};

const styles = {
  question: { bold: true },
  option: { color: colors.focus },
  about: { dimColor: true },
} as const;

/** The agent's words, marked as such by a bar: what stands right of it is never ours. */
export function QuestionPane({ lines, top, width, rows }: QuestionPaneProps) {
  return (
    <Box
      borderStyle="bold"
      borderColor={colors.question}
      borderTop={false}
      borderRight={false}
      borderBottom={false}
      marginLeft={1}
      paddingLeft={1}
      width={width - 1}
      height={rows}
      overflow="hidden"
      flexDirection="column"
    >
      {lines.slice(top, top + rows).map(({ text, style }, at) => (
        <Text key={top + at} wrap="truncate" {...styles[style]}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
    </Box>
  );
}
