import { withRead } from '../terminal/with-read.ts';
/** Has a terminal report clicks and the wheel, in a form (SGR) that no key looks like; and has it stop. */
export const MOUSE_ON = '\u001B[?1000h\u001B[?1006h';
export const MOUSE_OFF = '\u001B[?1006l\u001B[?1000l';

/** What was done with the mouse, and where: in cells from 0. */
export type MouseReport = {
  readonly how: 'click' | 'up' | 'down';
  readonly column: number;
  readonly row: number;
};

// oxlint-disable-next-line no-control-regex -- this is how a terminal says it
const reports = /\u001B\[<(\d+);(\d+);(\d+)M/g;
const buttons = { '0': 'click', '64': 'up', '65': 'down' } as const;

/** What a chunk of input says of the mouse, as far as it counts: that a button was let go does not. */
function mouseReports(input: string): MouseReport[] {
  return [...input.matchAll(reports)].flatMap(([, button, column, row]): MouseReport[] => {
    const how = Object.entries(buttons).find(([code]) => code === button)?.[1];
    return how === undefined ? [] : [{ how, column: Number(column) - 1, row: Number(row) - 1 }];
  });
}

/** A keyboard that also tells what the terminal reports of the mouse. Ink takes no notice of that. */
export function withReports(
  stdin: NodeJS.ReadStream,
  hear: (report: MouseReport) => void,
): NodeJS.ReadStream {
  const read = (size?: number): unknown => {
    const chunk: unknown = stdin.read(size);
    if (typeof chunk === 'string') mouseReports(chunk).forEach(hear);
    return chunk;
  };
  return withRead(stdin, read);
}
