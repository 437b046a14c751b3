import { Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';

type RuleProps = {
  readonly width: number;
  readonly title?: string | undefined;
  /** Stands at the right end. */
  readonly note?: string | undefined;
  readonly color?: string | undefined;
  /** How the line starts: `┬` where a vertical one begins below, `├` where one goes through, `┼` where both do. */
  readonly start?: '─' | '┬' | '├' | '┼' | undefined;
  /** Columns where vertical lines from above end. */
  readonly jointsAt?: readonly number[] | undefined;
};

/** A horizontal line with a title in it. */
export function Rule({ width, title = '', note = '', color, start = '─', jointsAt = [] }: RuleProps) {
  const right = note === '' ? '' : ` ${note} ─`;
  const name = title === '' ? '' : ` ${fit(title, Math.max(0, width - cellsOf(right) - 5))} `;
  const nameEnd = 2 + cellsOf(name);
  const line = '─'.repeat(Math.max(0, width - nameEnd - cellsOf(right)));
  const joints = new Set(jointsAt.map((at) => at - nameEnd));
  const joined =
    joints.size === 0 ? line : line.replaceAll('─', (each, at: number) => (joints.has(at) ? '┴' : each));
  return (
    <Text wrap="truncate">
      <Text dimColor>{`${start}─`}</Text>
      <Text bold {...(color === undefined ? {} : { color })}>
        {name}
      </Text>
      <Text dimColor>{joined + right}</Text>
    </Text>
  );
}
