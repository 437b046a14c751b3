import { Text } from 'ink';
import { Fragment } from 'react';
import { cellsOf } from '../../lib/text/cells.ts';
import { isNarrow } from '../terminal/layout.ts';
import { colors } from '../terminal/theme.ts';

const BETWEEN = ' · ';

type Hint = readonly [keys: string, what: string];

type HintsProps = {
  readonly hints: readonly Hint[];
  readonly width: number;
  /** What is said elsewhere on the screen: once is enough. Default: nothing. */
  readonly said?: readonly Hint[] | undefined;
  /** Those that decide about what is asked. Default: none. */
  readonly deciding?: readonly Hint[];
  /** They do nothing yet. */
  readonly isWaiting?: boolean;
};

/** Stands before keys that do nothing yet, which are faint, too, in place of a blank. */
export const WAITING = '…';

/** One line that says which keys are of use now, taken from the keymap: as many as fit. */
export function Hints({ hints, said = [], isWaiting = false, ...line }: HintsProps) {
  const left = hints.filter((hint) => !said.includes(hint));
  return <HintLine hints={left} {...line} isWaiting={isWaiting && left.length > 0} />;
}

/** The same for the keys of any screen: they stand out, what they do does not, unless it decides something. */
export function HintLine({ hints, width, deciding = [], isWaiting = false }: Omit<HintsProps, 'said'>) {
  const shown = isNarrow(width) ? firstOf(hints, width - 2) : withHelp(hints, width - 2);
  return (
    <Text wrap="truncate" dimColor={isWaiting}>
      {isWaiting ? WAITING : ' '}
      {shown.map((hint, at) => (
        <Fragment key={hint.join(' ')}>
          {at > 0 && <Text dimColor>{BETWEEN}</Text>}
          {deciding.includes(hint) && !isWaiting ? (
            <DecidingKey hint={hint} />
          ) : (
            <>
              <Text bold={!isWaiting}>{hint[0]}</Text>
              <Text dimColor>{` ${hint[1]}`}</Text>
            </>
          )}
        </Fragment>
      ))}
    </Text>
  );
}

/** A key that decides about what is asked, and what it does: on a ground of its own, also without colours. */
export function DecidingKey({ hint: [keys, what] }: { readonly hint: Hint }) {
  return (
    <>
      <Text bold inverse color={colors.question}>
        {keys}
      </Text>
      {` ${what}`}
    </>
  );
}

/**
 * As many as fit. Where not all do, the way back stays, and the last ones lead to the others, and out, which `^C` does
 * everywhere: a narrow line has no room for that.
 */
function withHelp(hints: readonly Hint[], width: number): readonly Hint[] {
  const shown = firstOf(hints, width);
  const last = hints.filter(
    ([keys, what]) => keys === '?' || keys === ':' || (what === 'leave' && keys !== '^C'),
  );
  const kept = [...last, ...hints.filter(([keys, what]) => keys === 'Esc' && what === 'back')];
  if (kept.every((hint) => shown.includes(hint))) return shown;
  const cells = kept.reduce((sum, hint) => sum + cellsOfHint(hint), 0);
  const others = firstOf(
    hints.filter((hint) => !kept.includes(hint)),
    width - cells,
  );
  return [...hints.filter((hint) => !last.includes(hint) && [...others, ...kept].includes(hint)), ...last];
}

function firstOf(hints: readonly Hint[], width: number): readonly Hint[] {
  let taken = -cellsOf(BETWEEN);
  return hints.filter((hint) => {
    taken += cellsOfHint(hint);
    return taken <= width;
  });
}

function cellsOfHint([keys, what]: Hint): number {
  return cellsOf(`${BETWEEN}${keys} ${what}`);
}
