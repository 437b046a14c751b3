import type { Cli } from '../cli.ts';

/** What is printed goes where it stays in sight: not on the screen that is drawn on. */
export function printingAfter(cli: Cli, first: () => void): Cli {
  const after =
    <T extends unknown[], R>(print: (...what: T) => R) =>
    (...what: T): R => {
      first();
      return print(...what);
    };
  const { print, printLines, say, printJson, deliver, warn, note, hint } = cli;
  return {
    ...cli,
    print: after(print),
    printLines: after(printLines),
    say: after(say),
    printJson: after(printJson),
    deliver: after(deliver),
    warn: after(warn),
    note: after(note),
    hint: after(hint),
  };
}
