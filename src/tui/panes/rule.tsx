import { Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';

type RuleProps = {
  readonly width: number;
  readonly title?: string | undefined;
  /** Stands at the right end. */
  readonly note?: string | undefined;
  readonly color?: string | undefined;
  /** How the line starts: `┬` where a vertical one begins below, `├` where one goes through. */
  readonly start?: '─' | '┬' | '├' | undefined;
  /** Column where a vertical line from above ends. */
  readonly jointAt?: number | undefined;
};

/** A horizontal line with a title in it. */
export function Rule({ width, title = '', note = '', color, start = '─', jointAt = -1 }: RuleProps) {
  const right = note === '' ? '' : ` ${note} ─`;
  const name = title === '' ? '' : ` ${fit(title, Math.max(0, width - cellsOf(right) - 5))} `;
  const nameEnd = 2 + cellsOf(name);
  const line = '─'.repeat(Math.max(0, width - nameEnd - cellsOf(right)));
  const joint = jointAt - nameEnd;
  const joined =
    joint >= 0 && joint < line.length ? `${line.slice(0, joint)}┴${line.slice(joint + 1)}` : line;
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
