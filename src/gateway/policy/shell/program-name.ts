import { asRead } from '../as-read.ts';

/** The name of a program without its folder, as a person reads it, in small letters. */
export function programName(word: string): string {
  const name = asRead(word.slice(word.lastIndexOf('/') + 1));
  return name.replace(/\.(?:exe|com|cmd|bat)$/, '');
}
