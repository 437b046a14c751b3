import { count } from '../../lib/text/count.ts';

/** As many rows as there is room for. Where that is not all of them, the last says how many more there are, as `rowOf` makes one of that. */
export function cutRows<Row>(
  rows: readonly Row[],
  height: number,
  rowOf: (text: string) => Row,
): readonly Row[] {
  if (rows.length <= height) return rows;
  const shown = Math.max(0, height - 1);
  return [...rows.slice(0, shown), rowOf(`↓ ${count(rows.length - shown, 'line')} more`)];
}
