import { Text } from 'ink';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Situation } from '../keys/binding.ts';
import { hintsOf } from '../keys/keymap.ts';

const BETWEEN = ' · ';

type Hint = readonly [keys: string, what: string];

/** One line that says which keys are of use now: as many as fit, taken from the keymap. */
export function Hints({ situation, width }: { situation: Situation; width: number }) {
  return <HintLine hints={hintsOf(situation)} width={width} />;
}

/** The same for the keys of any screen. */
export function HintLine({ hints, width }: { hints: readonly Hint[]; width: number }) {
  const shown = fitting(hints, width - 2);
  return (
    <Text wrap="truncate">
      {' '}
      {shown.map(([keys, what], at) => (
        <Text key={`${keys} ${what}`} dimColor>
          {at > 0 && BETWEEN}
          <Text bold>{keys}</Text>
          {` ${what}`}
        </Text>
      ))}
    </Text>
  );
}

function fitting(hints: readonly Hint[], width: number): readonly Hint[] {
  let taken = -cellsOf(BETWEEN);
  return hints.filter(([keys, what]) => {
    taken += cellsOf(`${BETWEEN}${keys} ${what}`);
    return taken <= width;
  });
}
