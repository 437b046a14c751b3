import { count } from '../../lib/text/count.ts';

/** Lines and UTF-16 units from which on what is pasted is shown as how much it is. */
const MUCH_LINES = 5;
const MUCH_CHARACTERS = 400;

/** Characters that Unicode keeps for the inside of programs: no text of anybody has them. */
const FIRST = 0xfdd0;
const MOST = 32;
const folds = /[\ufdd0-\ufdef]/g;

/** Whether a text that is pasted is too much to be looked at in a box. */
export function isMuch(pasted: string): boolean {
  return pasted.length > MUCH_CHARACTERS || pasted.split('\n').length >= MUCH_LINES;
}

/** The character that stands for the paste at this index; `undefined`: there are none left. */
export function foldOf(index: number): string | undefined {
  return index < MOST ? String.fromCharCode(FIRST + index) : undefined;
}

/** A text of others, in which no character stands for anything else. */
export function withoutFolds(text: string): string {
  return text.replaceAll(folds, '');
}

/** The text with everything that was pasted. */
export function unfolded(text: string, pastes: readonly string[]): string {
  return text.replaceAll(folds, (fold) => pastes[fold.charCodeAt(0) - FIRST] ?? '');
}

/** `[135 lines pasted]`, in place of the character that stands for them; any other character is itself. */
export function shownFold(grapheme: string, pastes: readonly string[] = []): string {
  const pasted = grapheme.length === 1 ? pastes[grapheme.charCodeAt(0) - FIRST] : undefined;
  if (pasted === undefined) return grapheme;
  const lines = pasted.replace(/\n$/, '').split('\n').length;
  const much = lines > 1 ? count(lines, 'line') : `${pasted.length.toLocaleString('en')} characters`;
  return `[${much} pasted]`;
}
