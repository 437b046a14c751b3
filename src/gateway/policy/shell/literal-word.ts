import type { Word, WordPart } from 'unbash';
import type { ShellWord } from './command-reading.ts';

/**
 * A word as the command gets it: quotes, backslashes and line continuations taken away. `undefined` where its value
 * hangs on something: a variable, a substitution, file names, braces, a home folder.
 */
export function literalWord(word: Word): ShellWord {
  if (/^(?:\\\n)*~/.test(word.text)) return undefined;
  // Assignments as arguments: bash expands none of these, other shells do.
  if (/^[\w-]+=(?:[^'"\\]*:)?~/.test(word.text)) return undefined;
  if (word.parts === undefined) return word.value;
  return literalParts(word.parts);
}

/** The same for the parts of a word. */
export function literalParts(parts: readonly WordPart[]): ShellWord {
  let text = '';
  for (const part of parts) {
    const value = literalPart(part);
    if (value === undefined) return undefined;
    text += value;
  }
  return text;
}

function literalPart(part: WordPart): ShellWord {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted')
    return part.value;
  return part.type === 'DoubleQuoted' ? literalParts(part.parts) : undefined;
}
