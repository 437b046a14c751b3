/** One ratio, and what it should be. */
export type Row = {
  readonly what: string;
  readonly figure: string;
  readonly ratio: number;
  /** `at-most` for times, `at-least` for rates. */
  readonly reach: { readonly 'at-most': number } | { readonly 'at-least': number };
};

/** Prints the rows and returns whether every one reached its figure. */
export function printTable(title: string, rows: readonly Row[]): boolean {
  const cells = rows.map((row) => [row.what, row.figure, row.ratio.toFixed(2), reachText(row), mark(row)]);
  const all = [['what', 'figure', 'ratio', 'reach', ''], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  console.log(`\n${title}\n`);
  for (const row of all) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
  return rows.every(isReached);
}

function isReached({ ratio, reach }: Row): boolean {
  return 'at-most' in reach ? ratio <= reach['at-most'] : ratio >= reach['at-least'];
}

function mark(row: Row): string {
  return isReached(row) ? 'reached' : 'MISSED';
}

function reachText({ reach }: Row): string {
  return 'at-most' in reach ? `≤ ${reach['at-most']}` : `≥ ${reach['at-least']}`;
}
