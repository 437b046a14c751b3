import { Text } from 'ink';
import { progressBar } from '../../views/progress.ts';
import { colors } from '../screen/theme.ts';

type ProgressBarProps = {
  readonly tasks: Parameters<typeof progressBar>[0];
  readonly cells: number;
};

/** How much is over of it, drawn: what is done, what ended otherwise, and what is left. */
export function ProgressBar({ tasks, cells }: ProgressBarProps) {
  const { done, otherwise, left } = progressBar(tasks, cells);
  return (
    <Text>
      <Text color={colors.ok}>{'━'.repeat(done)}</Text>
      <Text color={colors.warning}>{'╍'.repeat(otherwise)}</Text>
      <Text dimColor>{(tasks.length === 0 ? ' ' : '─').repeat(left)}</Text>
    </Text>
  );
}
