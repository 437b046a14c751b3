import { createContext } from 'react';
import type { KeyName } from './binding.ts';
import type { HelpSection } from './help-sections.ts';

const words: Readonly<Record<string, string>> = {
  '⇧': 'Shift+',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
};

/** Whether keys are named without signs: what stands in place of these on a terminal of ASCII looks like other keys. */
export const KeyWordsContext = createContext(false);

/** Keys in words, where they are to be: `Shift+Left` for `⇧←`. */
export function inKeyWords(names: readonly KeyName[], isInWords: boolean): readonly KeyName[] {
  return isInWords ? names.map(([keys, what]) => [keyInWords(keys), keyInWords(what)]) : names;
}

/** The same in the help. */
export function helpInWords(sections: readonly HelpSection[], isInWords: boolean): readonly HelpSection[] {
  return sections.map(({ title, keys }) => ({ title, keys: inKeyWords(keys, isInWords) }));
}

/** What is said of keys, without signs. */
export function keyInWords(text: string): string {
  return text.replaceAll(/[⇧↑↓←→]/g, (sign) => words[sign] ?? sign);
}
