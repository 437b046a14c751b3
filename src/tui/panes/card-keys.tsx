import { Box, Text } from 'ink';
import { Fragment } from 'react';
import { cellsOf } from '../../lib/text/cells.ts';
import type { KeyName } from '../keys/binding.ts';
import type { Focus } from '../screen/focus.ts';
import { DecidingKey, WAITING } from './hints.tsx';

/** Keys of these places decide about what is asked. */
const onCard: ReadonlySet<Focus['at']> = new Set<Focus['at']>([
  'answer',
  'reject',
  'rephrase',
  'decide',
  'batch',
  'explain',
  'edit',
  'scope',
  'confirm',
  'act',
  'act-sure',
]);

/** These lead elsewhere: they stand in the last line alone. */
const elsewhere: ReadonlySet<string> = new Set(['Tab', 'Tab/⇧Tab', 'Esc', '?', ':', '^C']);

/** Cells in front of each row, as in front of the words above, and between two keys. */
const MARGIN = 3;
const BETWEEN = '   ';

type CardKeysProps = {
  /** Where keys go. */
  readonly at: Focus['at'];
  /** What the last line says. */
  readonly hints: readonly KeyName[];
  readonly width: number;
  readonly rows: number;
  /** They do nothing yet. */
  readonly isWaiting?: boolean;
};

/** The keys that decide about what is asked, right below its card, as far as there are rows for them. */
export function CardKeys({ at, hints, width, rows, isWaiting = false }: CardKeysProps) {
  const shown = rowsOnCard({ at, hints, width, rows });
  return (
    <Box flexDirection="column" height={rows} width={width} overflow="hidden">
      {shown.map((row) => (
        <Text key={row.map(([keys]) => keys).join(' ')} wrap="truncate" dimColor={isWaiting}>
          {(isWaiting ? WAITING : '').padStart(MARGIN - 1).padEnd(MARGIN)}
          {row.map((hint, index) => (
            <Fragment key={hint[0]}>
              {index > 0 && BETWEEN}
              {isWaiting ? hint.join(' ') : <DecidingKey hint={hint} />}
            </Fragment>
          ))}
        </Text>
      ))}
    </Box>
  );
}

/** The keys that are named there, in their rows. */
export function rowsOnCard({ at, hints, width, rows }: CardKeysProps): readonly (readonly KeyName[])[] {
  return inRows(decidingKeys(at, hints), width - MARGIN).slice(0, rows);
}

/** Those that decide about what is asked, or lead to where keys do. */
export function decidingKeys(at: Focus['at'], hints: readonly KeyName[]): readonly KeyName[] {
  return hints.filter(([keys]) => (onCard.has(at) ? !elsewhere.has(keys) : at === 'sprint' && keys === 'i'));
}

/** One behind the other, in as many rows as they need. */
function inRows(hints: readonly KeyName[], width: number): KeyName[][] {
  const rows: KeyName[][] = [];
  let room = 0;
  for (const hint of hints) {
    const cells = cellsOf(hint.join(' '));
    const last = rows.at(-1);
    if (last && cells + BETWEEN.length <= room) {
      last.push(hint);
      room -= cells + BETWEEN.length;
    } else {
      rows.push([hint]);
      room = width - cells;
    }
  }
  return rows;
}
