import type { ShellWord } from './command-reading.ts';
import { unescaped } from './literal-output.ts';

/** How many different pieces of a text are looked at. */
const MAX_PIECES = 1_000;

const leading = /^(?:!|\{|\}|then|do|else|elif|if|while|until|time|in|function|esac|fi|done|coproc)$/;

/**
 * The commands in a text that nobody can take apart properly, roughly: split wherever a shell may end one, without
 * quotes. Finds what hides behind a mistake, and takes words of a text for commands.
 */
export function splitCommands(text: string): ShellWord[][] {
  const commands: ShellWord[][] = [];
  const decoded = text
    .replaceAll('\\\n', '')
    .replaceAll(/\$'((?:\\[^]|[^'\\])*)'/g, (_, inside: string) => unescaped(inside));
  const pieces = new Set(decoded.split(/[;&|<>`()\n\r]+/));
  for (const piece of Array.from(pieces).slice(0, MAX_PIECES)) {
    const words = piece
      .replaceAll(/\$?['"]|\\/g, '')
      .split(/[\s{}]+/u)
      .filter((word) => word !== '' && word !== '$');
    const first = words.findIndex((word) => !leading.test(word) && !/^\w+=/.test(word));
    if (first >= 0) commands.push(words.slice(first));
  }
  return commands;
}
