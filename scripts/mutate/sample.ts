import type { Mutant } from './mutants-of.ts';

/** A mutant and the file it is in, relative to the root. */
export type Placed = Mutant & { readonly file: string };

/** What of a mutant is written into the table of survivors. */
export type Row = { readonly file: string; readonly kind: string; readonly before: string };

/**
 * Mutants in random order, without end of a file's or a kind's majority: first a file is drawn, long ones more often,
 * then a kind that it has, then one of that kind. No two are of the same line.
 *
 * @param random numbers in [0, 1).
 */
export function sample(all: readonly Placed[], count: number, random: () => number): Placed[] {
  const pick = <Each>(list: readonly Each[]): Each | undefined => list[Math.floor(random() * list.length)];
  const chosen: Placed[] = [];
  let left = all;
  while (chosen.length < count && left.length > 0) {
    // One of all mutants draws the file: files are weighed by how much there is in them.
    const file = pick(left)?.file;
    const inFile = left.filter((each) => each.file === file);
    const kind = pick([...new Set(inFile.map((each) => each.kind))]);
    const next = pick(inFile.filter((each) => each.kind === kind));
    if (!next) break;
    chosen.push(next);
    left = left.filter((each) => each.file !== next.file || each.line !== next.line);
  }
  return chosen;
}

/** As one line for a table in markdown. */
export function cell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``.replaceAll('|', '\\|');
}

/** The mutants of an earlier table: `| file:line | change | before | after |`. Rows of anything else are left out. */
export function rowsOf(table: string): Row[] {
  return table.split('\n').flatMap((line) => {
    const [, place = '', kind = '', before = ''] = line.split(/(?<!\\)\|/).map((each) => each.trim());
    const file = /^(\S+):\d+$/.exec(place)?.[1];
    return file === undefined ? [] : [{ file, kind, before }];
  });
}

/** Whether an earlier table has it: by the name of its file and its text, since files move and lines shift. */
export function isIn(rows: readonly Row[], { file, before }: Placed): boolean {
  const name = file.slice(file.lastIndexOf('/'));
  return rows.some((row) => row.file.endsWith(name) && row.before === cell(before));
}
