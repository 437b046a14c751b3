import { Text } from 'ink';
import { BarPane } from './bar-pane.tsx';
import { colors } from '../screen/theme.ts';
import type { QuestionLine } from '../text/question-lines.ts';

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

/** The agent's words. */
export function QuestionPane({ lines, top, width, rows }: QuestionPaneProps) {
  return (
    <BarPane width={width} rows={rows}>
      {lines.slice(top, top + rows).map(({ text, style }, at) => (
        <Text key={top + at} wrap="truncate" {...styles[style]}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
    </BarPane>
  );
}
