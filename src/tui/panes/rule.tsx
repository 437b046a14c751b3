import { Text } from 'ink';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { colors } from '../terminal/theme.ts';

/** What a line is drawn with; the heavy one says without a colour, too, where the keys move. */
export const LIGHT = '─';
export const HEAVY = '━';

type RuleProps = {
  readonly width: number;
  readonly title?: string | undefined;
  /** Stands at the right end. */
  readonly note?: string | undefined;
  readonly color?: string | undefined;
  /** Keys move in what is below it: its line is heavy, and its title in the colour for that, unless it has another. */
  readonly isFocused?: boolean | undefined;
  /** How the line starts: `┬` where a vertical one begins below, `├` where one goes through, `┼` where both do. */
  readonly start?: '─' | '┬' | '├' | '┼' | undefined;
  /** Columns where vertical lines from above end. */
  readonly jointsAt?: readonly number[] | undefined;
};

/** A horizontal line with a title in it. */
export function Rule({
  width,
  title = '',
  note = '',
  isFocused = false,
  color = isFocused ? colors.focus : undefined,
  start = '─',
  jointsAt = [],
}: RuleProps) {
  const [stroke, joint] = isFocused ? [HEAVY, '┷'] : [LIGHT, '┴'];
  const right = note === '' ? '' : ` ${note} ${stroke}`;
  const name = title === '' ? '' : ` ${fit(title, Math.max(0, width - cellsOf(right) - 5))} `;
  const nameEnd = 2 + cellsOf(name);
  const line = stroke.repeat(Math.max(0, width - nameEnd - cellsOf(right)));
  const joints = new Set(jointsAt.map((at) => at - nameEnd));
  const joined =
    joints.size === 0 ? line : line.replaceAll(stroke, (each, at: number) => (joints.has(at) ? joint : each));
  return (
    <Text wrap="truncate">
      <Text dimColor={!isFocused}>{(start === LIGHT ? stroke : start) + stroke}</Text>
      <Text bold {...(color === undefined ? {} : { color })}>
        {name}
      </Text>
      <Text dimColor={!isFocused}>{joined + right}</Text>
    </Text>
  );
}
