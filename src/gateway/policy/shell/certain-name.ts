import type { ShellWord } from './command-reading.ts';

/**
 * Whether every shell takes a word for the same program: letters, digits and few signs of ASCII. `=rm` is `/bin/rm` for
 * zsh, `%1` a job, `-` a word of zsh, and other letters may only look like these.
 */
export function isCertainName(word: ShellWord): boolean {
  return word !== undefined && /^(?:[A-Za-z0-9_./][A-Za-z0-9_./+@:,-]*|\[|:)$/.test(word);
}
