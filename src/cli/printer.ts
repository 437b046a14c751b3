import { randomInt } from 'node:crypto';
import { styleText } from 'node:util';
import { showHiddenButJoiners } from '../lib/text/hidden-characters.ts';

/** The styles of `util.styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** Makes text ready for a terminal, and knows which colours in it are ours. */
export type Printer = {
  /** Colours text for stdout, where it is a terminal that has colours and nobody asked for none. */
  readonly style: (style: Style, text: string) => string;
  /** The text as it is printed: of control characters and what hides or reorders text, only our own colours are left. */
  readonly printable: (text: string) => string;
};

/**
 * Everything a command prints goes through `printable`, so no text of others reaches a terminal as it is, whoever
 * forgot to look at it. The codes that `style` adds carry two numbers that nobody else knows, which `printable` takes
 * out again: a colour in a text of others is not one of ours.
 */
export function createPrinter(stdout: NodeJS.WriteStream): Printer {
  // Four digits each: more is no colour to programs that measure how wide a text is.
  const mark = `${randomInt(1_000, 10_000)};${randomInt(1_000, 10_000)};`;
  // oxlint-disable-next-line no-control-regex -- this is how a colour begins
  const codes = /\u001B\[([\d;]*)m/g;
  const ownCodes = new RegExp(`\\u001B\\[${mark}([\\d;]*)m`);
  return {
    style: (style, text) =>
      styleText(style, text, { stream: stdout }).replaceAll(
        codes,
        (_, code: string) => `\u001B[${mark}${code}m`,
      ),
    printable: (text) =>
      text
        .split(ownCodes)
        .map((part, index) => (index % 2 === 0 ? showHiddenButJoiners(part) : `\u001B[${part}m`))
        .join(''),
  };
}
