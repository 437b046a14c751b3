import type { Match } from './match.ts';

/** What lets a shell do something else besides, or instead. */
const shellWords = /[;&|<>`$()\n\r\\]/;
const separators = /[;&|<>`()\n\r]+/;

/**
 * Whether a command line is the prefix, or begins with it word by word: `git log` covers `git log -p`, and neither
 * `git logout` nor `git log; rm -r x`. It is `unsure` where a shell would read more than one command, or put
 * something else in a word's place, and one of the commands begins so.
 */
export function startsWithCommand(text: string, prefix: string): Match {
  const words = wordsOf(prefix);
  const begins = beginsWith(wordsOf(text), words);
  if (begins) return shellWords.test(text) ? 'unsure' : 'yes';
  // A shell takes quotes and backslashes away.
  const isPart = text
    .split(separators)
    .some((part) => beginsWith(wordsOf(part.replaceAll(/['"\\]/g, '')), words));
  return isPart ? 'unsure' : 'no';
}

function wordsOf(text: string): string[] {
  return text.split(/[ \t]+/).filter((word) => word !== '');
}

function beginsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length > 0 && prefix.every((word, index) => words[index] === word);
}
