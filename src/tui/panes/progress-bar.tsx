import { Text } from 'ink';
import { progressBar } from '../../views/sprints/progress.ts';
import { Part } from './list-row.tsx';
import { colors } from '../terminal/theme.ts';

type ProgressBarProps = {
  readonly tasks: Parameters<typeof progressBar>[0];
  readonly cells: number;
};

/** How much is over of it, drawn: what is done, what ended otherwise, and what is left. */
export function ProgressBar({ tasks, cells }: ProgressBarProps) {
  const { done, failed, otherwise, left } = progressBar(tasks, cells);
  return (
    <Text>
      <Part color={colors.ok}>{'━'.repeat(done)}</Part>
      <Part color={colors.bad}>{'╍'.repeat(failed)}</Part>
      <Part color={colors.warning}>{'╍'.repeat(otherwise)}</Part>
      <Part dim>{(tasks.length === 0 ? ' ' : '─').repeat(left)}</Part>
    </Text>
  );
}
