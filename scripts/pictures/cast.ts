import type { Output, Size } from './terminal.ts';

/** A wait in which nothing happens is shown as so many seconds at most. */
const LONGEST_WAIT = 2;

/** What a program wrote as an asciicast, version 2 (https://docs.asciinema.org/manual/asciicast/v2/). */
export function castOf(output: readonly Output[], { columns, rows }: Size): string {
  const header = {
    version: 2,
    width: columns,
    height: rows,
    idle_time_limit: LONGEST_WAIT,
    title: 'clifford run',
  };
  const lines = output.map(([at, text]) => JSON.stringify([Number(at.toFixed(3)), 'o', text]));
  return `${[JSON.stringify(header), ...lines].join('\n')}\n`;
}
