import { visibleLine } from './visible.ts';

/** A text as one word of a command line of a shell: as it is where no shell reads more into it, else quoted. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The same, of a text that is printed to be typed again: what cannot be seen, or would be taken out, stands as its bytes,
 * `$'a\x20\x20b'`, as bash and zsh read them.
 */
export function printedWord(text: string): string {
  if (visibleLine(text) === text) return shellWord(text);
  const shown = Array.from(text, (each) => {
    // Quotes, too: nothing ends the word in a shell that does not know the form.
    return /['\\\s\p{M}]/u.test(each) || visibleLine(each) !== each ? bytesOf(each) : each;
  });
  return `$'${shown.join('')}'`;
}

function bytesOf(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
