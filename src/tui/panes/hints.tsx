import { Text } from 'ink';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Situation } from '../keys/binding.ts';
import { hintsOf } from '../keys/keymap.ts';

const BETWEEN = ' · ';

/** One line that says which keys are of use now: as many as fit, taken from the keymap. */
export function Hints({ situation, width }: { situation: Situation; width: number }) {
  const shown = fitting(hintsOf(situation), width - 2);
  return (
    <Text wrap="truncate">
      {' '}
      {shown.map(([keys, what], at) => (
        <Text key={keys} dimColor>
          {at > 0 && BETWEEN}
          <Text bold>{keys}</Text>
          {` ${what}`}
        </Text>
      ))}
    </Text>
  );
}

function fitting(hints: ReturnType<typeof hintsOf>, width: number): ReturnType<typeof hintsOf> {
  let taken = -cellsOf(BETWEEN);
  return hints.filter(([keys, what]) => {
    taken += cellsOf(`${BETWEEN}${keys} ${what}`);
    return taken <= width;
  });
}
